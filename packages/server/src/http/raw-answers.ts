import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ErrorCode, EXPIRY_HONOURED, errors, failureEnvelope } from '@bursar/contract';
import { JSON_TYPE } from './answer.ts';
import { isBodyDecided } from './body.ts';
import { EXPIRES_HEADER } from './expiry.ts';
import { closeAtOnce, endGently } from './gentle-close.ts';
import { currentResponse, lastResponse } from './one-at-a-time.ts';

/**
 * What Node answers by itself, before there is a request that Fastify could see: here too, in the envelope. A connection
 * on which nothing moves for `stalledMs` is closed.
 */
export function answerBareSocketErrors(server: Server, stalledMs: number, nowMs: () => number): void {
	const broken = new WeakSet<Duplex>();
	const takenOver = new Set<Socket>();
	closeTakenOver(server, takenOver);
	server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
		const socket = stream as Socket;
		if (error.code === 'ECONNRESET') return void socket.destroy();
		// What comes in behind the first error is an error again, and has its answer.
		if (broken.has(socket)) return;
		broken.add(socket);
		failInTurn(socket, codeOf(error), nowMs);
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
		whenAnswered(lastResponse(socket), () => endWithFailure(socket, 'method_not_allowed', nowMs(), false));
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

function codeOf(error: NodeJS.ErrnoException): ErrorCode {
	if (error.code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
	if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
	return 'bad_request';
}

/**
 * Answers where the client waits for it. A failure that overtook the answer before it would be taken
 * for that answer: the client would believe that a transfer which succeeded had been refused.
 */
function failInTurn(socket: Socket, code: ErrorCode, nowMs: () => number): void {
	const last = lastResponse(socket);
	if (!last || last.req.complete) {
		whenAnswered(last, () => endWithFailure(socket, code, nowMs()));
	} else if (last.headersSent || isBodyDecided(last.req)) {
		// What is wrong is the rest of a request that has its answer already, or is about to have it.
		// A client whose time is over has had enough of it to read that answer.
		whenAnswered(last, () => (code === 'request_timeout' ? socket.destroy() : endGently(socket, '')));
	} else {
		const { head, body } = failure(code, nowMs());
		// A late one could be run after all, once it has arrived. A broken one never arrives, and its client may still send.
		if (code === 'request_timeout') closeAtOnce(socket);
		else socket.destroySoon = () => endGently(socket, '');
		last.writeHead(errors[code].status, { ...head, connection: 'close' }).end(body);
	}
}

function whenAnswered(response: ServerResponse | undefined, next: () => void): void {
	if (!response || response.writableFinished) next();
	else response.once('close', next);
}

/** Writes the answer and closes: after a parse error nobody knows where the next request would begin. */
function endWithFailure(socket: Socket, code: ErrorCode, nowMs: number, withBody = true): void {
	const { head, body } = failure(code, nowMs);
	const { status } = errors[code];
	const headers = {
		...head,
		date: new Date(nowMs).toUTCString(),
		connection: 'close',
		'content-length': withBody ? Buffer.byteLength(body) : 0,
	};
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
	endGently(
		socket,
		`HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}\r\n${lines.join('\r\n')}\r\n\r\n${withBody ? body : ''}`,
	);
}

const REASONS: Readonly<Record<number, string>> = {
	400: 'Bad Request',
	405: 'Method Not Allowed',
	408: 'Request Timeout',
	431: 'Request Header Fields Too Large',
};

function failure(code: ErrorCode, nowMs: number): { head: Record<string, string>; body: string } {
	return {
		head: {
			'content-type': JSON_TYPE,
			'cache-control': 'no-store',
			'x-request-id': randomUUID(),
			[EXPIRES_HEADER]: EXPIRY_HONOURED,
			'x-error-code': code,
			...(code === 'method_not_allowed' && { allow: 'GET, HEAD, POST' }),
		},
		body: JSON.stringify(failureEnvelope(code, nowMs)),
	};
}
