import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { newRequestId } from '../../../credentials.ts';
import type { Answer, ListenerAnswers, ListenerFailure } from '../answers.ts';
import { isBodyDecided } from '../bodies/body.ts';
import { closeAtOnce, endGently } from './gentle-close.ts';
import { currentResponse, lastResponse } from './one-at-a-time.ts';

/**
 * Answers what Node would answer by itself, before there is a request that Fastify sees. A connection on which nothing
 * moves for `stalledMs` is closed.
 */
export function answerBareSocketErrors(
	server: Server,
	stalledMs: number,
	answers: ListenerAnswers,
	nowMs: () => number,
): void {
	const answerTo = (failure: ListenerFailure) => rawAnswer(answers, failure, nowMs());

	const broken = new WeakSet<Duplex>();
	const takenOver = new Set<Socket>();
	refuseOnIdleConnections(server, () => answerTo('unavailable'));
	closeTakenOver(server, takenOver);
	server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
		const socket = stream as Socket;
		if (error.code === 'ECONNRESET') return void socket.destroy();
		// Later input raises further errors. The first one has its answer already.
		if (broken.has(socket)) return;
		broken.add(socket);
		failInTurn(socket, failureOfInput(error), answerTo);
	});
	// Handled like any request: an expectation does not make a `create` free of charge.
	server.on('checkExpectation', (request, response) => server.emit('request', request, response));
	// An answer to CONNECT has no body (RFC 9110, section 9.3.6), and this is no proxy.
	server.on('connect', (request: IncomingMessage, stream: Duplex) => {
		const { socket } = request;
		// If the request has a body, this is a separate stream, which fails together with the socket.
		stream.on('error', () => {});
		takeOver(socket, stalledMs);
		takenOver.add(socket);
		socket.once('close', () => takenOver.delete(socket));
		whenAnswered(lastResponse(socket), () => {
			const { status, headers } = answerTo('method_not_allowed');
			end(socket, { status, headers: { ...headers, allow: 'GET, HEAD, POST' }, body: '' });
		});
	});
}

/**
 * Ends idle connections with a refusal, where Node would only close them: a request may be on its way, and its client
 * gets this answer. It is true, because nothing that arrives later is run. Other clients see a closed connection.
 */
function refuseOnIdleConnections(server: Server, refusal: () => Answer): void {
	const connections = new Set<Socket>();
	server.on('connection', (socket) => {
		connections.add(socket);
		socket.once('close', () => connections.delete(socket));
	});
	server.closeIdleConnections = () => {
		for (const socket of connections) if (isIdle(socket)) end(socket, refusal());
	};
}

/** Whether our side is still open, and no answer is under way. A request whose headers are arriving is not seen yet. */
function isIdle(socket: Socket): boolean {
	const last = lastResponse(socket);
	return socket.writable && (!last || (last.writableFinished && last.req.complete));
}

/** After CONNECT, Node stops serving the connection. This keeps serving the answers that are still being sent. */
function takeOver(socket: Socket, stalledMs: number): void {
	socket.on('drain', () => currentResponse(socket)?.emit('drain'));
	socket.setTimeout(stalledMs, () => socket.destroy());
	socket.resume();
}

/** Closes these connections with the server. Node does not track them any more, and would wait for them forever. */
function closeTakenOver(server: Server, takenOver: ReadonlySet<Socket>): void {
	const closeIdle = server.closeIdleConnections.bind(server);
	const closeAll = server.closeAllConnections.bind(server);
	server.closeIdleConnections = () => {
		closeIdle();
		for (const socket of takenOver) if (currentResponse(socket)?.writableEnded !== false) socket.destroy();
	};
	server.closeAllConnections = () => {
		closeAll();
		for (const socket of takenOver) socket.destroy();
	};
}

function failureOfInput(error: NodeJS.ErrnoException): ListenerFailure {
	if (error.code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
	if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
	return 'bad_request';
}

function rawAnswer(answers: ListenerAnswers, failure: ListenerFailure, nowMs: number): Answer {
	const { status, headers, body } = answers.failure(failure, nowMs);
	const common = { 'x-request-id': newRequestId(), 'cache-control': 'no-store', connection: 'close' };
	return { status, headers: { ...common, ...answers.headers, ...headers }, body };
}

/**
 * Answers after all earlier answers of the connection. Otherwise the client would take the failure for an earlier
 * answer, and believe that a transfer which succeeded was refused.
 */
function failInTurn(socket: Socket, failure: ListenerFailure, answerTo: (failure: ListenerFailure) => Answer): void {
	const last = lastResponse(socket);
	if (!last || last.req.complete) {
		whenAnswered(last, () => end(socket, answerTo(failure)));
	} else if (last.headersSent || isBodyDecided(last.req)) {
		// Only the rest of a request is broken, which is already answered or about to be. A client that has timed out
		// has had enough time to read that answer.
		whenAnswered(last, () => (failure === 'request_timeout' ? socket.destroy() : endGently(socket, '')));
	} else {
		const { status, headers, body } = answerTo(failure);
		// A late request must not arrive and run after all. A broken request cannot, but its client may still be sending.
		if (failure === 'request_timeout') closeAtOnce(socket);
		else socket.destroySoon = () => endGently(socket, '');
		last.writeHead(status, headers).end(body);
	}
}

function whenAnswered(response: ServerResponse | undefined, next: () => void): void {
	if (!response || response.writableFinished) next();
	else response.once('close', next);
}

/** Writes the answer and closes: after a parse error, the start of the next request is unknown. */
function end(socket: Socket, { status, headers, body }: Answer): void {
	const all = { ...headers, date: new Date().toUTCString(), 'content-length': Buffer.byteLength(body) };
	const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
	endGently(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}
