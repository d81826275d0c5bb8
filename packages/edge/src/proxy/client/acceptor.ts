import type { Socket } from 'node:net';
import type { ConnectionLog } from '../account/connection-log.ts';
import { clientAddress } from './client-address.ts';
import type { ClientSlots } from './client-slots.ts';

/** Takes the connections of clients, and finds out what they speak. */
export interface Acceptor {
	accept(socket: Socket): void;
	/** How many are open. */
	readonly open: number;
	/** How many were refused, because their client has too many. */
	readonly refused: number;
	/** Ends those whose client has said nothing yet. */
	endSilent(): void;
}

/** A client that speaks. Its first bytes are still to be read. */
export interface Spoken {
	readonly socket: Socket;
	/** The address of the client. */
	readonly client: string;
	readonly protocol: 'http' | 'socks';
	/** Its client has too many connections: it gets an answer, and is closed. */
	readonly isTooMuch: boolean;
}

export interface AcceptorOptions {
	readonly slots: ClientSlots;
	readonly log: Pick<ConnectionLog, 'refused'>;
	readonly serve: (spoken: Spoken) => void;
}

const SOCKS_FIRST_BYTE = 5;
/** A client must say something within this time. */
const SILENT_MS = 10_000;
/** How many refused connections wait for their request, and how long. Beyond, they are closed at once. */
const MAX_EXCESS = 256;
const EXCESS_MS = 2_000;

export function createAcceptor({ slots, log, serve }: AcceptorOptions): Acceptor {
	const silent = new Set<Socket>();
	let open = 0;
	let refused = 0;
	let excess = 0;

	/** Its request gets an answer, so that the client knows why. Floods get none. */
	function refuse(socket: Socket, client: string): void {
		refused++;
		log.refused({ client, reason: 'too_many_of_client' });
		if (excess >= MAX_EXCESS) return void socket.destroy();
		excess++;
		const late = setTimeout(() => socket.destroy(), EXCESS_MS);
		socket.once('close', () => {
			clearTimeout(late);
			excess--;
		});
		listen(socket, client, true);
	}

	/** Waits for the first byte, which tells the protocol. */
	function listen(socket: Socket, client: string, isTooMuch: boolean): void {
		const end = () => socket.destroy();
		silent.add(socket);
		socket.setTimeout(SILENT_MS).once('timeout', end).once('end', end);
		socket.once('close', () => silent.delete(socket));
		socket.once('data', (bytes: Buffer) => {
			silent.delete(socket);
			socket.off('timeout', end).off('end', end).pause();
			socket.unshift(bytes);
			serve({ socket, client, protocol: bytes[0] === SOCKS_FIRST_BYTE ? 'socks' : 'http', isTooMuch });
		});
	}

	return {
		accept(socket) {
			socket.on('error', () => {});
			const client = clientAddress(socket);
			if (!slots.take(client)) return refuse(socket, client);
			open++;
			socket.once('close', () => {
				open--;
				slots.free(client);
			});
			listen(socket, client, false);
		},
		get open() {
			return open;
		},
		get refused() {
			return refused;
		},
		endSilent() {
			for (const socket of silent) socket.destroy();
		},
	};
}
