import type { Server } from 'node:http';
import { Socket } from 'node:net';
import { currentResponse } from './one-at-a-time.ts';

/** @bound A client sends nothing after a broken request: then its connection is closed. */
const QUIET_MS = 1_000;
/** @bound A client sends on after its last answer: then its connection is closed. */
const MOST_MS = 30_000;

/**
 * Node closes a connection right after its last answer. If the client is still sending, the system then answers with a
 * reset, and the client may lose its answer. So we end our side of the connection, and read and drop input until the
 * whole request has arrived or has timed out.
 */
export function closeGently(server: Server): void {
	server.on('connection', (socket) => {
		socket.destroySoon = destroyOnceRead;
	});
}

/** Lets Node close at once again: the rest of the request must not arrive any more. */
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
 * The same if the length of the rest is unknown: writes the last words, and reads on until the client is quiet for a
 * moment or its time is over.
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
