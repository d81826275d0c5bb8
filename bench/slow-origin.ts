import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

const TICK_MS = 20;

/**
 * An origin behind a proxy, which sends this many bytes a second over all its connections together. Resolves to its
 * address.
 */
export async function startSlowOrigin(bytesPerSecond: number, stops: AsyncDisposableStack): Promise<string> {
	const sockets = new Set<Socket>();
	const chunk = Buffer.alloc(bytesPerSecond / (1000 / TICK_MS), 'y');
	const server = createServer((socket) => {
		sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
		socket.resume();
	});
	const timer = setInterval(() => {
		const bytes = Math.floor(chunk.length / sockets.size);
		for (const socket of sockets) if (!socket.writableNeedDrain) socket.write(chunk.subarray(0, bytes));
	}, TICK_MS);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	stops.defer(async () => {
		clearInterval(timer);
		for (const socket of sockets) socket.destroy();
		server.close();
	});
	return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Tunnels through one proxy, and the bytes that arrived through them. */
export type Tunnels = ReturnType<typeof openTunnels>;

export function openTunnels(proxyPort: number, origin: string) {
	const open = new Set<Socket>();
	let receivedBytes = 0;
	return {
		receivedBytes: () => receivedBytes,
		openCount: () => open.size,
		/** Opens tunnels for a pair. Resolves when the proxy has answered for all of them, whatever the answers are. */
		async open(pair: string, count: number): Promise<void> {
			const authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
			const head = `CONNECT ${origin} HTTP/1.1\r\nHost: ${origin}\r\nProxy-Authorization: ${authorization}\r\n\r\n`;
			await Promise.all(Array.from({ length: count }, () => openOne(head)));
		},
		/** Waits until the proxy has cut them all. */
		async allCut(): Promise<void> {
			await Promise.all([...open].map((socket) => once(socket, 'close')));
		},
	};

	async function openOne(head: string): Promise<void> {
		const socket = connect({ port: proxyPort, host: '127.0.0.1' });
		const closed = Promise.withResolvers<void>();
		const answered = Promise.withResolvers<void>();
		socket.on('error', () => {}).on('close', () => closed.resolve());
		socket.write(head);
		socket.once('data', (answer) => {
			if (!answer.toString('latin1').startsWith('HTTP/1.1 200 ')) {
				socket.destroy();
				return;
			}
			open.add(socket.on('close', () => open.delete(socket)));
			socket.on('data', ({ length }: Buffer) => {
				receivedBytes += length;
			});
			answered.resolve();
		});
		await Promise.race([answered.promise, closed.promise]);
	}
}
