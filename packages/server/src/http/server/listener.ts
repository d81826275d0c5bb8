import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { type ListenerAnswers, prepareAnswer, sendAnswer } from './answers.ts';
import { acceptAnyBody } from './body.ts';
import { refuseEarly } from './early-refusals.ts';
import { failureOf } from './failure-of.ts';
import { createHardenedServer } from './hardened-server.ts';
import type { ListenerLimits } from './limits.ts';
import { observeAnswers, type RequestMetrics } from './observation.ts';

export interface ListenerOptions {
	readonly limits: ListenerLimits;
	readonly answers: ListenerAnswers;
	readonly logger: Logger;
	/** Without it, requests are neither counted nor logged. */
	readonly metrics?: RequestMetrics;
	/** Unix milliseconds. */
	readonly nowMs: () => number;
}

/**
 * A hardened listener without routes. An audience adds its routes as a plugin of its own, with hooks that let only its
 * own principals through.
 */
export function createListener({ limits, answers, logger, metrics, nowMs }: ListenerOptions): FastifyInstance {
	const app = Fastify({
		// Logs are written by the hook below: one line for a request, and none of Fastify's own, which hold URLs.
		logger: false,
		genReqId: () => randomUUID(),
		requestIdHeader: false,
		return503OnClosing: false,
		forceCloseConnections: 'idle',
		serverFactory: (handle) => createHardenedServer(handle, limits, answers, nowMs),
		// The server answers them.
		clientErrorHandler() {},
		// A path that cannot be decoded comes here past every hook.
		frameworkErrors(error, request, reply) {
			prepareAnswer(request, reply, answers);
			void sendAnswer(reply, answers.failure(failureOf(error), nowMs()));
		},
	});
	acceptAnyBody(app, limits.bodyBytes);
	if (metrics) observeAnswers(app, { logger, metrics });
	refuseEarly(app, limits, answers, nowMs);
	app.setErrorHandler((error, request, reply) => {
		const failure = failureOf(error);
		if (failure === 'internal_error') logger.error({ requestId: request.id, err: error }, 'a request failed');
		return sendAnswer(reply, answers.failure(failure, nowMs()));
	});
	return app;
}
