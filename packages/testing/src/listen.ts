import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** A server that listens on a free port of 127.0.0.1 until the test ends. */
export interface Listening {
	readonly port: number;
	/** Ends all connections and accepts no new ones. */
	close(): void;
}

/** Makes a server of `node:net`, `node:http` or `node:https` listen. */
export async function listen(test: TestContext, server: Server): Promise<Listening> {
	const sockets = new Set<Socket>();
	server.on('connection', (socket) => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
	});
	const close = () => {
		server.close();
		for (const socket of sockets) socket.destroy();
	};
	test.after(close);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return { port: (server.address() as AddressInfo).port, close };
}
