import {
	type ClientRequest,
	type IncomingHttpHeaders,
	type IncomingMessage,
	type ServerResponse,
	STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import { removeOwnHeaders } from './own-headers.ts';
import { answerUnreachable, type Unreachable, unreachable } from './unreachable.ts';

/** An origin can send empty lines or interim answers without end. They would cost the client nothing. */
const MAX_BEFORE_ANSWER_BYTES = 65_536;
const NOT_IN_A_REASON = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Guards a request to an origin against answers that proxy-chain does not expect. Without this, the client would wait in
 * vain, or an error would end the process. If no answer comes, this answers the client, and tells why.
 */
export function guardAnswer(
	request: ClientRequest,
	response: ServerResponse,
	tell: (problem: Unreachable) => void,
): void {
	request.prependListener('error', (error) => {
		if (response.headersSent || response.destroyed) return;
		const problem = unreachable(error);
		tell(problem);
		answerUnreachable(response, problem);
	});
	request.once('socket', (socket) => {
		const beforeBytes = socket.bytesRead;
		const look = () => {
			if (socket.bytesRead - beforeBytes > MAX_BEFORE_ANSWER_BYTES) request.destroy(new Error('no answer begins'));
		};
		const end = () => socket.off('data', look);
		socket.on('data', look);
		request.once('response', end).once('close', end);
	});
	request.once('upgrade', (_answer: IncomingMessage, socket: Socket) => {
		socket.destroy();
		// The request has given its socket away, so `destroy` would tell nobody.
		request.emit('error', new Error('the origin changes the protocol'));
	});
	request.prependOnceListener('response', correct);
}

/** Makes an answer one that Node can send, and whose end the client sees where we see it. */
function correct(answer: IncomingMessage): void {
	removeOwnHeaders(answer);
	const { statusCode = 0, statusMessage = '', headers, rawHeaders } = answer;
	// Chunks end the body, whatever length is given (RFC 9112, section 6.3). With that length, the client would take what
	// follows for its next answer.
	if (isChunked(headers)) answer.rawHeaders = without('content-length', rawHeaders);
	// Its protocol did not change: else it would be an `upgrade`.
	if (statusCode === 101 || statusCode < 100) answer.statusCode = 502;
	if (statusCode === 101 || NOT_IN_A_REASON.test(statusMessage)) {
		answer.statusMessage = STATUS_CODES[answer.statusCode ?? 0] ?? '';
	}
}

/** Node's parser of answers also takes a name with a space behind it. */
function isChunked(headers: IncomingHttpHeaders): boolean {
	return Object.keys(headers).some((name) => name.trim() === 'transfer-encoding');
}

/** `rawHeaders` is one list of the names and values of all lines. */
function without(name: string, rawHeaders: readonly string[]): string[] {
	return rawHeaders.filter((_, index) => rawHeaders[index - (index % 2)]?.trim().toLowerCase() !== name);
}
