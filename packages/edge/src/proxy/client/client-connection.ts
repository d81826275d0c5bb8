import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { KnownPair } from '../../agent/pair-checker.ts';
import type { AccountCounter, NoCounter } from '../account/account-counters.ts';
import type { EndedVisit, EndReason } from '../account/connection-log.ts';
import type { AccountSpeeds } from '../speed/account-speeds.ts';
import { type ConnectionSpeed, createConnectionSpeed } from '../speed/connection-speed.ts';
import type { Exit } from '../upstream/exit.ts';
import type { Spoken } from './acceptor.ts';

/**
 * A connection from a client of the proxy. The account whose pair was accepted on it pays for its bytes. A request whose
 * pair is refused ends the connection, and no account pays for that request.
 */
export interface ClientConnection {
	readonly socket: Socket;
	/** The address of the client. */
	readonly client: string;
	/** The pair that was accepted last. */
	readonly pair: KnownPair | undefined;
	/** Holds it to the speed limit of the accepted pair. */
	readonly speed: ConnectionSpeed;
	/** The counter of the account whose pair was accepted last. */
	readonly counter: AccountCounter | undefined;
	/**
	 * A request has begun. Until its pair is accepted, no account pays for its bytes. If an answer is still on its way, the
	 * account of that answer pays, because their bytes cannot be told apart. Too many requests at a time end the
	 * connection.
	 */
	begin(): void;
	/** The pair of a request is good. Unless the result is `accepted`, the request must be refused. */
	accept(pair: KnownPair, openCounter: (pair: KnownPair) => AccountCounter | NoCounter): AcceptResult;
	/** A request of the accepted account is for this destination. `options` are those of the client, for the log. */
	visit(destination: string, options: string | undefined): void;
	/** The request goes through this exit. If it was to go through another one before, nothing of it has. */
	goesThrough(exit: Pick<Exit, 'number' | 'address'>): void;
	/** The connection to this destination leaves from this address. */
	leavesFrom(address: string): void;
	/** The reason for which the visit, or the connection, is about to end. Only the first reason is logged. */
	endsBecause(reason: EndReason): void;
	/** A request and its answer are complete. */
	done(): void;
	/** Counts the bytes so far. */
	count(): void;
	/**
	 * Adds a socket to a destination or an upstream. It is closed with this connection. If it does not connect in time, TLS
	 * included, it fails with `ETIMEDOUT`. By default, the time is ten seconds.
	 */
	addTarget(target: Socket, connectMs?: number): void;
	/** A request was refused. The connection ends when the client has had time to read the refusal. */
	endSoon(): void;
	/** Ends it at once, with its sockets to origins. */
	cut(reason: EndReason): void;
}

/** `mixed`: another account's request is still in progress. */
type AcceptResult = 'accepted' | 'mixed' | NoCounter;

export interface ClientConnectionEvents {
	visited(visit: Omit<EndedVisit, 'client'>): void;
	closed(): void;
}

interface Visit {
	readonly account: string;
	readonly destination: string;
	readonly options: string | undefined;
	upstream: number | undefined;
	upstreamAddress: string | undefined;
	from: string | undefined;
	/** How many requests it has. */
	requests: number;
	/** Monotonic. */
	readonly beganAtMs: number;
	bytesUp: number;
	bytesDown: number;
}

interface Bytes {
	readonly up: number;
	readonly down: number;
}

const NONE: Bytes = { up: 0, down: 0 };
/**
 * Counts requests that wait too. Clients rarely send the next request before the answer.
 * @bound Requests of one connection, with those that are sent ahead: with more, the connection is closed.
 */
const MAX_IN_PROGRESS = 8;
/** @bound A refused client reads its answer: then its connection is closed. */
const REFUSED_MS = 2_000;
const TCP_KEEP_ALIVE_MS = 60_000;
/** @bound A destination accepts: then the client gets a 504. */
const CONNECT_TIMEOUT_MS = 10_000;

export function createClientConnection(
	{ socket, client, headerBytes }: Pick<Spoken, 'socket' | 'client' | 'headerBytes'>,
	speeds: AccountSpeeds,
	{ visited, closed }: ClientConnectionEvents,
): ClientConnection {
	const targets = new Set<Socket>();
	const speed = createConnectionSpeed(socket, speeds);
	let pair: KnownPair | undefined;
	let counter: AccountCounter | undefined;
	/** How far the bytes have been counted. No account pays for the header of a load balancer. */
	let counted: Bytes = { up: headerBytes, down: 0 };
	/**
	 * How far bytes may be counted. Set while a request waits for its check, and after a refusal. The first request waits
	 * from its first byte on.
	 */
	let limit: Bytes | undefined = counted;
	/** The bytes when the last request was complete. */
	let complete = NONE;
	let requests = 0;
	let ending: NodeJS.Timeout | undefined;
	let current: Visit | undefined;
	let endReason: EndReason | undefined;

	function count(): void {
		const { up, down } = limit ?? bytesOf(socket);
		const more = { up: Math.max(0, up - counted.up), down: Math.max(0, down - counted.down) };
		counter?.add(more.up, more.down);
		if (counter && current) {
			current.bytesUp += more.up;
			current.bytesDown += more.down;
		}
		counted = { up: Math.max(up, counted.up), down: Math.max(down, counted.down) };
	}

	/** A connection can go on after a destination was unreachable. */
	function endVisit(usually: EndReason): void {
		if (!current) return;
		const { beganAtMs, requests: _, ...rest } = current;
		const reason = endReason ?? usually;
		visited({ ...rest, durationMs: Math.round(performance.now() - beganAtMs), reason });
		current = undefined;
		endReason = undefined;
	}

	function beginVisit({ destination, options, from }: Pick<Visit, 'destination' | 'options' | 'from'>): void {
		if (current) count();
		endVisit('next_destination');
		current = {
			account: counter?.username ?? '',
			destination,
			options,
			upstream: undefined,
			upstreamAddress: undefined,
			from,
			requests: 1,
			beganAtMs: performance.now(),
			bytesUp: 0,
			bytesDown: 0,
		};
	}

	function close(): void {
		clearTimeout(ending);
		count();
		endVisit('closed');
		counter?.close();
		counter = undefined;
		speed.end();
		for (const target of targets) target.destroy();
		closed();
	}

	socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS);
	onDestroy(socket, close);

	return {
		socket,
		client,
		get pair() {
			return pair;
		},
		speed,
		get counter() {
			return counter;
		},
		begin() {
			if (requests === 0) limit ??= complete;
			requests++;
			if (requests > MAX_IN_PROGRESS) socket.destroy();
		},
		accept(accepted, openCounter) {
			if (counter?.username !== accepted.username) {
				if (counter && requests > 1) return 'mixed';
				const next = openCounter(accepted);
				if (typeof next === 'string') return next;
				// The bytes before this request belong to the previous account.
				if (counter) count();
				endVisit('next_destination');
				counter?.close();
				counter = next;
			}
			pair = accepted;
			limit = undefined;
			speed.hold(accepted);
			return 'accepted';
		},
		visit(destination, options) {
			if (current?.destination === destination && current.options === options) current.requests++;
			else beginVisit({ destination, options, from: undefined });
		},
		goesThrough({ number, address }) {
			if (!current) return;
			const isLate = current.upstream !== undefined && current.upstream !== number && current.requests > 1;
			if (isLate) beginVisit(current);
			current.upstream = number;
			current.upstreamAddress = address;
		},
		leavesFrom(address) {
			if (!current || current.from === address) return;
			// Each line of the log has one outgoing address.
			if (current.from !== undefined) beginVisit({ ...current, from: address });
			else current.from = address;
		},
		endsBecause(reason) {
			endReason ??= reason;
		},
		done() {
			requests--;
			if (requests === 0) complete = bytesOf(socket);
		},
		count,
		addTarget(target, connectMs = CONNECT_TIMEOUT_MS) {
			if (socket.destroyed) target.destroy();
			if (targets.has(target)) return;
			targets.add(target);
			// Sends small writes at once.
			target.setNoDelay(true).setKeepAlive(true, TCP_KEEP_ALIVE_MS);
			const late = target.connecting ? setTimeout(() => target.destroy(noAnswer()), connectMs) : undefined;
			target.once(target instanceof TLSSocket ? 'secureConnect' : 'connect', () => clearTimeout(late));
			target.once('close', () => {
				clearTimeout(late);
				targets.delete(target);
			});
		},
		endSoon() {
			ending ??= setTimeout(() => socket.destroy(), REFUSED_MS);
		},
		cut(reason) {
			endReason ??= reason;
			socket.destroy();
		},
	};
}

function noAnswer(): Error {
	return Object.assign(new Error('the destination does not answer'), { code: 'ETIMEDOUT' });
}

/**
 * The bytes read from the client, and the bytes that the system has taken for it: the client may have received all of
 * these. Bytes that wait in this process are no traffic. No documented property of Node tells how much of a write the
 * system has taken, and over TLS none does. So over TLS the write in progress counts whole.
 */
function bytesOf(socket: Socket): Bytes {
	const { _bytesDispatched: dispatched = socket.bytesWritten, _handle: handle } = socket as WritingSocket;
	const notTaken = socket instanceof TLSSocket ? 0 : (handle?.writeQueueSize ?? 0);
	return { up: socket.bytesRead, down: dispatched - notTaken };
}

/** Fields of a socket that Node itself uses. */
interface WritingSocket extends Socket {
	/** All bytes that were given to the system, also those that it has not taken yet. */
	readonly _bytesDispatched?: number;
	readonly _handle?: { readonly writeQueueSize?: number } | null;
}

/** Calls `listener` when the socket ends, while the socket still knows which of its bytes were written. */
function onDestroy(socket: Socket, listener: () => void): void {
	const destroy = socket._destroy;
	socket._destroy = (error, callback) => {
		listener();
		destroy.call(socket, error, callback);
	};
}
