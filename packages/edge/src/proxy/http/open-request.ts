import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import type { Way } from '../route.ts';
import { pinned } from '../target/dial.ts';
import { connectThrough } from '../upstream/connect-through.ts';
import type { Exit } from '../upstream/exit.ts';
import { requestHeaders } from './own-headers.ts';
import type { AskedFor } from './read-request.ts';

/**
 * Keep connections of one client to origins or to an exit: those of other clients never mix with them. They are used again
 * only for a few seconds, because origins close them soon.
 */
export interface ClientAgents {
	readonly http: Agent;
	readonly https: HttpsAgent;
}

const AGENT_OPTIONS = { keepAlive: true, timeout: 4_000 };
const WITH_BODY: ReadonlySet<string | undefined> = new Set(['POST', 'PUT', 'PATCH']);

export function createClientAgents(): ClientAgents {
	return { http: new Agent(AGENT_OPTIONS), https: new HttpsAgent(AGENT_OPTIONS) };
}

export function hasBody({ headers }: IncomingMessage): boolean {
	return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** Begins to send a request to its origin, or to an exit. `connecting` gets the connection of a new tunnel. */
export function openRequest(
	request: IncomingMessage,
	{ path, to: { text: authority } }: AskedFor,
	way: Way,
	agents: ClientAgents,
	connecting: (target: Socket) => void,
): ClientRequest {
	const { method } = request;
	const headers = requestHeaders(request, authority);
	if (!hasBody(request) && WITH_BODY.has(method)) headers.push('Content-Length', '0');
	// Origins that break the rules a little are read all the same.
	const common = { method, headers, setHost: false, insecureHTTPParser: true };
	if (way.kind === 'direct') {
		const { host, port, addresses } = way.to;
		return requestHttp({ ...common, host, port, path, lookup: pinned(addresses), agent: agents.http });
	}
	const { exit, to } = way;
	const { protocol, host, port, credentials } = exit;
	if (protocol === 'socks5') {
		return requestHttp({
			...common,
			path,
			createConnection(_options, callback) {
				connectThrough(exit, to, connecting).then(
					(socket) => callback(null, socket),
					(error) => callback(error, undefined as never),
				);
				return undefined;
			},
		});
	}
	if (credentials) headers.push('Proxy-Authorization', basic(credentials));
	const absolute = { ...common, host, port, path: `http://${authority}${path}` };
	if (protocol === 'https') return requestHttps({ ...absolute, agent: agents.https });
	return requestHttp({ ...absolute, agent: agents.http });
}

function basic({ username, password }: NonNullable<Exit['credentials']>): string {
	return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
