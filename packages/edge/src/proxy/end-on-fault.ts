import type { Socket } from 'node:net';

/** Ends the connection of a client that a fault leaves without an answer. The fault then counts as unhandled. */
export function endOnFault(socket: Socket, served: Promise<void>): void {
	void served.catch((fault) => {
		socket.destroy();
		throw fault;
	});
}
