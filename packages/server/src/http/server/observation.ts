import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

declare module 'fastify' {
	interface FastifyRequest {
		/** Monotonic milliseconds. */
		arrivedAtMs: number;
	}
}

export interface RequestMetrics {
	/** `route` is the path that the route was declared with: never a path that somebody sent. */
	requestDone(route: string, status: number, durationMs: number): void;
}

/**
 * One line in the log and one count in the metrics for each answer, when it is about to be sent; never
 * a URL, for it may hold anything.
 */
export function observeAnswers(
	app: FastifyInstance,
	{ logger, metrics }: { readonly logger: Logger; readonly metrics: RequestMetrics },
): void {
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
