import type { KnownPair } from '../agent/pair-checker.ts';
import type { ClientConnection } from './client-connection.ts';

/**
 * Cuts the connections of an account when it has passed what its balance pays for, without asking the service. Before
 * that, it asks more often how much is left.
 */
export interface BalanceWatch {
	/** How many connections it has cut. */
	readonly cut: number;
	stop(): void;
}

export interface BalanceWatchOptions {
	readonly connections: () => Iterable<Watched>;
	/** Reports what has passed, and asks the service about these pairs. Must not reject. */
	readonly ask: (pairs: ReadonlySet<KnownPair>) => Promise<void>;
	/** Monotonic milliseconds. */
	readonly nowMs?: () => number;
}

type Watched = Pick<ClientConnection, 'pair' | 'counter' | 'count' | 'cut'>;

/** What an account passes within this time can be more than its balance pays for. */
const LOOK_MS = 20;
/** No account passes more in a millisecond: 10 Gbit/s. So one that has much left is counted more rarely. */
const MOST_BYTES_PER_MS = 1_250_000;
/** The service is asked no sooner after the last answer. */
const ASK_AGAIN_MS = 250;

export function startBalanceWatch(options: BalanceWatchOptions): BalanceWatch {
	const { connections, ask, nowMs = () => performance.now() } = options;
	let cut = 0;
	let isAsking = false;
	let answeredAtMs = Number.NEGATIVE_INFINITY;

	function look(): void {
		const atMs = nowMs();
		const counted: Watched[] = [];
		for (const connection of connections()) {
			if (connection.pair?.limitBytes === undefined) continue;
			if (leftBytes(connection) > msSinceCounted(connection, atMs) * MOST_BYTES_PER_MS) continue;
			connection.count();
			counted.push(connection);
		}
		const low = new Set<KnownPair>();
		for (const connection of counted) {
			const { pair, counter } = connection;
			if (!pair || !counter) continue;
			counter.countedAtMs = atMs;
			if (counter.passedBytes >= (pair.askAgainBytes ?? Number.POSITIVE_INFINITY)) low.add(pair);
			if (leftBytes(connection) > 0) continue;
			cut++;
			connection.cut('exhausted');
		}
		if (low.size > 0 && !isAsking && atMs - answeredAtMs >= ASK_AGAIN_MS) void askAgain(low);
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

/** Of what the balance pays for, as far as the connections of the account have been counted. */
function leftBytes({ pair, counter }: Watched): number {
	return (pair?.limitBytes ?? Number.POSITIVE_INFINITY) - (counter?.passedBytes ?? 0);
}

function msSinceCounted({ counter }: Watched, atMs: number): number {
	return atMs - (counter?.countedAtMs ?? 0);
}
