import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Answers only if `Host` is an address, `localhost` or one of the names, with any port. Under DNS rebinding, a browser
 * sends the name of the attacker's site, and is refused.
 */
export function requireKnownHost(app: FastifyInstance, names: readonly string[]): void {
	app.addHook('onRequest', (request, reply, done) => {
		if (isKnownHost(request.headers.host, names)) return done();
		void reply.code(421).send('this host name is not served here: see BURSAR_OPS_HOST_NAMES\n');
	});
}

/** A request in HTTP/1.0 may have no `Host`. */
function isKnownHost(host: string | undefined, names: readonly string[]): boolean {
	if (host === undefined) return true;
	const name = host.toLowerCase().replace(/:\d{1,5}$/, '');
	return name === 'localhost' || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || names.includes(name);
}
