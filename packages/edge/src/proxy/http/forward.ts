import {
	Agent,
	type ClientRequest,
	type IncomingMessage,
	request as requestHttp,
	type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import type { Way } from '../route.ts';
import { pinned } from '../target/dial.ts';
import { type Unreachable, unreachable } from '../target/unreachable.ts';
import { connectThrough } from '../upstream/connect-through.ts';
import type { Exit } from '../upstream/exit.ts';
import { answerUnreachable } from './answers.ts';
import { answerHead, requestHeaders } from './own-headers.ts';
import type { AskedFor } from './read-request.ts';

export interface ForwardEvents {
	/** A connection to the origin, or to an exit, is used for this request. */
	connecting(target: Socket): void;
	/** An answer begins. */
	answering(): void;
	/** No answer comes. The client was told. */
	unreachable(problem: Unreachable): void;
}

/**
 * Keep connections of one client to origins or to an exit: those of other clients never mix with them. They are used again
 * only for a few seconds, because origins close them soon.
 */
export interface ClientAgents {
	readonly http: Agent;
	readonly https: HttpsAgent;
}

const AGENT_OPTIONS = { keepAlive: true, timeout: 4_000 };
/**
 * An origin can send empty lines, interim answers or sizes of chunks without end. They would cost the client nothing. Beside
 * this much, the framing may have 16 times the bytes of the body: more than chunks of a single byte need.
 */
const MAX_UNPAID_BYTES = 65_536;
const MOST_FRAMING = 16;
const REPEATABLE: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
const WITH_BODY: ReadonlySet<string | undefined> = new Set(['POST', 'PUT', 'PATCH']);

export function createClientAgents(): ClientAgents {
	return { http: new Agent(AGENT_OPTIONS), https: new HttpsAgent(AGENT_OPTIONS) };
}

/** Sends a plain request on, and its answer back. */
export function forward(
	request: IncomingMessage,
	response: ServerResponse,
	asked: AskedFor,
	way: Way,
	agents: ClientAgents,
	events: ForwardEvents,
): void {
	const { method } = request;
	const out = openRequest(request, asked, way, agents, events);
	// Over SOCKS, the tunnel to the origin has told how it went.
	const exit = way.kind === 'exit' && way.exit.protocol !== 'socks5' ? way.exit : undefined;
	let isConnected = false;
	let isAnswered = false;
	out.on('socket', (socket) => {
		events.connecting(socket);
		isConnected = !socket.connecting;
		if (!isConnected) {
			socket.once(exit?.protocol === 'https' ? 'secureConnect' : 'connect', () => {
				isConnected = true;
			});
		}
		limitUnpaid(out, socket);
		// One through SOCKS is paused.
		socket.resume();
	});
	out.on('response', (answer) => {
		isAnswered = true;
		if (exit && answer.statusCode === 407) {
			out.destroy(new Error('the upstream refuses the credentials of this proxy'));
			return void exit.refused();
		}
		exit?.answered();
		try {
			events.answering();
			passBack(answer, response);
		} catch (cause) {
			// Node reads some headers that it does not write.
			answer.destroy();
			fail(cause as Error);
		}
	});
	// A request that has given its socket away tells nobody of its end.
	out.on('upgrade', (_answer, socket) => {
		socket.destroy();
		isAnswered = true;
		exit?.answered();
		fail(new Error('the origin changes the protocol'));
	});
	out.on('error', fail);

	function fail(error: NodeJS.ErrnoException): void {
		// An answer that has begun tells by itself that it breaks off.
		if (response.headersSent || response.destroyed) return;
		// The origin may close an idle connection at the moment in which it is used again.
		if (out.reusedSocket && error.code === 'ECONNRESET' && !hasBody(request) && REPEATABLE.has(method)) {
			forward(request, response, asked, way, agents, events);
			return;
		}
		if (!isConnected) exit?.failed();
		else if (!isAnswered && !out.reusedSocket) exit?.refused();
		const problem = unreachable(error);
		events.unreachable(problem);
		events.answering();
		answerUnreachable(response, problem);
	}

	response.once('close', () => {
		if (!response.writableFinished) out.destroy();
	});
	if (hasBody(request)) request.pipe(out);
	else out.end();
}

function hasBody({ headers }: IncomingMessage): boolean {
	return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function openRequest(
	request: IncomingMessage,
	{ path, to: { text: authority } }: AskedFor,
	way: Way,
	agents: ClientAgents,
	{ connecting }: ForwardEvents,
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

/** Ends an answer of which too little reaches the client. */
function limitUnpaid(out: ClientRequest, socket: Socket): void {
	const beforeBytes = socket.bytesRead;
	let answer: IncomingMessage | undefined;
	let bodyBytes = 0;
	const look = () => {
		const bytes = bodyBytes + (answer?.readableLength ?? 0);
		const unpaidBytes = socket.bytesRead - beforeBytes - bytes;
		if (unpaidBytes <= MAX_UNPAID_BYTES + MOST_FRAMING * bytes) return;
		out.destroy(new Error('hardly anything of the answer is for the client'));
	};
	socket.on('data', look);
	out.once('close', () => socket.off('data', look));
	out.once('response', (response: IncomingMessage) => {
		answer = response;
		response.on('data', (piece: Buffer) => {
			bodyBytes += piece.length;
		});
	});
}

function passBack(answer: IncomingMessage, response: ServerResponse): void {
	const { status, reason, headers } = answerHead(answer);
	response.sendDate = false;
	response.writeHead(status, reason, headers);
	// The client must not take a part for the whole.
	answer.on('error', () => response.destroy());
	answer.pipe(response);
}
