import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * @bound Requests that wait for the previous answer on their connection, over all connections, up to 300 MB: beyond,
 * `MAX_WITHOUT_ROOM` holds for each connection.
 */
const MAX_WAITING_REQUESTS = 8_192;
/**
 * How many waiting requests one connection may have while too many wait over all. That begins above
 * `MAX_WAITING_REQUESTS`, and ends at half of it.
 * @bound Requests of one connection that wait while too many wait over all: the connection is cut.
 */
const MAX_WITHOUT_ROOM = 128;

const PROGRESS = Symbol('progress of a connection');

/** The requests of a connection. */
interface Progress {
	/** The answer to the request that is in progress, or was handled last. */
	current: ServerResponse;
	/** The answer to the newest request: the current one, or one that waits. */
	last: ServerResponse;
	/** How much had been read from the connection when a request last began without waiting. */
	bytesRead: number;
	readonly waiting: Exchange[];
}

interface Exchange {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
}

type Connection = Socket & { [PROGRESS]?: Progress };

/**
 * Handles the requests of a connection one after another. Each begins when the previous answer has been sent, so a
 * client that sends without reading costs the memory of one answer. Of the requests that arrive together, one begins in
 * each turn of the event loop. Otherwise, those that are answered at once would all run before any other connection is
 * read.
 *
 * While requests wait, nothing more is read from their connection, so at most the requests of one read (64 KiB) wait. If
 * too many requests wait over all connections, one is cut, and its waiting requests never start: the connection that has
 * just sent, if it has sent many, and otherwise the one with the most.
 * @bound One request of a connection is in progress: further ones wait, at most 64 KiB of them.
 */
export function oneAtATime(handle: RequestListener): RequestListener {
	const waitingConnections = new Set<Connection>();
	let waitingCount = 0;
	let isFull = false;

	function wait(socket: Connection, progress: Progress, exchange: Exchange): void {
		const { waiting } = progress;
		waiting.push(exchange);
		progress.last = exchange.response;
		waitingCount++;
		if (waiting.length === 1) {
			waitingConnections.add(socket);
			handleNextAfter(progress.current, socket, progress);
			socket.pause();
		}
		isFull = waitingCount > (isFull ? MAX_WAITING_REQUESTS / 2 : MAX_WAITING_REQUESTS);
		if (isFull && waiting.length > MAX_WITHOUT_ROOM) cut(socket, progress);
		else if (waitingCount > MAX_WAITING_REQUESTS) cutGreediest();
	}

	function handleNextAfter(response: ServerResponse, socket: Connection, progress: Progress): void {
		const handleInNextTurn = () => setImmediate(handleNext, socket, progress);
		// One that was answered before its body arrived may be over already.
		if (response.closed) handleInNextTurn();
		else response.once('close', handleInNextTurn);
	}

	function handleNext(socket: Connection, progress: Progress): void {
		const { waiting } = progress;
		// The connection is closed or closing: an answer would not arrive.
		if (!socket.writable) {
			forget(socket, progress);
			return;
		}
		const next = waiting.shift();
		if (!next) return;
		waitingCount--;
		const { request, response } = next;
		progress.current = response;
		if (waiting.length === 0) {
			waitingConnections.delete(socket);
			socket.resume();
		} else {
			handleNextAfter(response, socket, progress);
		}
		// A request that broke while it waited already has its answer.
		if (!response.writableEnded) handle(request, response);
	}

	function forget(socket: Connection, { waiting }: Progress): void {
		waitingCount -= waiting.length;
		waiting.length = 0;
		waitingConnections.delete(socket);
	}

	function cut(socket: Connection, progress: Progress): void {
		forget(socket, progress);
		socket.destroy();
	}

	function cutGreediest(): void {
		const countOf = (socket: Connection) => socket[PROGRESS]?.waiting.length ?? 0;
		const greediest = [...waitingConnections].reduce((most, socket) =>
			countOf(socket) > countOf(most) ? socket : most,
		);
		cut(greediest, greediest[PROGRESS] as Progress);
	}

	return (request, response) => {
		const socket = request.socket as Connection;
		// Our side has ended the connection and only reads: an answer would not arrive.
		if (!socket.writable) return;
		const progress = socket[PROGRESS];
		const { bytesRead } = socket;
		if (progress && (!progress.last.writableFinished || progress.bytesRead === bytesRead)) {
			return wait(socket, progress, { request, response });
		}
		if (progress) begin(progress, response, bytesRead);
		else socket[PROGRESS] = progressOf(socket, response, bytesRead);
		handle(request, response);
	};
}

function begin(progress: Progress, response: ServerResponse, bytesRead: number): void {
	progress.current = progress.last = response;
	progress.bytesRead = bytesRead;
}

function progressOf(socket: Connection, response: ServerResponse, bytesRead: number): Progress {
	const progress: Progress = { current: response, last: response, bytesRead, waiting: [] };
	// Node resumes reading after each complete request.
	socket.on('resume', () => {
		if (progress.waiting.length > 0) socket.pause();
	});
	return progress;
}

/** What Node parses the requests of a connection with. */
interface Parser {
	/** Called for each request. With 2, nothing more of what was read is parsed. */
	onIncoming?: (...request: unknown[]) => number;
}

/**
 * Makes a connection that is cut cost nothing more. Otherwise Node would parse the rest of what it has read, up to 2,000
 * requests, and those who were cut connect again. Node has no public way to stop its parser.
 */
export function dropRestOfCut(server: Server): void {
	server.on('connection', (socket: Socket & { readonly parser?: Parser | null }) => {
		const { parser } = socket;
		const onIncoming = parser?.onIncoming;
		if (parser && onIncoming) parser.onIncoming = (...request) => (socket.destroyed ? 2 : onIncoming(...request));
	});
}

/** The answer that is being sent on a connection, or was sent last. `undefined` before the first request. */
export function currentResponse(socket: Socket): ServerResponse | undefined {
	return (socket as Connection)[PROGRESS]?.current;
}

/** The answer to the newest request of a connection. `undefined` before the first request. */
export function lastResponse(socket: Socket): ServerResponse | undefined {
	return (socket as Connection)[PROGRESS]?.last;
}
