import type { IncomingMessage, ServerResponse } from 'node:http';
import { waitsToSend } from './interim.ts';

/** @bound Bytes of a request that are read after its answer: then the connection is closed. */
export const MAX_REST_BYTES = 67_108_864;
/** @bound The rest of a request is read after its answer: then the connection is closed. */
const MAX_REST_MS = 30_000;

/**
 * Ends an answer. Many clients read it only after they have sent their whole request. So the rest of the request is read,
 * up to a bound. Then the client can send its next request.
 */
export function endAnswer(request: IncomingMessage, response: ServerResponse): void {
	if (!request.complete) boundRest(request);
	if (request.complete || response.shouldKeepAlive || waitsToSend(request)) return void response.end();
	// Node closes the connection after its last answer. If something was not read, it sends a reset, which can destroy the
	// answer.
	response.flushHeaders();
	request.once('end', () => response.end());
}

function boundRest(request: IncomingMessage): void {
	const { socket } = request;
	const lastBytes = socket.bytesRead + MAX_REST_BYTES;
	const end = () => void socket.destroy();
	const late = setTimeout(end, MAX_REST_MS);
	request.on('data', () => {
		if (socket.bytesRead > lastBytes) end();
	});
	for (const event of ['end', 'close']) request.once(event, () => clearTimeout(late));
}
