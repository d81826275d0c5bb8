import type { Socket } from 'node:net';

/** Ends a client whom a fault leaves without an answer. The fault itself is told as one that nothing handled. */
export function endOnFault(socket: Socket, served: Promise<void>): void {
	void served.catch((fault) => {
		socket.destroy();
		throw fault;
	});
}
