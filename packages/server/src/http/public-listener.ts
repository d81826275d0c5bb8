import { allEndpoints, openApiDocument } from '@bursar/contract';
import { DASHBOARD_API } from '@bursar/contract/dashboard';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Hints } from '../payments/hints.ts';
import type { DashboardDependencies } from './dashboard/dependencies.ts';
import { dashboardPages } from './dashboard/pages/pages.ts';
import { documentRoutes } from './docs/document-routes.ts';
import { hintRoutes } from './payments/hint-routes.ts';
import type { ResellerDependencies } from './reseller/dependencies.ts';
import { noteReference } from './reseller/reference.ts';
import { resellerRoutes } from './reseller/reseller-routes.ts';
import type { ListenerAnswers } from './server/answers.ts';
import { CHANGE_ID_HEADERS, noteChangeId } from './server/change-id.ts';
import { failureAnswer, sendFailure } from './server/envelope.ts';
import { EXPIRY_HEADERS, noteExpiry } from './server/expiry.ts';
import { COMMON_LIMITS, type RequestTimeouts } from './server/limits.ts';
import { createListener } from './server/listener.ts';
import type { RequestMetrics } from './server/observation.ts';

interface PublicDependencies extends ResellerDependencies {
	readonly logger: Logger;
	readonly metrics: RequestMetrics;
	readonly version: string;
	/** Absent if the dashboard is off. */
	readonly dashboard?: DashboardDependencies | undefined;
	/** Of payment providers. Those that are off have no path. */
	readonly hints: Hints;
	/** For tests. */
	readonly requestTimeouts?: RequestTimeouts | undefined;
}

const ANSWERS: ListenerAnswers = {
	failure: failureAnswer,
	prepare(request, reply) {
		noteExpiry(request, reply);
		noteChangeId(request, reply);
		noteReference(request);
	},
	headers: { ...EXPIRY_HEADERS, ...CHANGE_ID_HEADERS },
};

const WELCOME = 'This is Bursar.\nThe API: /docs/\n';

/** The public listener: the endpoints (docs/api.md 1.2), their documents, and the dashboard. */
export function createPublicListener(dependencies: PublicDependencies): FastifyInstance {
	const { logger, metrics, addressOf, nowMs, version, dashboard, hints, requestTimeouts } = dependencies;
	const limits = { ...COMMON_LIMITS, ...requestTimeouts };
	const app = createListener({
		limits,
		answers: ANSWERS,
		logger,
		observation: { metrics, addressOf, callerOf },
		nowMs,
	});
	app.decorateRequest('expiresAtMs', undefined);
	app.decorateRequest('changeId', undefined);
	app.decorateRequest('reference', undefined);
	void app.register(resellerRoutes, dependencies);
	void app.register(documentRoutes, {
		title: 'Bursar reseller API',
		openApi: openApiDocument(version),
		routes: allEndpoints,
	});
	void app.register(hintRoutes, { hints, addressOf, nowMs });
	app.get('/', (request, reply) => {
		const { accept = '*/*' } = request.headers;
		void reply.header('vary', 'Accept');
		// A browser, or a person with curl, that was given only the host. No endpoint is here.
		if (dashboard && accept.includes('text/html')) return reply.redirect('dashboard/');
		if (request.url !== '/' || !/text\/|\*\/\*/.test(accept)) return sendFailure(reply, 'not_found', nowMs());
		return reply.type('text/plain; charset=utf-8').send(dashboard ? `${WELCOME}The dashboard: /dashboard/\n` : WELCOME);
	});
	if (dashboard) {
		const { publicUrl, pagesFolder, brand } = dashboard;
		void app.register(dashboardPages, { publicUrl, pagesFolder, brand, logger });
		void app.register(async (scope) => {
			const { oneClickStop } = await import('./dashboard/mail-stop.ts');
			await oneClickStop(scope, dashboard);
		});
		void app.register(
			async (scope) => {
				// Its packages are large, so they are loaded only if they are needed, and before the service listens.
				const { dashboardRoutes } = await import('./dashboard/dashboard-routes.ts');
				await dashboardRoutes(scope, dashboard);
			},
			{ prefix: DASHBOARD_API },
		);
	}
	return app;
}

/** Programs ask with a token, people with a session. */
function callerOf({ reseller, caller }: FastifyRequest) {
	return { reseller: (reseller || caller?.record.person.reseller) ?? undefined };
}
