import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorCode, errors, failureEnvelope } from '@bursar/contract';
import { JSON_TYPE } from './answer.ts';

/** What Node answers by itself, before there is a request that Fastify could see: here too, in the envelope. */
export function answerBareSocketErrors(server: Server, nowMs: () => number): void {
	server.removeAllListeners('clientError');
	server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
		if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
		endWithFailure(socket, codeOf(error), nowMs());
	});
	server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
		const { head, body } = failure('expectation_failed', nowMs());
		response.writeHead(errors.expectation_failed.status, head);
		response.end(body);
	});
	// An answer to CONNECT has no body (RFC 9110, section 9.3.6), and this is no proxy.
	server.on('connect', (_request: IncomingMessage, socket: Duplex) =>
		endWithFailure(socket, 'method_not_allowed', nowMs(), false),
	);
}

function codeOf(error: NodeJS.ErrnoException): ErrorCode {
	if (error.code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
	if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
	return 'bad_request';
}

/** Writes the answer and closes: after a parse error nobody knows where the next request would begin. */
function endWithFailure(socket: Duplex, code: ErrorCode, nowMs: number, withBody = true): void {
	const { head, body } = failure(code, nowMs);
	const { status } = errors[code];
	const headers = { ...head, connection: 'close', 'content-length': withBody ? Buffer.byteLength(body) : 0 };
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
	socket.on('error', () => socket.destroy());
	socket.end(
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
			'x-error-code': code,
			...(code === 'method_not_allowed' && { allow: 'GET, HEAD, POST' }),
		},
		body: JSON.stringify(failureEnvelope(code, nowMs)),
	};
}
