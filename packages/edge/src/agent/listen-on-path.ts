import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect, type Server } from 'node:net';

/**
 * Listens on a Unix socket. Replaces a socket file that an earlier process left. Rejects if another process listens on it.
 */
export async function listenOnPath(server: Server, path: string): Promise<void> {
	if (await isListenedOn(path)) throw new Error(`another process listens on ${path}`);
	await rm(path, { force: true });
	// Workers of the proxy must not share the socket.
	server.listen({ path, exclusive: true });
	await once(server, 'listening');
}

function isListenedOn(path: string): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect(path);
		socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
		socket.on('connect', () => socket.destroy());
	});
}
