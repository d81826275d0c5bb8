import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { ConnectionLog } from '../account/connection-log.ts';
import type { Certificate } from './certificate.ts';
import { clientAddress } from './client-address.ts';
import type { ClientSlots } from './client-slots.ts';
import { hear } from './hear.ts';
import { readProxyHeader } from './proxy-header.ts';

/** Takes the connections of clients, and finds out for each its client and its protocol. */
export interface Acceptor {
	accept(socket: Socket): void;
	/** How many are open. */
	readonly open: number;
	/** How many were refused, because their client has too many. */
	readonly refused: number;
	/** How many have sent nothing yet. They include those that a load balancer has not described yet. */
	readonly silent: number;
	/** Ends the connections on which the client has sent nothing yet. */
	endSilent(): void;
}

/** A client that has sent something. Its first bytes are still to be read. */
export interface Spoken {
	/** With TLS, the socket of the decrypted bytes. */
	readonly socket: Socket;
	/** The address of the client. */
	readonly client: string;
	/** How many bytes of the socket came from a load balancer, before those of the client. */
	readonly headerBytes: number;
	readonly protocol: 'http' | 'socks';
	/** Its client has too many connections: it gets an answer, and is closed. */
	readonly isTooMuch: boolean;
}

export interface AcceptorOptions {
	readonly slots: ClientSlots;
	readonly log: Pick<ConnectionLog, 'refused'>;
	/** With it, clients may speak TLS. */
	readonly certificate?: Pick<Certificate, 'context'> | undefined;
	/** Whether connections from this address begin with a header that names the client. */
	readonly isLoadBalancer: (address: string) => boolean;
	readonly serve: (spoken: Spoken) => void;
}

type Known = Pick<Spoken, 'client' | 'headerBytes' | 'isTooMuch'>;

const FIRST_BYTES = { socks: 5, tls: 0x16 } as const;
/**
 * @bound Connections beyond the bound of their client that wait for their request, to refuse it: further ones are
 * closed at once.
 */
const MAX_EXCESS = 256;
/** @bound Such a connection waits: then it is closed. */
const EXCESS_MS = 2_000;

export function createAcceptor({ slots, log, certificate, isLoadBalancer, serve }: AcceptorOptions): Acceptor {
	const silent = new Set<Socket>();
	let open = 0;
	let refused = 0;
	let excess = 0;

	/** The header of a load balancer names the client of the connection. */
	function readHeader(socket: Socket, loadBalancer: string): void {
		let client = loadBalancer;
		const read = (bytes: Buffer) => {
			const header = readProxyHeader(bytes);
			if (header === 'incomplete') return undefined;
			if (header === 'invalid') {
				log.refused({ client: loadBalancer, reason: 'no_proxy_header' });
				socket.destroy();
				return undefined;
			}
			client = header.client ?? loadBalancer;
			return header.length;
		};
		hear(socket, silent, read, (headerBytes) => admit(socket, client, headerBytes));
	}

	function admit(socket: Socket, client: string, headerBytes: number): void {
		const isTooMuch = !slots.take(client);
		if (isTooMuch && !mayBeRefused(socket, client)) return;
		if (!isTooMuch) {
			open++;
			socket.once('close', () => {
				open--;
				slots.free(client);
			});
		}
		listen(socket, { client, headerBytes, isTooMuch });
	}

	/** Its request gets an answer, so that the client knows why. Floods get none. */
	function mayBeRefused(socket: Socket, client: string): boolean {
		refused++;
		log.refused({ client, reason: 'too_many_of_client' });
		if (excess >= MAX_EXCESS) {
			socket.destroy();
			return false;
		}
		excess++;
		const late = setTimeout(() => socket.destroy(), EXCESS_MS);
		socket.once('close', () => {
			clearTimeout(late);
			excess--;
		});
		return true;
	}

	/** Waits for the first byte, which tells the protocol. */
	function listen(socket: Socket, known: Known): void {
		let first: number | undefined;
		const look = (bytes: Buffer) => {
			first = bytes[0];
			return 0;
		};
		hear(socket, silent, look, () => {
			if (first === FIRST_BYTES.tls && certificate && !(socket instanceof TLSSocket)) {
				return listen(insideTls(socket, certificate), { ...known, headerBytes: 0 });
			}
			serve({ ...known, socket, protocol: first === FIRST_BYTES.socks ? 'socks' : 'http' });
		});
	}

	return {
		accept(socket) {
			socket.on('error', () => {});
			const address = clientAddress(socket);
			if (isLoadBalancer(address)) readHeader(socket, address);
			else admit(socket, address, 0);
		},
		get open() {
			return open;
		},
		get refused() {
			return refused;
		},
		get silent() {
			return silent.size;
		},
		endSilent() {
			for (const socket of silent) socket.destroy();
		},
	};
}

/** The decrypted bytes of a client. Both sockets close together. */
function insideTls(socket: Socket, { context }: Pick<Certificate, 'context'>): Socket {
	const inside = new TLSSocket(socket, { isServer: true, secureContext: context });
	// Only this event tells of a fault after the handshake.
	inside.on('error', () => {}).on('_tlsError', () => inside.destroy());
	return inside;
}
