import type { Socket } from 'node:net';

const EVENTS = ['readable', 'end', 'close'] as const;

/** Reads exactly so many bytes of a socket that is not flowing, and leaves what follows. Rejects if it ends before. */
export async function readBytes(socket: Socket, count: number): Promise<Buffer> {
	if (count === 0) return Buffer.alloc(0);
	for (;;) {
		const bytes: Buffer | null = socket.read(count);
		if (bytes?.length === count) return bytes;
		if (bytes || socket.readableEnded || socket.destroyed) throw new Error('the connection has ended');
		await changed(socket);
	}
}

function changed(socket: Socket): Promise<void> {
	return new Promise((resolve) => {
		const done = () => {
			for (const event of EVENTS) socket.off(event, done);
			resolve();
		};
		for (const event of EVENTS) socket.on(event, done);
	});
}
