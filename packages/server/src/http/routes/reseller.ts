import type { FastifyInstance } from 'fastify';
import { requireReseller } from '../authenticate.ts';
import type { AppDependencies } from '../dependencies.ts';
import { accountRoutes } from './account.ts';
import { balanceRoutes } from './balances.ts';
import { subUserRoutes } from './sub-users.ts';
import { usageRoutes } from './usage.ts';

/** The eight endpoints (docs/api.md 1.2): none is reached without a reseller's token. */
export async function resellerRoutes(app: FastifyInstance, dependencies: AppDependencies): Promise<void> {
	requireReseller(app, dependencies);
	accountRoutes(app, dependencies);
	subUserRoutes(app, dependencies);
	balanceRoutes(app, dependencies);
	usageRoutes(app, dependencies);
}
