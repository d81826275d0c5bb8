import type { Socket } from 'node:net';

/** Reads a socket that is not flowing, piece by piece. */
export interface ByteReader {
	/**
	 * Resolves to exactly this many bytes. Later ones stay in the socket. Rejects with `ClientEnded` if the socket ends
	 * first.
	 */
	read(count: number): Promise<Buffer>;
	/** Stops reading, so that others can read the socket. */
	end(): void;
}

const EVENTS = ['readable', 'end', 'close'] as const;

/** The client has ended before it sent what was expected. */
export class ClientEnded extends Error {}

export function createByteReader(socket: Socket): ByteReader {
	let wake = () => {};
	const changed = () => wake();
	for (const event of EVENTS) socket.on(event, changed);

	return {
		async read(count) {
			if (count === 0) return Buffer.alloc(0);
			for (;;) {
				const bytes: Buffer | null = socket.read(count);
				if (bytes?.length === count) return bytes;
				if (bytes || socket.readableEnded || socket.destroyed) throw new ClientEnded();
				await new Promise<void>((resolve) => {
					wake = resolve;
				});
			}
		},
		end() {
			for (const event of EVENTS) socket.off(event, changed);
		},
	};
}
