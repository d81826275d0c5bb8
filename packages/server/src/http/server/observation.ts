import { secretTail } from '@bursar/contract/secret-text';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { bearerToken } from './bearer-token.ts';
import type { ClientAddresses } from './client-address.ts';
import { traceIdOf } from './traceparent.ts';

declare module 'fastify' {
	interface FastifyRequest {
		/** Monotonic milliseconds. */
		arrivedAtMs: number;
		/** Set before the answer `unavailable` is sent, unless the store is why. */
		unavailableBecause: UnavailableCause | undefined;
	}
}

/**
 * Why an answer is `unavailable`: the store cannot do it, or not in time; the caller has too much in progress, or asked too
 * late; or the service stops. Only the first is a fault: no caller alone may set off the alarm of the operator.
 */
export const UNAVAILABLE_CAUSES = ['store', 'asker', 'stopping'] as const;
type UnavailableCause = (typeof UNAVAILABLE_CAUSES)[number];

export interface RequestMetrics {
	/**
	 * `route` is the path in the declaration of the route, never the path that a client sent. `errorCode` is from the
	 * registry of errors; `undefined` if the answer has none.
	 */
	requestDone(route: string, status: number, durationMs: number, errorCode: string | undefined): void;
	/** Called for each answer `unavailable`, too. */
	unavailable(cause: UnavailableCause): void;
}

/** The caller, as far as the listener knows it. */
interface Caller {
	readonly reseller?: string | undefined;
	readonly edge?: string | undefined;
	/** The name of the token of a program of the operator. */
	readonly operatorToken?: string | undefined;
}

export interface Observation {
	readonly metrics: RequestMetrics;
	readonly addressOf: ClientAddresses;
	/** Called before the answer is sent, also if nobody was authenticated. */
	readonly callerOf: (request: FastifyRequest) => Caller;
}

/** Logs and counts each answer just before it is sent. Never logs a URL, because it may contain anything. */
export function observeAnswers(
	app: FastifyInstance,
	{ logger, metrics, addressOf, callerOf }: Observation & { readonly logger: Logger },
): void {
	app.decorateRequest('arrivedAtMs', 0);
	app.decorateRequest('unavailableBecause', undefined);
	app.addHook('onRequest', (request, _reply, done) => {
		request.arrivedAtMs = performance.now();
		done();
	});
	// `onResponse` would also know the end of the answer, but it adds two listeners to each answer.
	app.addHook('onSend', (request, reply, payload, done) => {
		const route = request.routeOptions.url ?? 'none';
		const durationMs = performance.now() - request.arrivedAtMs;
		const errorCode = reply.statusCode >= 400 ? (reply.getHeader('x-error-code') as string | undefined) : undefined;
		metrics.requestDone(route, reply.statusCode, durationMs, errorCode);
		const cause = errorCode === 'unavailable' ? (request.unavailableBecause ?? 'store') : undefined;
		if (cause !== undefined) metrics.unavailable(cause);
		const level = reply.statusCode >= 500 ? 'warn' : reply.statusCode >= 400 ? 'info' : 'debug';
		if (logger.isLevelEnabled(level)) {
			const { headers } = request.raw;
			logger[level](
				{
					requestId: request.id,
					traceId: traceIdOf(headers.traceparent as string | undefined),
					method: request.method,
					route,
					status: reply.statusCode,
					errorCode,
					cause,
					durationMs: Math.round(durationMs * 1000) / 1000,
					...callerOf(request),
					address: addressOf(request.raw).text,
					tokenTail: secretTail(bearerToken(headers.authorization) ?? ''),
				},
				'request',
			);
		}
		done(null, payload);
	});
}
