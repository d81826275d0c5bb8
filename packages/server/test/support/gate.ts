import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** A way to a server that can be cut. It ends with the test. */
export interface Gate {
	/** The URL of the server, by this way. */
	readonly url: string;
	/** Ends all connections, and takes no new ones. */
	cut(): void;
}

export async function openGate(test: TestContext, serverUrl: string): Promise<Gate> {
	const sockets = new Set<Socket>();
	const target = Number(new URL(serverUrl).port);
	const gate = createServer((client) => {
		const server = connect(target, '127.0.0.1');
		for (const [socket, other] of [
			[client, server],
			[server, client],
		] as const) {
			sockets.add(socket);
			socket.on('error', () => {});
			socket.on('close', () => {
				sockets.delete(socket);
				other.destroy();
			});
			socket.pipe(other);
		}
	});
	gate.listen(0, '127.0.0.1');
	await once(gate, 'listening');
	const cut = () => {
		gate.close();
		for (const socket of sockets) socket.destroy();
	};
	test.after(cut);
	const url = new URL(serverUrl);
	url.port = String((gate.address() as AddressInfo).port);
	return { url: url.href, cut };
}
