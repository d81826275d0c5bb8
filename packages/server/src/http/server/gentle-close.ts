import type { Server } from 'node:http';
import { Socket } from 'node:net';
import { currentResponse } from './one-at-a-time.ts';

/** A client that has sent nothing for so long, in milliseconds, is done with sending. */
const QUIET_MS = 1_000;
/** How long a client may go on sending behind its last answer, in milliseconds. */
const MOST_MS = 30_000;

/**
 * Node closes at once behind the last answer on a connection. If the client still sends, the system throws away what has
 * arrived and answers with a reset, and that can cost the client its answer. So the connection is ended, and what comes
 * in is read and thrown away until the request has arrived whole, or its time is over.
 */
export function closeGently(server: Server): void {
	server.on('connection', (socket) => {
		socket.destroySoon = destroyOnceRead;
	});
}

/** Lets Node close at once again: what is still missing of the request may not arrive any more. */
export function closeAtOnce(socket: Socket): void {
	socket.destroySoon = Socket.prototype.destroySoon;
}

function destroyOnceRead(this: Socket): void {
	const request = currentResponse(this)?.req;
	const destroy = () => Socket.prototype.destroySoon.call(this);
	if (!request || request.complete) {
		destroy();
	} else {
		this.end();
		request.once('end', destroy);
	}
}

/**
 * The same where nobody can tell how much is still to come: writes the last words, and reads on until the client is quiet
 * for a moment, or its time is over.
 */
export function endGently(socket: Socket, lastWords: string): void {
	if (socket.destroyed) return;
	socket.resume();
	if (socket.writable) socket.end(lastWords);
	const giveUpAtMs = performance.now() + MOST_MS;
	let bytesRead = socket.bytesRead;
	const timer = setInterval(() => {
		const isQuiet = socket.bytesRead === bytesRead;
		bytesRead = socket.bytesRead;
		if (isQuiet || performance.now() > giveUpAtMs) socket.destroy();
	}, QUIET_MS);
	timer.unref();
	socket.once('close', () => clearInterval(timer));
}
