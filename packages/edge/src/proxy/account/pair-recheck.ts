import type { Logger } from 'pino';
import type { KnownPair, PairChecker } from '../../agent/pair-checker.ts';
import type { PairRefusal } from '../../agent/read-answers.ts';
import type { ClientConnection } from '../client/client-connection.ts';

/**
 * Asks about the pairs of open connections again and again, and cuts those whose pair is not good any more, or not from
 * their address. Of an account with too many connections, the newest are cut. The others hold the speed limits that came.
 */
export interface PairRecheck {
	/** How many connections it has cut. */
	readonly cut: number;
	/** Asks about these pairs now. Never rejects. */
	ask(pairs: Iterable<KnownPair>): Promise<void>;
	/**
	 * Why the connections of refused users may still be open; `undefined` if the pairs were asked about a short time ago.
	 */
	problem(): string | undefined;
	stop(): void;
}

export interface PairRecheckOptions {
	/** The oldest first. */
	readonly connections: () => Iterable<Rechecked>;
	readonly checker: Pick<PairChecker, 'recheck' | 'isAllowedFrom'>;
	readonly logger: Logger;
	/** Called for each connection that it cuts. */
	readonly onCut?: (connection: Rechecked, reason: PairRefusal) => void;
	/**
	 * Accounts with a limit of connections are asked about twice as often, because edges learn of each other only in this
	 * way.
	 */
	readonly intervalMs: number;
	/** Monotonic milliseconds. */
	readonly nowMs?: () => number;
}

type Rechecked = Pick<ClientConnection, 'client' | 'pair' | 'speed' | 'cut'>;

/**
 * Far above the time limit of a request to the service.
 * @bound The pairs of open connections are not checked: then the proxy is not ready.
 */
const LATE_MS = 30_000;

/** Goes on after a fault, until `stop`. */
export function startPairRecheck(options: PairRecheckOptions): PairRecheck {
	const { connections, checker, logger, onCut, intervalMs, nowMs = () => performance.now() } = options;
	let cut = 0;
	let completeAtMs = nowMs();
	let isStopped = false;
	let ticks = 0;
	const lookedAt = new WeakMap<Rechecked, string>();
	let timer = setTimeout(tick, intervalMs / 2);

	async function recheck(pairs: Iterable<KnownPair>): Promise<void> {
		const gone = await checker.recheck(pairs);
		/** How many connections of each account stay. */
		const kept = new Map<string, number>();
		for (const connection of connections()) {
			const { pair } = connection;
			if (!pair) continue;
			const before = kept.get(pair.username) ?? 0;
			const reason = gone.get(pair) ?? (isFromElsewhere(connection) ? 'address_not_allowed' : undefined);
			const isTooMuch = before >= (pair.maxConnections ?? Number.POSITIVE_INFINITY);
			if (reason === undefined && !isTooMuch) {
				kept.set(pair.username, before + 1);
				connection.speed.hold(pair);
			} else cutNow(connection, reason ?? 'connection_limit_reached');
		}
	}

	/** The addresses of a connection are compared with a list of networks once. */
	function isFromElsewhere(connection: Rechecked): boolean {
		const { pair, client } = connection;
		if (pair?.allowedFrom === undefined || lookedAt.get(connection) === pair.allowedFrom) return false;
		lookedAt.set(connection, pair.allowedFrom);
		return !checker.isAllowedFrom(pair, client);
	}

	function cutNow(connection: Rechecked, reason: PairRefusal): void {
		cut++;
		onCut?.(connection, reason);
		const isNamed = reason !== 'wrong_pair' && reason !== 'throttled' && reason !== 'unavailable';
		connection.cut(isNamed ? reason : 'pair_refused');
	}

	/** Resolves to whether the pairs could be checked. */
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
		const isOfAll = ticks++ % 2 === 0;
		const open = [...connections()].flatMap(({ pair }) => (pair ? [pair] : []));
		const asked = isOfAll ? open : open.filter(({ maxConnections }) => maxConnections !== undefined);
		if ((await attempt(asked)) && isOfAll) completeAtMs = nowMs();
		if (!isStopped) timer = setTimeout(tick, Math.max(0, startedAtMs + intervalMs / 2 - nowMs()));
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
