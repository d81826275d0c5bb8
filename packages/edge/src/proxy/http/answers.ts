import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Refusal } from '../refusals.ts';
import type { Unreachable } from '../target/unreachable.ts';
import { endAnswer } from './end-answer.ts';

/** An answer of the proxy itself, after which the connection ends. */
export interface LastAnswer {
	readonly status: number;
	/** That of the status, if absent. */
	readonly phrase?: string;
	readonly text: string;
	readonly headers?: Readonly<Record<string, string>>;
}

const SIGN_IN = { 'Proxy-Authenticate': 'Basic realm="bursar-edge"' };

export const NO_PAIR: LastAnswer = {
	status: 407,
	text: 'A username and a password are needed.',
	headers: SIGN_IN,
};

/** The proxy itself is asked. */
export const OPTIONS_ANSWER: LastAnswer = { status: 200, text: 'This is a proxy.' };
export const NO_TRACE: LastAnswer = {
	status: 405,
	text: 'The proxy itself answers no TRACE.',
	headers: { Allow: 'OPTIONS' },
};

/** Written without `ServerResponse`: a tunnel has none, and it resets a client that still sends. */
export function writeLastAnswer(
	socket: Socket,
	{ status, phrase = STATUS_CODES[status], text, headers }: LastAnswer,
): void {
	if (!socket.writable) return;
	const lines = Object.entries({
		...headers,
		'Content-Type': 'text/plain; charset=utf-8',
		'Content-Length': Buffer.byteLength(text),
		Connection: 'close',
	}).map(([name, value]) => `${name}: ${value}\r\n`);
	socket.end(`HTTP/1.1 ${status} ${phrase}\r\n${lines.join('')}\r\n${text}`);
}

/** Its header has the reason, for programs. */
export function refusalAnswer({ reason, status, phrase, text, retryAfterSeconds }: Refusal): LastAnswer {
	const headers = {
		...(status === 407 && SIGN_IN),
		'X-Bursar-Reason': reason,
		...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
	};
	return { status, phrase, text, headers };
}

/** The connection stays open. */
export function answerUnreachable(
	request: IncomingMessage,
	response: ServerResponse,
	{ status, phrase, message }: Unreachable,
): void {
	if (response.headersSent || response.destroyed) return;
	response.writeHead(status, phrase, {
		'content-type': 'text/plain; charset=utf-8',
		'content-length': Buffer.byteLength(message),
	});
	response.write(message);
	endAnswer(request, response);
}
