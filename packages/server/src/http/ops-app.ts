import { isIP } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { createHardenedServer, type ListenerLimits } from './hardened-server.ts';
import type { Metrics } from './metrics.ts';

export interface OpsDependencies {
	readonly metrics: Pick<Metrics, 'text' | 'contentType'>;
	/** Why the service should get no requests now; `undefined` when it is ready for them. */
	readonly unreadyBecause: () => Promise<string | undefined>;
	/** What the operator has to know of a service that is ready. */
	readonly warning: () => string | undefined;
	/** Names, beside `localhost` and addresses, under which the operator's machines reach this side. Lowercase. */
	readonly hostNames: readonly string[];
	/** Unix milliseconds. */
	readonly nowMs: () => number;
}

const LIMITS: ListenerLimits = {
	requestMs: 10_000,
	headersMs: 10_000,
	checkMs: 5_000,
	keepAliveMs: 72_000,
	stalledMs: 120_000,
	headerBytes: 16 * 1024,
	connections: 256,
};

/** What the operator's own machines ask: whether the process lives, whether it is ready, and its figures. Never public. */
export function buildOpsApp({ metrics, unreadyBecause, warning, hostNames, nowMs }: OpsDependencies): FastifyInstance {
	const app = Fastify({
		logger: false,
		forceCloseConnections: true,
		serverFactory: (handle) => createHardenedServer(handle, LIMITS, nowMs),
		// The server answers them.
		clientErrorHandler() {},
	});
	// A browser that was led to a name which now resolves to this machine (DNS rebinding) still sends that name.
	app.addHook('onRequest', (request, reply, done) => {
		if (isOurHost(request.headers.host, hostNames)) return done();
		void reply.code(421).send('this host name is not served here: see BURSAR_OPS_HOST_NAMES\n');
	});
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

/** Whether the `Host` is an address, `localhost` or one of the names, with any port. HTTP/1.0 needs none. */
function isOurHost(host: string | undefined, names: readonly string[]): boolean {
	if (host === undefined) return true;
	const name = host.toLowerCase().replace(/:\d{1,5}$/, '');
	return name === 'localhost' || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || names.includes(name);
}
