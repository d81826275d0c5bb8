import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { UsageError } from '@bursar/terminal';

export interface OpsListener {
	readonly url: string;
	close(): Promise<void>;
}

export interface OpsOptions {
	/** A loopback or private address. Never make it public. */
	readonly host: string;
	/** With port 0 the system chooses a free port. */
	readonly port: number;
	readonly registry: { metrics(): Promise<string>; readonly contentType: string };
	/** Why this program should get no work now; `undefined` if it is ready. */
	readonly unreadyBecause: () => string | undefined | Promise<string | undefined>;
}

/** @bound Connections to health and metrics: further ones are refused. */
const MAX_CONNECTIONS = 64;
/** @bound A request for health or metrics arrives: then its connection is closed. */
const TIMEOUT_MS = 5_000;

/** Serves `/livez`, `/readyz` and `/metrics` to the operator's probes. Rejects if the port cannot be listened on. */
export async function startOpsListener({ host, port, registry, unreadyBecause }: OpsOptions): Promise<OpsListener> {
	async function answer(request: IncomingMessage): Promise<readonly [number, string, string?]> {
		if (!isKnownHost(request.headers.host)) return [421, 'this host name is not served here\n'];
		if (request.method !== 'GET' && request.method !== 'HEAD') return [405, 'only GET is served here\n'];
		if (request.url === '/livez') return [200, 'alive\n'];
		if (request.url === '/metrics') return [200, await registry.metrics(), registry.contentType];
		if (request.url !== '/readyz') return [404, 'there is no such page\n'];
		const reason = await unreadyBecause();
		return reason === undefined ? [200, 'ready\n'] : [503, `not ready: ${reason}\n`];
	}

	const server = createServer({ requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS }, (request, response) => {
		answer(request).then(
			([status, body, type = 'text/plain; charset=utf-8']) => {
				response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
			},
			// A metric that cannot be read must not end a program that serves a proxy.
			() => response.destroy(),
		);
	});
	server.maxConnections = MAX_CONNECTIONS;
	server.listen(port, host);
	await once(server, 'listening');
	const { address, family, port: chosen } = server.address() as AddressInfo;
	return {
		url: `http://${family === 'IPv6' ? `[${address}]` : address}:${chosen}`,
		async close() {
			const closed = once(server, 'close');
			server.close();
			server.closeAllConnections();
			await closed;
		},
	};
}

/** Under DNS rebinding, a browser sends the name of the attacker's site. */
function isKnownHost(host: string | undefined): boolean {
	if (host === undefined) return true;
	const name = host.toLowerCase().replace(/:\d{1,5}$/, '');
	return name === 'localhost' || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

/** Reads the value of `--ops-port`. Throws `UsageError` without the value, as all parsers of this command line do. */
export function readOpsPort(text: string): number {
	const port = Number(text);
	if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new UsageError('--ops-port: a number from 0 to 65535 is needed');
	return port;
}
