import { connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { listen } from '@bursar/testing/listen';

/** Stands between clients and a proxy, and counts what passes. */
export interface CountingRelay {
	readonly port: number;
	/** Bytes from the clients, and to them. */
	readonly bytes: { up: number; down: number };
	/** Bytes that were read from the proxy. Some of them may wait in the relay. */
	readonly bytesRead: number;
	/** Ends all connections with a reset. */
	reset(): void;
}

/** `host` is the address of the proxy. */
export async function startCountingRelay(test: TestContext, port: number, host = '127.0.0.1'): Promise<CountingRelay> {
	const bytes = { up: 0, down: 0 };
	const sockets = new Set<Socket>();
	const toProxy: Socket[] = [];
	const server = createServer({ allowHalfOpen: true }, (client) => {
		const proxy = connect({ port, host, allowHalfOpen: true });
		toProxy.push(proxy);
		for (const socket of [client, proxy]) {
			sockets.add(socket);
			socket.on('error', () => {});
			socket.on('close', () => sockets.delete(socket));
		}
		client.on('data', (chunk) => {
			bytes.up += chunk.length;
		});
		proxy.on('data', (chunk) => {
			bytes.down += chunk.length;
		});
		client.pipe(proxy).pipe(client);
		proxy.on('close', () => client.destroySoon());
		client.on('close', () => proxy.destroySoon());
	});
	const { port: own } = await listen(test, server);
	return {
		port: own,
		bytes,
		get bytesRead() {
			return toProxy.reduce((sum, socket) => sum + socket.bytesRead, 0);
		},
		reset() {
			for (const socket of sockets) socket.resetAndDestroy();
		},
	};
}
