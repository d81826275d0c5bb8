import type { Logger } from 'pino';
import type { KnownPair, PairChecker } from '../agent/pair-checker.ts';
import type { ClientConnection } from './client-connection.ts';

/** Asks about the pairs of open connections again and again, and cuts those whose pair is not good any more. */
export interface PairRecheck {
	/** How many connections it has cut. */
	readonly cut: number;
	/** Asks about these pairs now. Never rejects. */
	ask(pairs: Iterable<KnownPair>): Promise<void>;
	/** Why refused users may go on; `undefined` if the pairs were asked about a short time ago. */
	problem(): string | undefined;
	stop(): void;
}

export interface PairRecheckOptions {
	readonly connections: () => Iterable<Pick<ClientConnection, 'pair' | 'cut'>>;
	readonly checker: Pick<PairChecker, 'recheck'>;
	readonly logger: Logger;
	readonly intervalMs: number;
	/** Monotonic milliseconds. */
	readonly nowMs?: () => number;
}

/** Far above the time limit of a request to the service. */
const LATE_MS = 30_000;

/** Goes on after a fault, until `stop`. */
export function startPairRecheck(options: PairRecheckOptions): PairRecheck {
	const { connections, checker, logger, intervalMs, nowMs = () => performance.now() } = options;
	let cut = 0;
	let completeAtMs = nowMs();
	let isStopped = false;
	let timer = setTimeout(tick, intervalMs);

	async function recheck(pairs: Iterable<KnownPair>): Promise<void> {
		const gone = await checker.recheck(pairs);
		for (const connection of connections()) {
			const reason = connection.pair && gone.get(connection.pair);
			if (!reason) continue;
			cut++;
			connection.cut(reason === 'exhausted' ? reason : 'pair_refused');
		}
	}

	/** Resolves to whether they could be checked. */
	async function attempt(pairs: Iterable<KnownPair>): Promise<boolean> {
		try {
			await recheck(pairs);
			return true;
		} catch (err) {
			logger.error({ err }, 'the pairs of open connections could not be checked');
			return false;
		}
	}

	async function tick(): Promise<void> {
		const startedAtMs = nowMs();
		const open = [...connections()].flatMap(({ pair }) => (pair ? [pair] : []));
		if (await attempt(open)) completeAtMs = nowMs();
		if (!isStopped) timer = setTimeout(tick, Math.max(0, startedAtMs + intervalMs - nowMs()));
	}

	return {
		get cut() {
			return cut;
		},
		ask: async (pairs) => void (await attempt(pairs)),
		problem() {
			if (nowMs() - completeAtMs <= LATE_MS) return undefined;
			return 'the pairs of open connections were not checked for 30 seconds';
		},
		stop() {
			isStopped = true;
			clearTimeout(timer);
		},
	};
}
