import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { KnownPair } from '../../agent/pair-checker.ts';
import type { AccountCounter, NoCounter } from '../account/account-counters.ts';
import type { EndedVisit, EndReason } from '../account/connection-log.ts';
import type { Spoken } from './acceptor.ts';

/**
 * A connection from a client of the proxy. Its bytes belong to the account whose pair was accepted on it. A request
 * whose pair is refused ends the connection, and its bytes belong to nobody.
 */
export interface ClientConnection {
	readonly socket: Socket;
	/** The address of the client. */
	readonly client: string;
	/** The pair that was accepted last. */
	readonly pair: KnownPair | undefined;
	/** That of the account whose pair was accepted last. */
	readonly counter: AccountCounter | undefined;
	/**
	 * A request has begun. Until its pair is accepted, its bytes belong to nobody. If an answer is still on its way, they
	 * belong to its account: nobody can tell the bytes of both apart. Too many requests at a time end the connection.
	 */
	begin(): void;
	/** The pair of a request is good. Unless the result is `accepted`, the request must be refused. */
	accept(pair: KnownPair, openCounter: (pair: KnownPair) => AccountCounter | NoCounter): AcceptResult;
	/** The account that was accepted goes to this destination now. */
	visit(destination: string): void;
	/** Why the visit, or the connection, is about to end. The first reason is the one that is logged. */
	endsBecause(reason: EndReason): void;
	/** A request and its answer are complete. */
	done(): void;
	/** Counts the bytes so far. */
	count(): void;
	/**
	 * Adds a socket to a destination or an upstream, which is closed with this connection. If it does not connect within ten
	 * seconds, with its TLS, it fails with `ETIMEDOUT`.
	 */
	addTarget(target: Socket): void;
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
/** With those that wait for the one before. Clients rarely send the next one before the answer. */
const MAX_IN_PROGRESS = 8;
/** How long a refused client may take to read the refusal. */
const REFUSED_MS = 2_000;
const TCP_KEEP_ALIVE_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;

export function createClientConnection(
	{ socket, client, headerBytes }: Pick<Spoken, 'socket' | 'client' | 'headerBytes'>,
	{ visited, closed }: ClientConnectionEvents,
): ClientConnection {
	const targets = new Set<Socket>();
	let pair: KnownPair | undefined;
	let counter: AccountCounter | undefined;
	/** How far the bytes have been counted. Those of a load balancer belong to nobody. */
	let counted: Bytes = { up: headerBytes, down: 0 };
	/** How far they may be counted, while a request waits for its check or was refused: the first one from its first byte on. */
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

	/** A connection can go on after a destination that could not be reached. */
	function endVisit(usually: EndReason): void {
		if (!current) return;
		const { beganAtMs, ...rest } = current;
		const reason = endReason ?? usually;
		visited({ ...rest, durationMs: Math.round(performance.now() - beganAtMs), reason });
		current = undefined;
		endReason = undefined;
	}

	function close(): void {
		clearTimeout(ending);
		count();
		endVisit('closed');
		counter?.close();
		counter = undefined;
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
				// The bytes before this request belong to the account before.
				if (counter) count();
				endVisit('next_destination');
				counter?.close();
				counter = next;
			}
			pair = accepted;
			limit = undefined;
			return 'accepted';
		},
		visit(destination) {
			if (current?.destination === destination) return;
			if (current) count();
			endVisit('next_destination');
			const account = counter?.username ?? '';
			current = { account, destination, beganAtMs: performance.now(), bytesUp: 0, bytesDown: 0 };
		},
		endsBecause(reason) {
			endReason ??= reason;
		},
		done() {
			requests--;
			if (requests === 0) complete = bytesOf(socket);
		},
		count,
		addTarget(target) {
			if (socket.destroyed) target.destroy();
			if (targets.has(target)) return;
			targets.add(target);
			// Small writes wait for nothing.
			target.setNoDelay(true).setKeepAlive(true, TCP_KEEP_ALIVE_MS);
			const late = target.connecting ? setTimeout(() => target.destroy(noAnswer()), CONNECT_TIMEOUT_MS) : undefined;
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
 * What has been read from the client, and what the system has taken for it: the client may have received all of that. What
 * waits in this process is no traffic. How much of a write the system has taken stands in no documented place, and not
 * at all over TLS: there, the write in progress counts whole.
 */
function bytesOf(socket: Socket): Bytes {
	const { _bytesDispatched: dispatched = socket.bytesWritten, _handle: handle } = socket as WritingSocket;
	const notTaken = socket instanceof TLSSocket ? 0 : (handle?.writeQueueSize ?? 0);
	return { up: socket.bytesRead, down: dispatched - notTaken };
}

/** What Node itself uses of a socket. */
interface WritingSocket extends Socket {
	/** What was given to the system, also what it has not taken yet. */
	readonly _bytesDispatched?: number;
	readonly _handle?: { readonly writeQueueSize?: number } | null;
}

/** Calls `listener` when the socket ends, while it still knows which of its bytes were written. */
function onDestroy(socket: Socket, listener: () => void): void {
	const destroy = socket._destroy;
	socket._destroy = (error, callback) => {
		listener();
		destroy.call(socket, error, callback);
	};
}
