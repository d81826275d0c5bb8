import { connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { listen } from './listen.ts';

/** A relay to a server, whose program decides what happens on each connection. It ends with the test. */
export interface Relay {
	/** The URL of the relay. */
	readonly url: string;
	/** Ends all connections and accepts no new ones. */
	cut(): void;
}

/**
 * One connection: the client's socket, and the socket to the server. A program reads them with `bytesFrom` or
 * `messagesFrom`, and closes them as a network would: `end()` sends a FIN, `resetAndDestroy()` a reset.
 */
export interface RelayedConnection {
	readonly client: Socket;
	/** The relay connects to it when the program first asks for it. */
	readonly server: Socket;
	/** Waits. Rejects when the relay ends. */
	delay(ms: number): Promise<void>;
}

/** Handles one connection. When it ends, both sockets are closed, after everything sent on them is out. */
export type Program = (connection: RelayedConnection) => Promise<unknown>;

/** More than any message in our tests. */
const MESSAGE_LIMIT_BYTES = 2 ** 22;

/**
 * Starts a relay in front of a server on this machine. It reads bytes only when its program asks for them. So for each
 * connection it holds only the bytes of one read, and those that the program keeps.
 */
export async function startRelay(test: TestContext, serverUrl: string, program: Program = passAll): Promise<Relay> {
	const { hostname, port } = new URL(serverUrl);
	const ending = new AbortController();
	const servers = new Set<Socket>();

	function connectToServer(): Socket {
		const server = connect({ port: Number(port), host: hostname, allowHalfOpen: true, noDelay: true });
		server.on('error', () => {});
		servers.add(server);
		server.on('close', () => servers.delete(server));
		return server;
	}

	const relay = createServer({ allowHalfOpen: true, noDelay: true }, async (client) => {
		let server: Socket | undefined;
		// A socket that breaks ends the reading, which is enough.
		client.on('error', () => {});
		try {
			await program({
				client,
				get server() {
					server ??= connectToServer();
					return server;
				},
				delay: (ms) => setTimeout(ms, undefined, { signal: ending.signal }),
			});
		} catch (error) {
			if (!ending.signal.aborted) throw error;
		} finally {
			client.destroySoon();
			server?.destroySoon();
		}
	});
	const listening = await listen(test, relay);
	const cut = () => {
		listening.close();
		for (const server of servers) server.destroy();
		ending.abort();
	};
	test.after(cut);
	return { url: serverUrl.replace(`${hostname}:${port}`, `127.0.0.1:${listening.port}`), cut };
}

/** Passes everything in both directions. */
function passAll({ client, server }: RelayedConnection): Promise<unknown> {
	return Promise.all([pass(client, server), pass(server, client)]);
}

/** Changes some bytes. `undefined`: they and all later bytes are dropped, and a FIN is sent. */
export type Change = (bytes: Buffer) => Buffer | undefined | Promise<Buffer | undefined>;

/** Passes bytes from one socket to the other. A FIN is passed on too; after a reset, the other socket is closed. */
export async function pass(from: Socket, to: Socket, change: Change = (bytes) => bytes): Promise<void> {
	for await (const bytes of bytesFrom(from)) {
		const changed = await change(bytes);
		if (changed === undefined) return void to.end();
		await send(to, changed);
	}
	if (from.readableEnded) to.end();
	else to.destroy();
}

/** The bytes from a socket, as they come, until a FIN or another end. */
export async function* bytesFrom(socket: Socket): AsyncGenerator<Buffer, undefined> {
	try {
		yield* socket.iterator({ destroyOnReturn: false });
	} catch {
		// The socket was reset, or destroyed here.
	}
	return undefined;
}

/** The messages from a socket. `firstOf` finds the first message in the bytes, once it is complete. */
export async function* messagesFrom<Message extends { readonly bytes: Buffer }>(
	socket: Socket,
	firstOf: (bytes: Buffer) => Message | undefined,
): AsyncGenerator<Message, undefined> {
	let received = Buffer.alloc(0);
	for await (const bytes of bytesFrom(socket)) {
		received = Buffer.concat([received, bytes]);
		for (let message = firstOf(received); message !== undefined; message = firstOf(received)) {
			received = received.subarray(message.bytes.length);
			yield message;
		}
		if (received.length > MESSAGE_LIMIT_BYTES) throw new Error('a message is too large for a relay');
	}
	return undefined;
}

/** Resolves once the system has taken the bytes, or the socket is closed. */
export function send(socket: Socket, bytes: Uint8Array): Promise<void> {
	return new Promise((resolve) => socket.write(bytes, () => resolve()));
}
