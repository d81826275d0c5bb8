import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Answer, ListenerAnswers, ListenerFailure } from './answers.ts';
import { isBodyDecided } from './body.ts';
import { closeAtOnce, endGently } from './gentle-close.ts';
import { currentResponse, lastResponse } from './one-at-a-time.ts';

/**
 * What Node answers by itself, before there is a request that Fastify could see. A connection on which nothing moves for
 * `stalledMs` is closed.
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
	closeTakenOver(server, takenOver);
	server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
		const socket = stream as Socket;
		if (error.code === 'ECONNRESET') return void socket.destroy();
		// What comes in behind the first error is an error again, and has its answer.
		if (broken.has(socket)) return;
		broken.add(socket);
		failInTurn(socket, failureOf(error), answerTo);
	});
	// Refused where everything else is: an expectation does not make a `create` free of charge.
	server.on('checkExpectation', (request, response) => server.emit('request', request, response));
	// An answer to CONNECT has no body (RFC 9110, section 9.3.6), and this is no proxy.
	server.on('connect', (request: IncomingMessage, stream: Duplex) => {
		const { socket } = request;
		// A stream of its own if the request has a body: it fails with the socket.
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

/** Does for answers that are still being sent what Node stops doing for a connection that asked for CONNECT. */
function takeOver(socket: Socket, stalledMs: number): void {
	socket.on('drain', () => currentResponse(socket)?.emit('drain'));
	socket.setTimeout(stalledMs, () => socket.destroy());
	socket.resume();
}

/** Node does not know these connections any more, and would wait for them in vain when the server closes. */
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

function failureOf(error: NodeJS.ErrnoException): ListenerFailure {
	if (error.code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
	if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
	return 'bad_request';
}

function rawAnswer(answers: ListenerAnswers, failure: ListenerFailure, nowMs: number): Answer {
	const { status, headers, body } = answers.failure(failure, nowMs);
	const common = { 'x-request-id': randomUUID(), 'cache-control': 'no-store', connection: 'close' };
	return { status, headers: { ...common, ...answers.headers, ...headers }, body };
}

/**
 * Answers where the client waits for it. A failure that overtook the answer before it would be taken
 * for that answer: the client would believe that a transfer which succeeded had been refused.
 */
function failInTurn(socket: Socket, failure: ListenerFailure, answerTo: (failure: ListenerFailure) => Answer): void {
	const last = lastResponse(socket);
	if (!last || last.req.complete) {
		whenAnswered(last, () => end(socket, answerTo(failure)));
	} else if (last.headersSent || isBodyDecided(last.req)) {
		// What is wrong is the rest of a request that has its answer already, or is about to have it.
		// A client whose time is over has had enough of it to read that answer.
		whenAnswered(last, () => (failure === 'request_timeout' ? socket.destroy() : endGently(socket, '')));
	} else {
		const { status, headers, body } = answerTo(failure);
		// A late one could be run after all, once it has arrived. A broken one never arrives, and its client may still send.
		if (failure === 'request_timeout') closeAtOnce(socket);
		else socket.destroySoon = () => endGently(socket, '');
		last.writeHead(status, headers).end(body);
	}
}

function whenAnswered(response: ServerResponse | undefined, next: () => void): void {
	if (!response || response.writableFinished) next();
	else response.once('close', next);
}

/** Writes the answer and closes: after a parse error nobody knows where the next request would begin. */
function end(socket: Socket, { status, headers, body }: Answer): void {
	const all = { ...headers, date: new Date().toUTCString(), 'content-length': Buffer.byteLength(body) };
	const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
	endGently(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}
