import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Answers under an address, `localhost` and the names only, with any port. A browser that was led to a name which now
 * resolves to this machine (DNS rebinding) still sends that name.
 */
export function requireKnownHost(app: FastifyInstance, names: readonly string[]): void {
	app.addHook('onRequest', (request, reply, done) => {
		if (isKnownHost(request.headers.host, names)) return done();
		void reply.code(421).send('this host name is not served here: see BURSAR_OPS_HOST_NAMES\n');
	});
}

/** HTTP/1.0 needs no `Host`. */
function isKnownHost(host: string | undefined, names: readonly string[]): boolean {
	if (host === undefined) return true;
	const name = host.toLowerCase().replace(/:\d{1,5}$/, '');
	return name === 'localhost' || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || names.includes(name);
}
