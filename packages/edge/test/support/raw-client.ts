import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** A connection on which a test writes and reads bytes as they are. */
export interface RawClient {
	readonly socket: Socket;
	/** Everything that has arrived, as Latin-1. */
	text(): string;
	write(text: string | Uint8Array): void;
	/** Resolves once this has arrived. Rejects if the connection ends before. */
	until(text: string): Promise<string>;
	/** Resolves when the connection is closed, to all that has arrived. */
	readonly closed: Promise<string>;
}

export function openRawClient(test: TestContext, port: number): RawClient {
	return rawClientOn(test, connect({ port, host: '127.0.0.1' }));
}

/** Everything that comes back until the connection is closed. */
export function answerTo(test: TestContext, port: number, bytes: string | Uint8Array): Promise<string> {
	const client = openRawClient(test, port);
	client.write(bytes);
	return client.closed;
}

/** A connection that the test has opened in another way. */
export function rawClientOn(test: TestContext, socket: Socket): RawClient {
	let text = '';
	const waiting = new Set<() => void>();
	socket.setEncoding('latin1').on('data', (chunk: string) => {
		text += chunk;
		for (const look of waiting) look();
	});
	socket.on('error', () => {});
	const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(text)));
	test.after(() => socket.destroy());
	return {
		socket,
		text: () => text,
		write: (bytes) => void socket.write(bytes),
		until: (wanted) =>
			new Promise((resolve, reject) => {
				const look = () => {
					if (!text.includes(wanted)) return;
					waiting.delete(look);
					resolve(text);
				};
				waiting.add(look);
				look();
				void closed.then(() => reject(new Error(`the connection ended after: ${text.slice(0, 500)}`)));
			}),
		closed,
	};
}
