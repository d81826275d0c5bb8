import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance } from 'fastify';
import { sendFailure, withCommonHeaders } from './answer.ts';
import { acceptAnyBody } from './body.ts';
import type { AppDependencies } from './dependencies.ts';
import { refuseEarly } from './early-refusals.ts';
import { failureCodeOf } from './failure-code.ts';
import { createHardenedServer, type ListenerLimits } from './hardened-server.ts';
import { observeAnswers } from './observation.ts';
import { documentRoutes } from './routes/documents.ts';
import { resellerRoutes } from './routes/reseller.ts';

const LIMITS: ListenerLimits = {
	requestMs: 30_000,
	headersMs: 15_000,
	checkMs: 5_000,
	// Longer than the idle time of common load balancers, so that they close first.
	keepAliveMs: 72_000,
	stalledMs: 120_000,
	headerBytes: 16 * 1024,
	connections: 8_192,
};

/** The public side of the service: the eight endpoints (docs/api.md 1.2) and their documents. */
export function buildApp(dependencies: AppDependencies): FastifyInstance {
	const { requestTimeouts } = dependencies;
	const app = Fastify({
		// Logs are written by the hook below: one line for a request, and none of Fastify's own, which hold URLs.
		logger: false,
		genReqId: () => randomUUID(),
		requestIdHeader: false,
		return503OnClosing: false,
		forceCloseConnections: 'idle',
		serverFactory: (handle) => createHardenedServer(handle, { ...LIMITS, ...requestTimeouts }, dependencies.nowMs),
		// The server answers them.
		clientErrorHandler() {},
		// A path that cannot be decoded comes here past every hook.
		frameworkErrors: (error, request, reply) =>
			void sendFailure(withCommonHeaders(reply, request), failureCodeOf(error), dependencies.nowMs()),
	});
	acceptAnyBody(app);

	observeAnswers(app, dependencies);
	refuseEarly(app, dependencies);
	app.setErrorHandler((error, request, reply) => {
		const code = failureCodeOf(error);
		if (code === 'internal_error') dependencies.logger.error({ requestId: request.id, err: error }, 'a request failed');
		return sendFailure(reply, code, dependencies.nowMs());
	});

	void app.register(resellerRoutes, dependencies);
	void app.register(documentRoutes, { version: dependencies.version });
	return app;
}
