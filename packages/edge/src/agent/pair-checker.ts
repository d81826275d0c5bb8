import { hash } from 'node:crypto';
import { type CheckAnswer, type CheckRefusal, MAX_CHECKS, RECHECK_MS, STORE_AWAY_MS } from '@bursar/contract/edge';
import { normalizeUsername } from '@bursar/contract/username';
import { createCheckGathering } from './check-gathering.ts';
import type { EdgeClient } from './edge-client.ts';

/** A pair that the service called good. The caller passes it to `recheck` as long as its connection is open. */
export interface KnownPair {
	/** Normalized. */
	readonly username: string;
	readonly keyId: string;
}

export type PairVerdict =
	| { readonly pair: KnownPair; readonly refused?: undefined }
	| { readonly pair?: undefined; readonly refused: CheckRefusal };

export interface PairToCheck {
	readonly username: string;
	/** As the client of the proxy sent it. What stands before the first `_` is the key. */
	readonly password: string;
	/** The address of the proxy's client. */
	readonly client: string;
}

/** Checks pairs with the service, and remembers its answers for a short time. */
export interface PairChecker {
	/** Never rejects, and answers within about two seconds. */
	check(pair: PairToCheck): Promise<PairVerdict>;
	/** A pair that another process of this host has seen to be good, for `recheck`. */
	adopt(pair: KnownPair): KnownPair;
	/** Asks about all of these pairs again, and returns those that are not good any more. */
	recheck(pairs: Iterable<KnownPair>): Promise<ReadonlySet<KnownPair>>;
	readonly stats: CheckerStats;
}

export interface CheckerStats {
	/** How many checks were answered, from memory too. */
	good: number;
	readonly refused: Record<CheckRefusal, number>;
	/** Why the service could not be asked the last time; `undefined` if it answered. */
	away: string | undefined;
}

export interface PairCheckerOptions {
	readonly client: Pick<EdgeClient, 'check'>;
	/** Monotonic milliseconds. */
	readonly nowMs?: () => number;
	/** The most pairs that are remembered. The one that was asked about longest ago is forgotten. */
	readonly maxPairs?: number;
}

interface Known extends KnownPair {
	/** When the request began whose answer called it good. */
	goodAtMs: number;
	/** How long that answer counts. */
	freshMs: number;
}

/** The service refused a pair. Until then, it is not asked about this pair again. */
interface Refusal {
	readonly pauseMs: number;
	/** Monotonic. */
	readonly untilMs: number;
}

const MAX_PAIRS = 100_000;
const MAX_WRONG = 10_000;
const FIRST_WRONG_MS = 250;
/** So long the service must have refused the key of this edge, each time that it was asked, before it counts. */
const EDGE_REFUSED_MS = 3_000;
/** A good pair waits no longer than this for a service that hangs. */
const PATIENCE_MS = 500;
/** No key has another form. Our keys have 16 letters and digits. */
const KEY = /^[!-^`-~]{1,128}$/;

/**
 * An answer counts for `RECHECK_MS`, a refusal less at first. While the service is away, pairs that were good stay good
 * for `STORE_AWAY_MS`. If the service refuses the key of this edge for `EDGE_REFUSED_MS`, no pair is good.
 */
export function createPairChecker(options: PairCheckerOptions): PairChecker {
	const { client, nowMs = () => performance.now(), maxPairs = MAX_PAIRS } = options;
	const pairs = new Map<string, Known>();
	const wrong = new Map<string, Refusal>();
	const stats: CheckerStats = { good: 0, refused: { wrong_pair: 0, throttled: 0, unavailable: 0 }, away: undefined };
	const gathering = createCheckGathering(ask);
	/** Since when the service has refused the key of this edge each time. */
	let edgeRefusedAtMs: number | undefined;
	let isEdgeRefused = false;

	async function ask(checks: Parameters<EdgeClient['check']>[0]): Promise<readonly CheckAnswer[] | undefined> {
		const result = await client.check(checks);
		stats.away = result.ok ? undefined : `${result.code} (${result.message})`;
		takeEdgeState(result.ok, !result.ok && result.code === 'unauthorized');
		return result.ok ? result.value : undefined;
	}

	/** One refusal may be an accident, such as a key file that is being replaced. It must not end all connections. */
	function takeEdgeState(isServed: boolean, isRefused: boolean): void {
		if (isServed) {
			edgeRefusedAtMs = undefined;
			isEdgeRefused = false;
		}
		if (!isRefused) return;
		edgeRefusedAtMs ??= nowMs();
		isEdgeRefused = nowMs() - edgeRefusedAtMs >= EDGE_REFUSED_MS;
	}

	function isStillGood(pair: Known): boolean {
		return !isEdgeRefused && nowMs() - pair.goodAtMs <= STORE_AWAY_MS;
	}

	/** Asks about a pair that was good, without its key. `wrong_pair`: its key is another one now. */
	async function askAgain(digest: string, pair: Known): Promise<PairVerdict> {
		const askedAtMs = nowMs();
		const answer = await gathering.ask({ username: pair.username, key_id: pair.keyId });
		if (answer?.ok) {
			renew(pair, answer, askedAtMs);
			return { pair };
		}
		if (answer?.reason === 'wrong_pair') {
			pairs.delete(digest);
			return { refused: 'wrong_pair' };
		}
		return isStillGood(pair) ? { pair } : { refused: 'unavailable' };
	}

	async function askFirst(digest: string, username: string, key: string, address: string): Promise<PairVerdict> {
		const askedAtMs = nowMs();
		const answer = await gathering.ask({ username, password: key, client: address });
		if (answer?.ok) {
			const pair = {
				username: answer.username ?? username,
				keyId: answer.key_id ?? '',
				goodAtMs: askedAtMs,
				freshMs: 0,
			};
			renew(pair, answer, askedAtMs);
			remember(pairs, digest, pair, maxPairs);
			wrong.delete(digest);
			return { pair };
		}
		if (answer?.reason === 'wrong_pair') refuseFor(digest, askedAtMs);
		return { refused: answer?.reason ?? 'unavailable' };
	}

	/** The first refusal may be older than a new key, so it is short. Further ones are longer: guesses cost little. */
	function refuseFor(digest: string, askedAtMs: number): void {
		const pauseMs = Math.min((wrong.get(digest)?.pauseMs ?? FIRST_WRONG_MS / 2) * 2, RECHECK_MS);
		remember(wrong, digest, { pauseMs, untilMs: askedAtMs + pauseMs }, MAX_WRONG);
	}

	async function decide({ username: text, password, client: address }: PairToCheck): Promise<PairVerdict> {
		const username = normalizeUsername(text);
		const key = password.split('_', 1)[0] ?? '';
		if (username === undefined || !KEY.test(key)) return { refused: 'wrong_pair' };
		const digest = hash('sha256', `${username}:${key}`, 'base64url');
		const pair = pairs.get(digest);
		if (pair) {
			// Those that are used stay.
			remember(pairs, digest, pair, maxPairs);
			if (nowMs() - pair.goodAtMs < pair.freshMs && !isEdgeRefused) return { pair };
			const verdict = await withPatience(pair, askAgain(digest, pair));
			if (verdict.refused !== 'wrong_pair') return verdict;
		}
		if (nowMs() < (wrong.get(digest)?.untilMs ?? 0)) return { refused: 'wrong_pair' };
		return askFirst(digest, username, key, address);
	}

	/** If the service hangs, a good pair does not wait for it. */
	async function withPatience(pair: Known, asked: Promise<PairVerdict>): Promise<PairVerdict> {
		if (stats.away !== undefined && isStillGood(pair)) return { pair };
		let timer: NodeJS.Timeout | undefined;
		const late = new Promise<PairVerdict | undefined>((resolve) => {
			timer = setTimeout(resolve, PATIENCE_MS, undefined);
		});
		const verdict = await Promise.race([asked, late]);
		clearTimeout(timer);
		if (verdict) return verdict;
		return isStillGood(pair) ? { pair } : asked;
	}

	async function recheckSome(some: readonly Known[], gone: Set<KnownPair>): Promise<void> {
		const askedAtMs = nowMs();
		const answers = await ask(some.map(({ username, keyId }) => ({ username, key_id: keyId })));
		for (const [index, pair] of some.entries()) {
			const answer = answers?.[index];
			if (answer?.ok) renew(pair, answer, askedAtMs);
			// The next check of this pair asks, too.
			if (answer?.reason === 'wrong_pair') pair.goodAtMs = Number.NEGATIVE_INFINITY;
			if (!isStillGood(pair)) gone.add(pair);
		}
	}

	return {
		async check(pair) {
			const verdict = await decide(pair);
			if (verdict.pair) stats.good++;
			else stats.refused[verdict.refused]++;
			return verdict;
		},
		adopt({ username, keyId }) {
			const known: Known = { username, keyId, goodAtMs: nowMs(), freshMs: 0 };
			return known;
		},
		async recheck(some) {
			const all = [...new Set(some)] as Known[];
			const gone = new Set<KnownPair>();
			const batches: Promise<void>[] = [];
			for (let from = 0; from < all.length; from += MAX_CHECKS) {
				batches.push(recheckSome(all.slice(from, from + MAX_CHECKS), gone));
			}
			await Promise.all(batches);
			return gone;
		},
		stats,
	};
}

/** Answers may come in another order than their requests began. */
function renew(pair: Known, answer: CheckAnswer, askedAtMs: number): void {
	if (askedAtMs < pair.goodAtMs) return;
	pair.goodAtMs = askedAtMs;
	pair.freshMs = Math.min(answer.recheck_ms, RECHECK_MS);
}

/** Sets an entry as the newest. If there are too many, the oldest is forgotten. */
function remember<Value>(entries: Map<string, Value>, name: string, value: Value, most: number): void {
	entries.delete(name);
	entries.set(name, value);
	if (entries.size <= most) return;
	const [oldest] = entries.keys();
	if (oldest !== undefined) entries.delete(oldest);
}
