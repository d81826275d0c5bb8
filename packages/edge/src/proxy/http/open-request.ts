import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { pinned } from '@bursar/terminal/network';
import { type DialEvents, dialFrom } from '../from/dial-from.ts';
import type { Way } from '../route.ts';
import { connectThrough } from '../upstream/connect-through.ts';
import type { Exit } from '../upstream/exit.ts';
import type { Tries } from '../upstream/tries.ts';
import { requestHeaders } from './own-headers.ts';
import type { AskedFor } from './read-request.ts';

/** Where a request is sent: directly to its origin, or to the exit that is tried now. */
export type Hop = Extract<Way, { kind: 'direct' }> | Tries;

/**
 * Keeps open the last connection of one client to an origin or an exit. Clients never share these connections. A client
 * that walks over many origins has one open at a time. It is used again only for a few seconds, because origins soon close
 * it.
 */
export interface ClientAgent {
	/**
	 * Returns the agent for this hop. An exit may bind the options of a client to a connection, so another password gets
	 * another connection.
	 */
	for(hop: Hop, password: string | undefined): Agent;
}

/** @bound The connection to the last origin of each connection of a client is kept: then it is closed. */
const KEPT_MS = 4_000;
const AGENT_OPTIONS = { keepAlive: true, timeout: KEPT_MS };
/**
 * Some sites send 20 to 30 KiB.
 * @bound The head of an answer of an origin: with a longer one, the client gets a 502.
 */
const MAX_ANSWER_HEAD_BYTES = 65_536;
const WITH_BODY: ReadonlySet<string | undefined> = new Set(['POST', 'PUT', 'PATCH']);

export function createClientAgent(): ClientAgent {
	let last: { readonly to: Exit | string; readonly password: string | undefined; readonly agent: Agent } | undefined;
	return {
		for(hop, password) {
			const to = hop.kind === 'exit' ? hop.exit : `${hop.to.host} ${hop.to.port} ${hop.from?.drawnBy ?? ''}`;
			if (last?.to === to && last.password === password) return last.agent;
			last?.agent.destroy();
			const isHttps = hop.kind === 'exit' && hop.exit.protocol === 'https';
			const agent = isHttps ? new HttpsAgent(AGENT_OPTIONS) : new Agent(AGENT_OPTIONS);
			last = { to, password, agent };
			return agent;
		},
	};
}

export function hasBody({ headers }: IncomingMessage): boolean {
	return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** Begins to send a request to its origin, or to an exit. `events` are of the connections that this opens by itself. */
export function openRequest(
	request: IncomingMessage,
	{ path, to: { text: authority } }: AskedFor,
	hop: Hop,
	agent: Agent,
	events: DialEvents,
): ClientRequest {
	const { method } = request;
	const headers = requestHeaders(request, authority);
	if (!hasBody(request) && WITH_BODY.has(method)) headers.push('Content-Length', '0');
	// Accepts answers of origins that break the rules a little.
	const common = { method, headers, setHost: false, insecureHTTPParser: true, maxHeaderSize: MAX_ANSWER_HEAD_BYTES };
	if (hop.kind === 'direct') {
		const { to, from } = hop;
		const { host, port, addresses } = to;
		if (from) {
			// The agent asks for a connection at once, if it has none to the same origin.
			agent.createConnection = (_options, callback) => give(dialFrom(to, from, events), callback);
		}
		return requestHttp({ ...common, host, port, path, lookup: pinned(addresses), agent });
	}
	const { protocol, host, port, credentials } = hop.exit;
	if (protocol === 'socks5') {
		return requestHttp({
			...common,
			path,
			createConnection: (_options, callback) => give(connectThrough(hop, hop.to, events.connecting), callback),
		});
	}
	if (credentials) headers.push('Proxy-Authorization', basic(credentials));
	const absolute = { ...common, host, port, path: `http://${authority}${path}`, agent };
	return protocol === 'https' ? requestHttps(absolute) : requestHttp(absolute);
}

/** Gives a connection that is being opened, or its error, to what waits for it. */
function give(opening: Promise<Socket>, callback: ((error: Error | null, socket: Socket) => void) | undefined) {
	opening.then(
		(socket) => callback?.(null, socket),
		(error) => callback?.(error, undefined as never),
	);
	return undefined;
}

function basic({ username, password }: NonNullable<Exit['credentials']>): string {
	return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
