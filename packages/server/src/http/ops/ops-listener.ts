import { errors } from '@bursar/contract';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { ListenerAnswers } from '../server/answers.ts';
import { COMMON_LIMITS } from '../server/limits.ts';
import { createListener } from '../server/listener.ts';
import type { Metrics } from './metrics.ts';
import { requireKnownHost } from './require-known-host.ts';

export interface OpsDependencies {
	readonly metrics: Pick<Metrics, 'text' | 'contentType'>;
	/** Why the service should get no requests now; `undefined` if it is ready. */
	readonly unreadyBecause: () => Promise<string | undefined>;
	/** A warning for the operator, shown while the service is ready. */
	readonly warning: () => string | undefined;
	/** Host names under which this listener answers, besides `localhost` and addresses. Lowercase. */
	readonly hostNames: readonly string[];
	readonly logger: Logger;
	/** Unix milliseconds. */
	readonly nowMs: () => number;
}

export const OPS_LIMITS = {
	...COMMON_LIMITS,
	/** @bound A request for health or metrics arrives: then it is answered 408. */
	requestMs: 10_000,
	headersMs: 10_000,
	/** @bound Connections for health and metrics: further ones are refused. */
	connections: 256,
};

/** People and probes read these answers, so a failure is one line of text. */
const ANSWERS: ListenerAnswers = {
	failure(failure) {
		const { status, message } = errors[failure];
		return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${message}\n` };
	},
};

/** The operator's listener: whether the process lives, whether it is ready, and its metrics. Never make it public. */
export function createOpsListener(dependencies: OpsDependencies): FastifyInstance {
	const { metrics, unreadyBecause, warning, hostNames, logger, nowMs } = dependencies;
	const app = createListener({ limits: OPS_LIMITS, answers: ANSWERS, logger, nowMs });
	requireKnownHost(app, hostNames);
	app.get('/livez', async () => 'alive\n');
	app.get('/readyz', async (_request, reply) => {
		const reason = await unreadyBecause();
		if (reason !== undefined) return reply.code(503).send(`not ready: ${reason}\n`);
		const words = warning();
		return words === undefined ? 'ready\n' : `ready, but ${words}\n`;
	});
	app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()));
	return app;
}
