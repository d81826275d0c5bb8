import type { Socket } from 'node:net';

/**
 * @bound The first byte of a client, the header of a load balancer, or a handshake of TLS arrives: then the
 * connection is closed.
 */
const SILENT_MS = 10_000;

/**
 * Waits for the first bytes on a socket that has no other reader. `read` gets all bytes that have arrived, and returns how
 * many it takes; `undefined`: there are too few. The rest stays to be read. A client that is too slow, or ends, is closed.
 *
 * @param silent contains the socket while it waits
 */
export function hear(
	socket: Socket,
	silent: Set<Socket>,
	read: (bytes: Buffer) => number | undefined,
	heard: (taken: number) => void,
): void {
	let bytes: Buffer = Buffer.alloc(0);
	const end = () => void socket.destroy();
	const late = setTimeout(end, SILENT_MS);
	const receive = (more: Buffer) => {
		bytes = Buffer.concat([bytes, more]);
		const taken = read(bytes);
		if (taken === undefined) return;
		stop();
		socket.off('close', stop).pause();
		if (taken < bytes.length) socket.unshift(bytes.subarray(taken));
		heard(taken);
	};
	const stop = () => {
		clearTimeout(late);
		silent.delete(socket);
		socket.off('data', receive).off('end', end);
	};
	silent.add(socket);
	socket.on('data', receive).on('end', end).on('close', stop).resume();
}
