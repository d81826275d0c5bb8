import { connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { listen } from './listen.ts';

/** A way to a server on which a program decides what becomes of each connection. It ends with the test. */
export interface Relay {
	/** The URL of the server, by this way. */
	readonly url: string;
	/** Ends all connections, and takes no new ones. */
	cut(): void;
}

/**
 * One connection: the socket on which its client sends, and the one that leads to the server. A program reads them by
 * `bytesFrom` or `messagesFrom`, and closes them as a network would: `end()` is a FIN, `resetAndDestroy()` a reset.
 */
export interface RelayedConnection {
	readonly client: Socket;
	readonly server: Socket;
	/** Waits. Rejects when the relay ends. */
	delay(ms: number): Promise<void>;
}

/** What becomes of a connection. When it has ended, both sockets are closed, once what was sent on them is out. */
export type Program = (connection: RelayedConnection) => Promise<unknown>;

/** More than any message of our tests. */
const MESSAGE_LIMIT_BYTES = 2 ** 22;

/**
 * Starts a relay in front of a server on this machine. For each connection it holds what one read has brought, and
 * what a program keeps: nobody's bytes are read before they are asked for.
 */
export async function startRelay(test: TestContext, serverUrl: string, program: Program = passAll): Promise<Relay> {
	const { hostname, port } = new URL(serverUrl);
	const ending = new AbortController();
	const servers = new Set<Socket>();
	const relay = createServer({ allowHalfOpen: true, noDelay: true }, async (client) => {
		const server = connect({ port: Number(port), host: hostname, allowHalfOpen: true, noDelay: true });
		const sockets = [client, server];
		// A socket that breaks ends what is read from it, which is enough.
		for (const socket of sockets) socket.on('error', () => {});
		servers.add(server);
		server.on('close', () => servers.delete(server));
		const delay = (ms: number) => setTimeout(ms, undefined, { signal: ending.signal });
		try {
			await program({ client, server, delay });
		} catch (error) {
			if (!ending.signal.aborted) throw error;
		} finally {
			for (const socket of sockets) socket.destroySoon();
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

/** Lets everything pass, in both directions. */
function passAll({ client, server }: RelayedConnection): Promise<unknown> {
	return Promise.all([pass(client, server), pass(server, client)]);
}

/** What becomes of some bytes. `undefined`: neither they nor others arrive, but a FIN. */
export type Change = (bytes: Buffer) => Buffer | undefined | Promise<Buffer | undefined>;

/** Hands on what comes from one socket. After its FIN the other one gets one too; if it was reset, the other one is closed. */
export async function pass(from: Socket, to: Socket, change: Change = (bytes) => bytes): Promise<void> {
	for await (const bytes of bytesFrom(from)) {
		const changed = await change(bytes);
		if (changed === undefined) return void to.end();
		await send(to, changed);
	}
	if (from.readableEnded) to.end();
	else to.destroy();
}

/** What comes, as it comes, until the socket is ended by a FIN or in another way. */
export async function* bytesFrom(socket: Socket): AsyncGenerator<Buffer, undefined> {
	try {
		yield* socket.iterator({ destroyOnReturn: false });
	} catch {
		// It was reset, or destroyed here.
	}
	return undefined;
}

/** What comes, message by message. `firstOf` finds the one that the bytes begin with, once it is there whole. */
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
