import Fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { newRequestId } from '../../credentials.ts';
import { CallerBusyError } from '../../store/reading.ts';
import { type ListenerAnswers, prepareAnswer, sendAnswer } from './answers.ts';
import { acceptAnyBody } from './bodies/body.ts';
import { createHardenedServer } from './connections/hardened-server.ts';
import { tellRefusedConnections } from './connections/open-files.ts';
import { refuseEarly } from './early-refusals.ts';
import { failureOf } from './failure-of.ts';
import type { ListenerLimits } from './limits.ts';
import { type Observation, observeAnswers } from './observation.ts';

export interface ListenerOptions {
	readonly limits: ListenerLimits;
	readonly answers: ListenerAnswers;
	readonly logger: Logger;
	/** Without it, requests are neither counted nor logged. */
	readonly observation?: Observation;
	/** Unix milliseconds. */
	readonly nowMs: () => number;
}

/** No route has a schema. Without these, Fastify would load two compilers of schemas at each start. */
const NO_SCHEMAS = {
	buildValidator: () => refuseSchema,
	buildSerializer: () => refuseSchema,
};

function refuseSchema(): never {
	throw new Error('a route must not have a schema');
}

/** A hardened listener without routes. Each audience adds its routes as a plugin, with hooks that authenticate. */
export function createListener({ limits, answers, logger, observation, nowMs }: ListenerOptions): FastifyInstance {
	const app = Fastify({
		// `observeAnswers` writes the log, one line for each request. Fastify's own lines would contain URLs.
		logger: false,
		genReqId: newRequestId,
		requestIdHeader: false,
		return503OnClosing: false,
		// Fastify reads no body, but if it did, it would keep 1 MiB.
		bodyLimit: limits.bodyBytes,
		schemaController: { compilersFactory: NO_SCHEMAS },
		forceCloseConnections: 'idle',
		serverFactory: (handle) => createHardenedServer(handle, limits, answers, nowMs),
		// The hardened server answers client errors.
		clientErrorHandler() {},
		// A path that cannot be decoded comes here. No hook runs for it.
		frameworkErrors(error, request, reply) {
			prepareAnswer(request, reply, answers);
			void sendAnswer(reply, answers.failure(failureOf(error), nowMs()));
		},
	});
	tellRefusedConnections(app.server, logger);
	acceptAnyBody(app, limits.bodyBytes);
	if (observation) observeAnswers(app, { ...observation, logger });
	refuseEarly(app, limits, answers, nowMs);
	app.setErrorHandler((error, request, reply) => {
		const failure = failureOf(error);
		if (error instanceof CallerBusyError) request.unavailableBecause = 'asker';
		if (failure === 'internal_error') logger.error({ requestId: request.id, err: error }, 'a request failed');
		return sendAnswer(reply, answers.failure(failure, nowMs()));
	});
	return app;
}
