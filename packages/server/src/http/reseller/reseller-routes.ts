import type { FastifyInstance } from 'fastify';
import type { ResellerDependencies } from './dependencies.ts';
import { requireReseller } from './require-reseller.ts';
import { accountRoutes } from './routes/account.ts';
import { balanceRoutes } from './routes/balances.ts';
import { changeRoutes } from './routes/changes.ts';
import { eventRoutes } from './routes/events.ts';
import { pageRoutes } from './routes/pages.ts';
import { subUserRoutes } from './routes/sub-users.ts';
import { termsRoutes } from './routes/terms.ts';
import { tokenRoutes } from './routes/tokens.ts';
import { topUpRoutes } from './routes/top-ups.ts';
import { usageRoutes } from './routes/usage.ts';
import { webhookRoutes } from './routes/webhooks.ts';

/** The endpoints (docs/api.md 1.2). Each needs a reseller's token. */
export async function resellerRoutes(app: FastifyInstance, dependencies: ResellerDependencies): Promise<void> {
	requireReseller(app, dependencies);
	accountRoutes(app, dependencies);
	subUserRoutes(app, dependencies);
	balanceRoutes(app, dependencies);
	usageRoutes(app, dependencies);
	changeRoutes(app, dependencies);
	termsRoutes(app, dependencies);
	pageRoutes(app, dependencies);
	eventRoutes(app, dependencies);
	webhookRoutes(app, dependencies);
	tokenRoutes(app, dependencies);
	topUpRoutes(app, dependencies);
}
