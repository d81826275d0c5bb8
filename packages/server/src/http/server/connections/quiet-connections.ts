import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ListenerLimits } from '../limits.ts';
import { currentResponse } from './one-at-a-time.ts';

/** How often all connections are looked at, in milliseconds. A quiet one is closed that much late at most. */
const LOOK_MS = 4_000;

interface Quiet {
	/** All bytes that have moved so far, in both directions. */
	bytes: number;
	/** When they last moved, as far as has been seen, in monotonic milliseconds. */
	sinceMs: number;
}

/**
 * Closes connections on which nothing moves: between requests after `keepAliveMs`, otherwise after `stalledMs`. Node's
 * timeouts do the same, but move two timers for each request: 6 to 8 % of a bare one
 * (docs/decisions/0042-processor-time.md).
 */
export function closeQuietConnections(server: Server, limits: Pick<ListenerLimits, 'keepAliveMs' | 'stalledMs'>): void {
	server.timeout = 0;
	server.keepAliveTimeout = 0;
	const look = watchConnections(server, limits);
	let timer: NodeJS.Timeout | undefined;
	server.on('listening', () => {
		timer = setInterval(() => look(performance.now()), LOOK_MS).unref();
	});
	server.on('close', () => clearInterval(timer));
}

/** Returns the function that looks at all connections and closes the quiet ones. It takes monotonic milliseconds. */
export function watchConnections(
	server: Server,
	{ keepAliveMs, stalledMs }: Pick<ListenerLimits, 'keepAliveMs' | 'stalledMs'>,
): (nowMs: number) => void {
	const connections = new Map<Socket, Quiet>();
	server.on('connection', (socket) => {
		connections.set(socket, { bytes: 0, sinceMs: performance.now() });
		socket.once('close', () => connections.delete(socket));
	});

	function closeIfQuiet(socket: Socket, quiet: Quiet, nowMs: number): void {
		const bytes = socket.bytesRead + socket.bytesWritten;
		const limitMs = currentResponse(socket)?.writableFinished ? keepAliveMs : stalledMs;
		if (bytes !== quiet.bytes) Object.assign(quiet, { bytes, sinceMs: nowMs });
		else if (nowMs - quiet.sinceMs >= limitMs) socket.destroy();
	}

	return (nowMs) => {
		for (const [socket, quiet] of connections) {
			// `bytesWritten` includes what still waits here. Only Node's own timer sees whether a long write goes on.
			const isWriting = socket.writableLength > 0;
			if (isWriting && !socket.timeout) socket.setTimeout(stalledMs);
			else if (!isWriting && socket.timeout === stalledMs) socket.setTimeout(0);
			if (isWriting) quiet.sinceMs = nowMs;
			else closeIfQuiet(socket, quiet, nowMs);
		}
	};
}
