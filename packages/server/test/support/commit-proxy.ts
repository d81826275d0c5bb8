import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** What becomes of a COMMIT that a client sends. */
export type CommitFate =
	| 'passed'
	/** It reaches the server; the connection ends before its answer comes back. */
	| 'answer_lost'
	/** The connection ends, and it never reaches the server. */
	| 'never_arrives'
	/** The client's connection ends at once; it reaches the server a while later. */
	| 'arrives_late'
	/** It reaches the server; neither its answer nor the end of the connection ever comes back. */
	| 'silence';

/** A proxy in front of a PostgreSQL server that decides what becomes of each COMMIT. */
export interface CommitProxy {
	/** The URL of a server, with the proxy in its place. */
	urlOf(url: string): string;
	/** How often each fate has struck. */
	readonly struck: ReadonlyMap<CommitFate, number>;
}

/** A simple query, as the protocol has it: its letter, its length, its text. */
const COMMIT = Buffer.from('Q\0\0\0\x0bCOMMIT\0', 'latin1');
const LATE_MS = 300;

/** Ends with the test. `fate` is asked for each COMMIT. */
export async function startCommitProxy(
	test: TestContext,
	serverUrl: string,
	fate: () => CommitFate,
): Promise<CommitProxy> {
	const struck = new Map<CommitFate, number>();
	const sockets = new Set<Socket>();
	const target = Number(new URL(serverUrl).port);
	const proxy = createServer((client) => {
		const server = connect(target, '127.0.0.1');
		let isSilent = false;
		for (const socket of [client, server]) {
			sockets.add(socket);
			socket.setNoDelay(true);
			socket.on('close', () => sockets.delete(socket));
			socket.on('error', () => {});
		}
		server.on('data', (bytes) => !isSilent && client.write(bytes));
		server.on('close', () => !isSilent && client.destroy());
		client.on(
			'close',
			() => server.writable && !server.destroyed && setTimeout(() => server.destroy(), isSilent ? 5_000 : 0),
		);
		client.on('data', (bytes) => {
			const next = (bytes as Buffer).includes(COMMIT) ? fate() : 'passed';
			if (next !== 'passed') struck.set(next, (struck.get(next) ?? 0) + 1);
			switch (next) {
				case 'passed':
					server.write(bytes);
					return;
				case 'answer_lost':
					isSilent = true;
					server.write(bytes, () => client.destroy());
					return;
				case 'never_arrives':
					client.destroy();
					server.destroy();
					return;
				case 'arrives_late':
					isSilent = true;
					client.destroy();
					setTimeout(() => server.write(bytes), LATE_MS);
					return;
				case 'silence':
					isSilent = true;
					server.write(bytes);
					return;
			}
		});
	});
	proxy.listen(0, '127.0.0.1');
	await once(proxy, 'listening');
	test.after(() => {
		proxy.close();
		for (const socket of sockets) socket.destroy();
	});
	const { port } = proxy.address() as AddressInfo;
	return {
		urlOf(url) {
			const proxied = new URL(url);
			proxied.port = String(port);
			return proxied.href;
		},
		struck,
	};
}
