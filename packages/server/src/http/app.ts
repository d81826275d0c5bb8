import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Bank } from '../bank/bank.ts';
import type { AccountReader, UsageReader } from '../store/store.ts';
import { sendFailure } from './answer.ts';
import type { Authenticator } from './authenticator.ts';
import { acceptAnyBody, putContentTypeAside } from './body.ts';
import { failureCodeOf } from './failure-code.ts';
import type { RequestMetrics } from './metrics.ts';
import { answerBareSocketErrors } from './raw-answers.ts';
import { documentRoutes } from './routes/documents.ts';
import { resellerRoutes } from './routes/reseller.ts';

export interface AppDependencies {
	readonly store: AccountReader & UsageReader;
	readonly bank: Bank;
	readonly authenticator: Authenticator;
	readonly logger: Logger;
	readonly metrics: RequestMetrics;
	/** Unix milliseconds. */
	readonly nowMs: () => number;
	/** Whether any content type, and amounts as decimal strings, are accepted. */
	readonly lenient: boolean;
	readonly version: string;
}

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 8192;
/** A request must have arrived whole after this time. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 15_000;
/** How often those two are looked after. */
const TIMEOUT_CHECK_MS = 5_000;
/** Longer than the idle time of common load balancers, so that they close first. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** A connection on which nothing moves for this long, in either direction, is closed. */
const STALLED_CONNECTION_MS = 120_000;

/** The public side of the service: the eight endpoints of the contract and their documents. */
export function buildApp(dependencies: AppDependencies): FastifyInstance {
	const app = Fastify({
		// Logs are written by the hook below: one line for a request, and none of Fastify's own, which hold URLs.
		logger: false,
		genReqId: () => randomUUID(),
		requestIdHeader: false,
		return503OnClosing: false,
		forceCloseConnections: 'idle',
		requestTimeout: REQUEST_TIMEOUT_MS,
		keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
		connectionTimeout: STALLED_CONNECTION_MS,
		http: {
			maxHeaderSize: MAX_HEADER_BYTES,
			headersTimeout: HEADERS_TIMEOUT_MS,
			connectionsCheckingInterval: TIMEOUT_CHECK_MS,
			// Its absence is answered below, in the envelope.
			requireHostHeader: false,
		},
		frameworkErrors: (error, _request, reply) => void sendFailure(reply, failureCodeOf(error), dependencies.nowMs()),
	});
	app.server.maxConnections = MAX_CONNECTIONS;
	answerBareSocketErrors(app.server, dependencies.nowMs);
	acceptAnyBody(app);

	refuseBeforeRouting(app, dependencies);
	observeRequests(app, dependencies);
	app.setErrorHandler((error, request, reply) => {
		const code = failureCodeOf(error);
		if (code === 'internal_error') dependencies.logger.error({ requestId: request.id, err: error }, 'a request failed');
		return sendFailure(reply, code, dependencies.nowMs());
	});

	void app.register(resellerRoutes, dependencies);
	void app.register(documentRoutes, { version: dependencies.version });
	return app;
}

/** What is decided before anybody looks at who asks, or at the body. */
function refuseBeforeRouting(app: FastifyInstance, { nowMs }: AppDependencies): void {
	const methodsByPath = new Map<string, string[]>();
	app.addHook('onRoute', ({ url, method }) => {
		methodsByPath.set(url, [...(methodsByPath.get(url) ?? []), ...[method].flat()]);
	});

	let closing = false;
	app.addHook('preClose', (done) => {
		closing = true;
		done();
	});

	app.addHook('onRequest', (request, reply, done) => {
		reply.header('x-request-id', request.id).header('cache-control', 'no-store');
		if (closing) return void sendFailure(reply.header('connection', 'close'), 'unavailable', nowMs());
		if (isHostMissing(request)) return void sendFailure(reply, 'bad_request', nowMs());
		if (request.is404) {
			const methods = methodsByPath.get(pathOf(request));
			if (!methods) return void sendFailure(reply, 'not_found', nowMs());
			return void sendFailure(reply.header('allow', methods.join(', ')), 'method_not_allowed', nowMs());
		}
		putContentTypeAside(request);
		done();
	});
	// Never reached: the hook above has answered. Fastify would otherwise add an answer of its own.
	app.setNotFoundHandler((_request, reply) => sendFailure(reply, 'not_found', nowMs()));
}

/** HTTP/1.1 requires one (RFC 9112, section 3.2). */
function isHostMissing({ raw }: FastifyRequest): boolean {
	return raw.headers.host === undefined && raw.httpVersionMajor === 1 && raw.httpVersionMinor === 1;
}

function pathOf(request: FastifyRequest): string {
	const query = request.url.search(/[?#]/);
	return query === -1 ? request.url : request.url.slice(0, query);
}

/** One line in the log and one count in the metrics for each request; never a URL, for it may hold anything. */
function observeRequests(app: FastifyInstance, { logger, metrics }: AppDependencies): void {
	app.addHook('onResponse', (request, reply, done) => {
		const route = request.routeOptions.url ?? 'none';
		const durationMs = reply.elapsedTime;
		metrics.requestDone(route, reply.statusCode, durationMs);
		const level = reply.statusCode >= 500 ? 'warn' : reply.statusCode >= 400 ? 'info' : 'debug';
		if (logger.isLevelEnabled(level)) {
			logger[level](
				{
					requestId: request.id,
					method: request.method,
					route,
					status: reply.statusCode,
					errorCode: reply.getHeader('x-error-code'),
					durationMs: Math.round(durationMs * 1000) / 1000,
				},
				'request',
			);
		}
		done();
	});
}
