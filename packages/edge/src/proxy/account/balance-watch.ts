import type { LeftReason } from '@bursar/contract/edge';
import type { KnownPair } from '../../agent/pair-checker.ts';
import type { ClientConnection } from '../client/client-connection.ts';
import type { AccountCounter } from './account-counters.ts';

/**
 * Cuts the connections of an account when its balance or a limit is used up, or when it expires, without asking the
 * service. When little is left, it asks the service for the rest more often.
 */
export interface BalanceWatch {
	/** How many connections it has cut. */
	readonly cut: number;
	stop(): void;
}

export interface BalanceWatchOptions {
	readonly connections: () => Iterable<Watched>;
	/** Reports the bytes that have passed, and asks the service about these pairs. Must not reject. */
	readonly ask: (pairs: ReadonlySet<KnownPair>) => Promise<void>;
	/** Called for each connection that it cuts. */
	readonly onCut?: (connection: Watched, reason: LeftReason | 'expired') => void;
	/** Monotonic milliseconds. */
	readonly nowMs?: () => number;
}

type Watched = Pick<ClientConnection, 'client' | 'pair' | 'counter' | 'count' | 'cut'>;

/**
 * An account can pass more than its balance pays for within this time.
 * @bound The time between two counts of an account that could run out before the next one: it is counted again.
 */
const LOOK_MS = 20;
/** An account passes at most this much: 10 Gbit/s. So an account that has much left is counted more rarely. */
const MOST_BYTES_PER_MS = 1_250_000;
/** How often all connections are looked at. In between, only those are that can run out before the next time. */
const LOOK_AT_ALL_MS = 250;
/** @bound The pause before the service is asked again about what is left: then it is asked. */
const ASK_AGAIN_MS = 250;

export function startBalanceWatch(options: BalanceWatchOptions): BalanceWatch {
	const { connections, ask, onCut, nowMs = () => performance.now() } = options;
	let cut = 0;
	let near: readonly Watched[] = [];
	let looksAtAllMs = Number.NEGATIVE_INFINITY;
	let isAsking = false;
	let answeredAtMs = Number.NEGATIVE_INFINITY;
	let isReporting = false;

	function look(): void {
		const atMs = nowMs();
		if (atMs >= looksAtAllMs) {
			const nextMs = atMs + LOOK_AT_ALL_MS;
			near = Array.from(connections()).filter((each) => canRunOutBy(each, nextMs) || isExpired(each, nextMs));
			looksAtAllMs = nextMs;
		}
		const counted = near.filter((connection) => canRunOutBy(connection, atMs));
		for (const connection of counted) connection.count();
		const low = new Set<KnownPair>();
		const gone = new Set<Watched>();
		const cutNow = (connection: Watched, reason: LeftReason | 'expired') => {
			gone.add(connection);
			cut++;
			onCut?.(connection, reason);
			connection.cut(reason);
		};
		for (const connection of near) if (isExpired(connection, atMs)) cutNow(connection, 'expired');
		for (const connection of counted) {
			const { pair, counter } = connection;
			if (!pair || !counter || isExpired(connection, atMs)) continue;
			counter.countedAtMs = atMs;
			if (counter.passedBytes >= (pair.askAgainBytes ?? Number.POSITIVE_INFINITY)) low.add(pair);
			if (leftBytes(pair, counter) <= 0) cutNow(connection, pair.leftReason ?? 'exhausted');
		}
		// They close, and need no further look.
		if (gone.size > 0) near = near.filter((connection) => !gone.has(connection));
		if (gone.size > 0 && !isReporting) void reportCuts();
		if (low.size > 0 && !isAsking && atMs - answeredAtMs >= ASK_AGAIN_MS) void askAgain(low);
	}

	/** The service tells other edges that a balance is used up. So the last bytes are reported at once. */
	async function reportCuts(): Promise<void> {
		isReporting = true;
		for (let reported = -1; reported !== cut; ) {
			reported = cut;
			await ask(new Set());
		}
		isReporting = false;
	}

	async function askAgain(pairs: ReadonlySet<KnownPair>): Promise<void> {
		isAsking = true;
		await ask(pairs);
		isAsking = false;
		answeredAtMs = nowMs();
	}

	const timer = setInterval(look, LOOK_MS);
	return {
		get cut() {
			return cut;
		},
		stop: () => clearInterval(timer),
	};
}

function isExpired({ pair }: Watched, atMs: number): boolean {
	return pair?.endsAtMs !== undefined && pair.endsAtMs <= atMs;
}

/** Whether the account of this connection can have used up its balance or limit at that time. */
function canRunOutBy({ pair, counter }: Watched, atMs: number): boolean {
	if (!counter || pair?.limitBytes === undefined) return false;
	return leftBytes(pair, counter) <= (atMs - counter.countedAtMs) * MOST_BYTES_PER_MS;
}

/** By the bytes that are counted so far. */
function leftBytes({ limitBytes = Number.POSITIVE_INFINITY }: KnownPair, { passedBytes }: AccountCounter): number {
	return limitBytes - passedBytes;
}
