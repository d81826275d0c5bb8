import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance } from 'fastify';
import { sendFailure, withCommonHeaders } from './answer.ts';
import { acceptAnyBody } from './body.ts';
import type { AppDependencies, RequestTimeouts } from './dependencies.ts';
import { refuseEarly } from './early-refusals.ts';
import { failureCodeOf } from './failure-code.ts';
import { observeAnswers } from './observation.ts';
import { answerBareSocketErrors } from './raw-answers.ts';
import { documentRoutes } from './routes/documents.ts';
import { resellerRoutes } from './routes/reseller.ts';

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 8192;
const REQUEST_TIMEOUTS: RequestTimeouts = { requestMs: 30_000, headersMs: 15_000, checkMs: 5_000 };
/** Longer than the idle time of common load balancers, so that they close first. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** A connection on which nothing moves for this long, in either direction, is closed. */
const STALLED_CONNECTION_MS = 120_000;
/** The public side of the service: the eight endpoints of the contract and their documents. */
export function buildApp(dependencies: AppDependencies): FastifyInstance {
	const { requestTimeouts = REQUEST_TIMEOUTS } = dependencies;
	const app = Fastify({
		// Logs are written by the hook below: one line for a request, and none of Fastify's own, which hold URLs.
		logger: false,
		genReqId: () => randomUUID(),
		requestIdHeader: false,
		return503OnClosing: false,
		forceCloseConnections: 'idle',
		requestTimeout: requestTimeouts.requestMs,
		keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
		connectionTimeout: STALLED_CONNECTION_MS,
		http: {
			maxHeaderSize: MAX_HEADER_BYTES,
			headersTimeout: requestTimeouts.headersMs,
			connectionsCheckingInterval: requestTimeouts.checkMs,
			// Its absence is answered below, in the envelope.
			requireHostHeader: false,
		},
		// A path that cannot be decoded comes here past every hook.
		frameworkErrors: (error, request, reply) =>
			void sendFailure(withCommonHeaders(reply, request), failureCodeOf(error), dependencies.nowMs()),
	});
	app.server.maxConnections = MAX_CONNECTIONS;
	answerBareSocketErrors(app.server, dependencies.nowMs);
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
