import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

declare module 'fastify' {
	interface FastifyRequest {
		/** Monotonic milliseconds. */
		arrivedAtMs: number;
	}
}

export interface RequestMetrics {
	/** `route` is the path in the declaration of the route, never the path that a client sent. */
	requestDone(route: string, status: number, durationMs: number): void;
}

/** Logs and counts each answer just before it is sent. Never logs a URL, because it may contain anything. */
export function observeAnswers(
	app: FastifyInstance,
	{ logger, metrics }: { readonly logger: Logger; readonly metrics: RequestMetrics },
): void {
	app.decorateRequest('arrivedAtMs', 0);
	app.addHook('onRequest', (request, _reply, done) => {
		request.arrivedAtMs = performance.now();
		done();
	});
	// `onResponse` would also know the end of the answer, but it adds two listeners to each answer.
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
