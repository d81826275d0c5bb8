import { type Agent, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { destinationName } from '../account/connection-log.ts';
import type { ClientConnection } from '../client/client-connection.ts';
import { endOnFault } from '../end-on-fault.ts';
import { openWay } from '../open-way.ts';
import { type RefusalReason, refusalOf } from '../refusals.ts';
import type { Router, Way } from '../route.ts';
import { unreachable } from '../target/unreachable.ts';
import { createTries } from '../upstream/tries.ts';
import { type LastAnswer, NO_PAIR, NO_TRACE, OPTIONS_ANSWER, refusalAnswer, writeLastAnswer } from './answers.ts';
import { forward } from './forward.ts';
import { type ClientAgent, createClientAgent, type Hop } from './open-request.ts';
import { type AskedFor, readRequest } from './read-request.ts';

/** Plain requests and CONNECT. */
export interface HttpSide {
	/**
	 * Listens for clients of every protocol, with the time limits of HTTP. It hands out sockets, and serves none by itself.
	 */
	readonly server: Server;
	/** Serves a client that speaks HTTP. */
	serve(socket: Socket): void;
	readonly stats: { readonly requests: number; readonly tunnels: number };
}

interface Found {
	readonly connection: ClientConnection;
	readonly asked: AskedFor;
	readonly way: Way;
}

export interface HttpSideOptions {
	readonly router: Router;
	/** `undefined`: the client has too many. */
	connectionOf(socket: Socket): ClientConnection | undefined;
	readonly idleMs: number;
}

/**
 * @bound The head of a request arrives: then it is answered 408. It has Node's 16 KiB at most, and a longer one is
 * answered 431.
 */
const HEADERS_TIMEOUT_MS = 10_000;
/** How often that time is checked. */
const HEADERS_CHECK_MS = 2_000;
/** @bound A connection without a request: then it is closed. */
const KEEP_ALIVE_MS = 30_000;
const ESTABLISHED = 'HTTP/1.1 200 Connection Established\r\n\r\n';

export function createHttpSide({ router, connectionOf, idleMs }: HttpSideOptions): HttpSide {
	const stats = { requests: 0, tunnels: 0 };
	const agents = new WeakMap<ClientConnection, ClientAgent>();
	/** The newest response of each connection. */
	const newest = new WeakMap<Socket, ServerResponse>();
	/** After a request that cannot be read, the rest cannot be read either. */
	const unreadable = new WeakSet<Socket>();

	function agentOf({ connection, asked }: Found, hop: Hop): Agent {
		const agent = agents.get(connection) ?? createClientAgent();
		agents.set(connection, agent);
		return agent.for(hop, asked.pair?.password);
	}

	function isAnswering(socket: Socket): boolean {
		const response = newest.get(socket);
		return response !== undefined && !response.writableFinished && !response.destroyed;
	}

	/** The connection ends. */
	function answerLast(socket: Socket, answer: LastAnswer): void {
		const connection = connectionOf(socket);
		connection?.endsBecause('refused');
		writeLastAnswer(socket, answer);
		connection?.endSoon();
	}

	/** What the request asks for, and the way to it. `undefined`: the client got an answer, or is gone. */
	async function wayOf(
		request: IncomingMessage,
		connection: ClientConnection | undefined,
		answer: (answer: LastAnswer) => void,
	): Promise<Found | undefined> {
		const refuse = (reason: RefusalReason) => void answer(refusalAnswer(refusalOf(reason)));
		if (!connection) return refuse('too_many_of_client');
		const asked = readRequest(request);
		if ('status' in asked) return void answer(asked);
		const { pair, hasCredentials, to } = asked;
		if (!pair && hasCredentials) return void answer(NO_PAIR);
		const refused = await router.signIn(connection, pair, destinationName(to.host, to.port));
		if (refused === 'no_pair') return void answer(NO_PAIR);
		if (refused) return refuse(refused);
		// No connection may be opened for a client that is gone.
		if (connection.socket.destroyed) return undefined;
		if (asked.endsHere) return void answer(request.method === 'OPTIONS' ? OPTIONS_ANSWER : NO_TRACE);
		const way = await router.wayTo(connection, pair?.password ?? '', to);
		if (typeof way === 'string') return refuse(way);
		return connection.socket.destroyed ? undefined : { connection, asked, way };
	}

	async function onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
		stats.requests++;
		const { socket } = request;
		const connection = connectionOf(socket);
		connection?.begin();
		response.once('close', () => connection?.done());
		const before = newest.get(socket);
		newest.set(socket, response);
		// One after another. In parallel, each request could open a connection to an origin.
		if (before && !before.closed) await new Promise((resolve) => before.once('close', resolve));
		// The connection ends after its last answer.
		if (!socket.writable) return;
		const found = await wayOf(request, connection, (answer) => {
			answerLast(socket, answer);
			// Many clients read the answer only after they have sent their whole request.
			request.resume();
		});
		if (!found) return;
		const { connection: accepted, asked, way } = found;
		forward({
			request,
			response,
			asked,
			hop: way.kind === 'exit' ? createTries(way) : way,
			agentFor: (hop) => agentOf(found, hop),
			events: {
				connecting: accepted.addTarget,
				sending: accepted.speed.sendTo,
				leaves: accepted.leavesFrom,
				answering() {
					// The proxy stops, so the client must use another connection.
					if (!server.listening) response.shouldKeepAlive = false;
				},
				unreachable: ({ status }) => accepted.endsBecause(status === 504 ? 'gateway_timeout' : 'bad_gateway'),
			},
		});
	}

	async function onConnect(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
		stats.tunnels++;
		// The tunnel would begin in the middle of an answer.
		if (isAnswering(socket)) return void socket.destroy();
		const connection = connectionOf(socket);
		connection?.begin();
		if (head.length > 0) socket.unshift(head);
		const found = await wayOf(request, connection, (answer) => answerLast(socket, answer));
		if (!found) return;
		openWay(found.connection, found.way, {
			opened: () => void socket.write(ESTABLISHED),
			failed(error) {
				const { status, phrase, message: text } = unreachable(error);
				answerLast(socket, { status, phrase, text });
			},
		});
	}

	function onClientError(error: NodeJS.ErrnoException, socket: Socket): void {
		if (unreadable.has(socket)) return;
		unreadable.add(socket);
		const answer = () => answerLast(socket, unreadableAnswer(error));
		const response = newest.get(socket);
		if (!response || !isAnswering(socket)) answer();
		else if (response.req.complete) response.once('close', answer);
		// The origin would wait for the rest of the body.
		else if (response.headersSent) socket.destroy();
		else answer();
	}

	const server = createServer({
		headersTimeout: HEADERS_TIMEOUT_MS,
		connectionsCheckingInterval: HEADERS_CHECK_MS,
		keepAliveTimeout: KEEP_ALIVE_MS,
		// A long upload needs its time.
		requestTimeout: 0,
		noDelay: true,
	});
	server.timeout = idleMs;
	// Without a listener, Node would also end connections that wait because of a speed limit.
	server.on('timeout', () => {});
	server.on('request', (request, response) => endOnFault(request.socket, onRequest(request, response)));
	// By default, Node answers `Expect` by itself, and asks for no pair.
	for (const event of ['checkExpectation', 'checkContinue']) {
		server.on(event, (request, response) => endOnFault(request.socket, onRequest(request, response)));
	}
	server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) =>
		endOnFault(socket, onConnect(request, socket, head)),
	);
	server.on('clientError', (error, socket) => onClientError(error, socket as Socket));
	// Node has no other hook before its HTTP server sees a connection.
	const [serveHttp] = server.listeners('connection');
	server.removeAllListeners('connection');

	return {
		server,
		serve(socket) {
			serveHttp?.call(server, socket);
			socket.resume();
		},
		stats,
	};
}

function unreadableAnswer({ code }: NodeJS.ErrnoException): LastAnswer {
	if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
		return { status: 408, text: 'The head of the request did not arrive in time.' };
	if (code === 'HPE_HEADER_OVERFLOW') return { status: 431, text: 'The head of the request is too long.' };
	return { status: 400, text: 'The request cannot be read.' };
}
