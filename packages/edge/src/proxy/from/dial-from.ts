import { connect, type Socket, type TcpNetConnectOpts } from 'node:net';
import type { Destination } from '../target/dial.ts';
import type { OutgoingAddress, OutgoingChoice } from './outgoing.ts';

export interface DialEvents {
	/** A connection to a destination or an exit begins, or is used again. */
	connecting(target: Socket): void;
	/** It leaves from this outgoing address, also if it fails. */
	leaves(address: string): void;
}

/** @bound One of several addresses of a destination accepts: then the next one is tried. The last one has longer. */
const ATTEMPT_MS = 250;
/** @bound Outgoing addresses that cannot be bound, for one connection of a client: with more, the client gets a 502. */
const MAX_TRIES = 64;
/** The address is not one of this machine, or all its ports are in use. */
const UNBOUND: ReadonlySet<string | undefined> = new Set(['EADDRNOTAVAIL', 'EADDRINUSE', 'EAFNOSUPPORT']);

interface Attempt {
	readonly socket: Socket;
	/** `undefined`: it is connected. */
	readonly error?: NodeJS.ErrnoException;
}

/**
 * Connects to the addresses of a destination, one after another, from an outgoing address of their family. If that cannot be
 * bound, it goes on from the next one. The socket is paused. Rejects with the error of the last attempt.
 */
export async function dialFrom(
	{ port, addresses }: Destination,
	from: OutgoingChoice,
	{ connecting, leaves }: DialEvents,
	options: Pick<TcpNetConnectOpts, 'allowHalfOpen' | 'onread'> = {},
): Promise<Socket> {
	const families = new Set(addresses.map(({ family }) => family));
	let failure: Error = new Error('there is no outgoing address');

	async function dialAll(own: OutgoingAddress): Promise<Attempt> {
		const [last, ...others] = addresses.filter(({ family }) => family === own.family).toReversed();
		for (const { address } of others.toReversed()) {
			const attempt = await dialOne(own, address, ATTEMPT_MS);
			if (!attempt.error || isUnbound(attempt) || attempt.error.code === GONE) return attempt;
		}
		return dialOne(own, last?.address ?? '');
	}

	function dialOne({ address: localAddress }: OutgoingAddress, host: string, limitMs?: number): Promise<Attempt> {
		const socket = connect({ ...options, host, port, localAddress });
		socket.pause();
		connecting(socket);
		return outcomeOf(socket, limitMs);
	}

	for (let tries = 0; tries < MAX_TRIES; tries++) {
		const own = from.next(families);
		if (!own) break;
		const attempt = await dialAll(own);
		if (isUnbound(attempt)) {
			own.failed();
			failure = attempt.error ?? failure;
			continue;
		}
		leaves(own.address);
		if (attempt.error?.code !== GONE) own.worked();
		if (attempt.error) throw attempt.error;
		return attempt.socket;
	}
	throw failure;
}

const GONE = 'ERR_CLIENT_GONE';

function isUnbound({ error }: Attempt): boolean {
	return UNBOUND.has(error?.code);
}

function outcomeOf(socket: Socket, limitMs: number | undefined): Promise<Attempt> {
	return new Promise((resolve) => {
		const late = limitMs && setTimeout(() => socket.destroy(failureOf('ETIMEDOUT')), limitMs);
		const settle = (error?: Error) => {
			clearTimeout(late);
			resolve({ socket, ...(error && { error }) });
		};
		socket.once('connect', () => settle());
		socket.on('error', settle);
		socket.once('close', () => settle(failureOf(GONE)));
	});
}

function failureOf(code: string): NodeJS.ErrnoException {
	return Object.assign(new Error('there is no connection'), { code });
}
