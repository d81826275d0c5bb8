import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/**
 * An origin can send empty lines, interim answers or sizes of chunks without end, which cost the client nothing. So they
 * may have this many bytes, and 16 times the bytes of the body: more than chunks of a single byte need.
 * @bound Bytes of an answer besides its body, and of an origin before its answer: then the connection is closed, or
 * the client gets a 502.
 */
const MAX_UNPAID_BYTES = 131_072;
/** @bound Times the body of an answer that these bytes may have in addition: then the connection is closed. */
const MOST_FRAMING = 16;

/** Ends an answer of which too few bytes reach the client. */
export function limitUnpaid(out: ClientRequest, socket: Socket): void {
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
