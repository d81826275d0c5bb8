import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Bank } from '../bank/bank.ts';
import type { AccountReader, UsageReader } from '../store/store.ts';
import { sendFailure } from './answer.ts';
import type { Authenticator } from './authenticator.ts';
import { acceptAnyBody, isExpectationUnmet, putContentTypeAside } from './body.ts';
import { failureCodeOf } from './failure-code.ts';
import type { RequestMetrics } from './metrics.ts';
import { answerBareSocketErrors } from './raw-answers.ts';
import { documentRoutes } from './routes/documents.ts';
import { resellerRoutes } from './routes/reseller.ts';

declare module 'fastify' {
	interface FastifyRequest {
		/** Monotonic milliseconds. */
		arrivedAtMs: number;
	}
}

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
	/** Shorter ones are for tests. */
	readonly requestTimeouts?: RequestTimeouts | undefined;
}

/** How long a client may take over a request, in milliseconds. */
export interface RequestTimeouts {
	/** From its first byte until it has arrived whole. */
	readonly requestMs: number;
	readonly headersMs: number;
	/** How often those two are looked after. */
	readonly checkMs: number;
}

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 8192;
const REQUEST_TIMEOUTS: RequestTimeouts = { requestMs: 30_000, headersMs: 15_000, checkMs: 5_000 };
/** Longer than the idle time of common load balancers, so that they close first. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** A connection on which nothing moves for this long, in either direction, is closed. */
const STALLED_CONNECTION_MS = 120_000;
/** While the service stops, what still comes in on open connections is answered for so long. */
const CLOSING_GRACE_MS = 300;
/** How often connections that have become idle are closed while the service stops. */
const CLOSING_CHECK_MS = 50;

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
	refuseBeforeRouting(app, dependencies);
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
		closeConnectionsGently(app.server);
		done();
	});

	app.addHook('onRequest', (request, reply, done) => {
		withCommonHeaders(reply, request);
		if (closing) return void sendFailure(reply.header('connection', 'close'), 'unavailable', nowMs());
		if (isHostMissing(request)) return void sendFailure(reply, 'bad_request', nowMs());
		if (request.is404) {
			const methods = methodsByPath.get(pathOf(request));
			if (!methods) return void sendFailure(reply, 'not_found', nowMs());
			return void sendFailure(reply.header('allow', methods.join(', ')), 'method_not_allowed', nowMs());
		}
		// With a body it is refused by whoever reads the body: `create` costs its fee even then.
		if (isExpectationUnmet(request) && request.method !== 'POST') {
			return void sendFailure(reply, 'expectation_failed', nowMs());
		}
		putContentTypeAside(request);
		done();
	});
	// Never reached: the hook above has answered. Fastify would otherwise add an answer of its own.
	app.setNotFoundHandler((_request, reply) => sendFailure(reply, 'not_found', nowMs()));
}

/**
 * A connection that looks idle may have a request on its way, which would never be answered if it were
 * closed at once, as Node does with the listening socket. One whose answer is still under way is idle only
 * later, and would hold the server for as long as its client likes.
 */
function closeConnectionsGently(server: Server): void {
	const closeIdle = server.closeIdleConnections.bind(server);
	server.closeIdleConnections = () => {};
	const graceTimer = setTimeout(() => {
		const idleTimer = setInterval(closeIdle, CLOSING_CHECK_MS).unref();
		server.once('close', () => clearInterval(idleTimer));
	}, CLOSING_GRACE_MS);
	server.once('close', () => clearTimeout(graceTimer));
}

function withCommonHeaders(reply: FastifyReply, request: FastifyRequest): FastifyReply {
	return reply.header('x-request-id', request.id).header('cache-control', 'no-store');
}

/** HTTP/1.1 requires one (RFC 9112, section 3.2). */
function isHostMissing({ raw }: FastifyRequest): boolean {
	return raw.headers.host === undefined && raw.httpVersionMajor === 1 && raw.httpVersionMinor === 1;
}

/** The path as the router reads it: out of a whole URL too (RFC 9112, section 3.2.2), without the query, decoded. */
function pathOf(request: FastifyRequest): string {
	const path = request.url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
	return decodeURI(path);
}

/**
 * One line in the log and one count in the metrics for each answer, when it is about to be sent; never
 * a URL, for it may hold anything.
 */
function observeAnswers(app: FastifyInstance, { logger, metrics }: AppDependencies): void {
	app.decorateRequest('arrivedAtMs', 0);
	app.addHook('onRequest', (request, _reply, done) => {
		request.arrivedAtMs = performance.now();
		done();
	});
	// `onResponse` would also know the end of the answer, but costs each of them two listeners.
	app.addHook('onSend', (request, reply, payload, done) => {
		const route = request.routeOptions.url ?? 'none';
		const durationMs = performance.now() - request.arrivedAtMs;
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
		done(null, payload);
	});
}
