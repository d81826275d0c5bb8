import Fastify, { type FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.ts';

export interface OpsDependencies {
	readonly metrics: Pick<Metrics, 'text' | 'contentType'>;
	/** Why the service should get no requests now; `undefined` when it is ready for them. */
	readonly unreadyBecause: () => Promise<string | undefined>;
}

/** What the operator's own machines ask: whether the process lives, whether it is ready, and its figures. Never public. */
export function buildOpsApp({ metrics, unreadyBecause }: OpsDependencies): FastifyInstance {
	const app = Fastify({ logger: false, requestTimeout: 10_000, forceCloseConnections: true });
	app.get('/livez', async () => 'alive\n');
	app.get('/readyz', async (_request, reply) => {
		const reason = await unreadyBecause();
		return reason === undefined ? 'ready\n' : reply.code(503).send(`not ready: ${reason}\n`);
	});
	app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()));
	return app;
}
