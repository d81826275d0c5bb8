import { hash } from 'node:crypto';
import { createAllowedLists } from '@bursar/contract/allowed-ips';
import { type LeftReason, MAX_CHECKS, RECHECK_MS, STORE_AWAY_MS } from '@bursar/contract/edge';
import { keyInProxyPassword } from '@bursar/contract/proxy-options';
import { normalizeUsername } from '@bursar/contract/username';
import { createCheckGathering } from './check-gathering.ts';
import type { EdgeClient } from './edge-client.ts';
import type { PairAnswer, PairRefusal } from './read-answers.ts';

/**
 * A pair that the service called good. The caller passes it to `recheck` as long as its connection is open. What it holds
 * changes with each answer of the service.
 */
export interface KnownPair {
	/** Normalized. */
	readonly username: string;
	readonly keyId: string;
	/**
	 * When this process has passed so many bytes of the account, nothing is left of its balance or of a limit. Absent: none
	 * limits it.
	 */
	readonly limitBytes?: number | undefined;
	/** Which of both it is. */
	readonly leftReason?: LeftReason | undefined;
	/** When it has passed so many, ask again: others may use up the same balance elsewhere. */
	readonly askAgainBytes?: number | undefined;
	/** How many connections of the account this edge may have open. The newest are to be cut. */
	readonly maxConnections?: number | undefined;
	/** When it expires, in monotonic milliseconds. */
	readonly endsAtMs?: number | undefined;
	/** From where it is good: addresses and networks, with commas between them. Absent: from anywhere. */
	readonly allowedFrom?: string | undefined;
}

/** The bytes of an account since this process started, in both directions. */
export interface AccountBytes {
	readonly passed: number;
	/** What the service has counted of them, as it has acknowledged. */
	readonly reported: number;
	/** What it may have counted: a report of that is on its way, or its answer was lost. */
	readonly sent: number;
}

export type PairVerdict =
	| { readonly pair: KnownPair; readonly refused?: undefined }
	| { readonly pair?: undefined; readonly refused: PairRefusal };

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
	/** Whether the pair is good from this address, as far as it is known. */
	isAllowedFrom(pair: KnownPair, address: string): boolean;
	/** A pair that another process of this host has seen to be good, for `recheck`. */
	adopt(pair: KnownPair): KnownPair;
	/** Asks about all of these pairs again, and returns those that are not good any more, with the reason. */
	recheck(pairs: Iterable<KnownPair>): Promise<ReadonlyMap<KnownPair, PairRefusal>>;
	readonly stats: CheckerStats;
}

export interface CheckerStats {
	/** How many checks were answered, from memory too. */
	good: number;
	readonly refused: Record<PairRefusal, number>;
	/** Why the service could not be asked the last time; `undefined` if it answered. */
	away: string | undefined;
}

export interface PairCheckerOptions {
	readonly client: Pick<EdgeClient, 'check'>;
	/** What has passed here of an account. Without it, only the service knows when a balance has run out. */
	readonly bytesOf?: (username: string) => AccountBytes;
	/** Monotonic milliseconds. */
	readonly nowMs?: () => number;
	/** The most pairs that are remembered. The one that was asked about longest ago is forgotten. */
	readonly maxPairs?: number;
}

interface Known extends Writable<KnownPair> {
	/** When the request began whose answer called it good. */
	goodAtMs: number;
	/** How long that answer counts. */
	freshMs: number;
}

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

/** When the service was asked (monotonic), and the bytes of the account then. */
interface Asked {
	readonly atMs: number;
	readonly bytes: AccountBytes;
}

/** The service refused a pair. Until then, it is not asked about this pair again. */
interface Refusal {
	readonly reason: LastingRefusal;
	readonly pauseMs: number;
	/** Monotonic. */
	readonly untilMs: number;
}

/** Refusals that are remembered, and that end a pair that was good. The others say nothing of it. */
type LastingRefusal = Exclude<PairRefusal, 'throttled' | 'unavailable'>;

const MAX_PAIRS = 100_000;
const MAX_REFUSALS = 10_000;
/** Of networks that stay read: 12 MB. A pair itself has its list as text. */
const MAX_LISTS = 1_000;
const FIRST_REFUSAL_MS = 250;
const LONGEST_WRONG_MS = RECHECK_MS;
/** A top-up must work within two seconds, and so must whatever else makes the pair good again. */
const LONGEST_OTHER_MS = 1_000;
/** An answer counts for less than it could, so that an account is refused within two seconds of its suspension. */
const FRESH_MS = 1_500;
/** So long the service must have refused the key of this edge, each time that it was asked, before it counts. */
const EDGE_REFUSED_MS = 3_000;
/** A good pair waits no longer than this for a service that hangs. */
const PATIENCE_MS = 500;
/** If up to four edges use up a balance equally fast, each of them asks again before nothing is left. */
const ASK_AGAIN_SHARE = 1 / 4;
/** No key has another form. Our keys have 16 letters and digits. */
const KEY = /^[!-^`-~]{1,128}$/;

/**
 * An answer counts for `FRESH_MS`, a refusal less at first. While the service is away, pairs that were good stay good
 * for `STORE_AWAY_MS`. If the service refuses the key of this edge for `EDGE_REFUSED_MS`, no pair is good.
 */
export function createPairChecker(options: PairCheckerOptions): PairChecker {
	const { client, bytesOf = noBytes, nowMs = () => performance.now(), maxPairs = MAX_PAIRS } = options;
	const pairs = new Map<string, Known>();
	const refusals = new Map<string, Refusal>();
	const stats: CheckerStats = {
		good: 0,
		refused: {
			wrong_pair: 0,
			throttled: 0,
			unavailable: 0,
			suspended: 0,
			expired: 0,
			address_not_allowed: 0,
			exhausted: 0,
			limit_reached: 0,
			connection_limit_reached: 0,
		},
		away: undefined,
	};
	const lists = createAllowedLists(MAX_LISTS);
	const gathering = createCheckGathering(ask);
	/** Since when the service has refused the key of this edge each time. */
	let edgeRefusedAtMs: number | undefined;
	let isEdgeRefused = false;

	async function ask(checks: Parameters<EdgeClient['check']>[0]): Promise<readonly PairAnswer[] | undefined> {
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

	/**
	 * Why a pair that was called good is not, as far as this process knows. What it has passed may not be reported yet.
	 */
	function endOf(pair: KnownPair, address?: string): LastingRefusal | undefined {
		const { username, limitBytes, leftReason = 'exhausted', endsAtMs } = pair;
		if (endsAtMs !== undefined && endsAtMs <= nowMs()) return 'expired';
		if (address !== undefined && !isAllowedFrom(pair, address)) return 'address_not_allowed';
		return limitBytes !== undefined && bytesOf(username).passed >= limitBytes ? leftReason : undefined;
	}

	function isAllowedFrom({ allowedFrom }: KnownPair, address: string): boolean {
		return allowedFrom === undefined || lists(allowedFrom, address);
	}

	function asking(username: string): Asked {
		return { atMs: nowMs(), bytes: bytesOf(username) };
	}

	/** Asks about a pair that was good, without its key. `wrong_pair`: its key is another one now. */
	async function askAgain(digest: string, pair: Known): Promise<PairVerdict> {
		const asked = asking(pair.username);
		const answer = await gathering.ask({ username: pair.username, key_id: pair.keyId });
		if (answer?.ok) {
			renew(pair, answer, asked, bytesOf(pair.username));
			return { pair };
		}
		if (answer?.reason === 'wrong_pair') {
			pairs.delete(digest);
			return { refused: 'wrong_pair' };
		}
		if (isLasting(answer?.reason)) {
			end(pair, asked);
			return { refused: answer.reason };
		}
		return isStillGood(pair) ? { pair } : { refused: 'unavailable' };
	}

	async function askFirst(digest: string, username: string, key: string, address: string): Promise<PairVerdict> {
		const asked = asking(username);
		const answer = await gathering.ask({ username, password: key, client: address });
		if (answer?.ok) {
			const pair: Known = {
				username: answer.username ?? username,
				keyId: answer.key_id ?? '',
				goodAtMs: asked.atMs,
				freshMs: 0,
			};
			renew(pair, answer, asked, bytesOf(pair.username));
			remember(pairs, digest, pair, maxPairs);
			return { pair };
		}
		return { refused: answer?.reason ?? 'unavailable' };
	}

	/** The first refusal may be older than a new key, so it is short. Further ones are longer: guesses cost little. */
	function refuseFor(digest: string, reason: LastingRefusal, askedAtMs: number): void {
		const beforeMs = refusals.get(digest)?.pauseMs ?? FIRST_REFUSAL_MS / 2;
		const pauseMs = Math.min(beforeMs * 2, reason === 'wrong_pair' ? LONGEST_WRONG_MS : LONGEST_OTHER_MS);
		remember(refusals, digest, { reason, pauseMs, untilMs: askedAtMs + pauseMs }, MAX_REFUSALS);
	}

	async function decide({ username: text, password, client: address }: PairToCheck): Promise<PairVerdict> {
		const username = normalizeUsername(text);
		const key = keyInProxyPassword(password);
		if (username === undefined || !KEY.test(key)) return { refused: 'wrong_pair' };
		const digest = hash('sha256', `${username}:${key}`, 'base64url');
		const pair = pairs.get(digest);
		// Those that are used stay.
		if (pair) remember(pairs, digest, pair, maxPairs);
		if (pair && nowMs() - pair.goodAtMs < pair.freshMs && !isEdgeRefused && !endOf(pair, address)) return { pair };
		// Where one address is refused, another one may be good.
		const ofAddress = `${digest} ${address}`;
		const refusal = [refusals.get(digest), refusals.get(ofAddress)].find((each) => each && nowMs() < each.untilMs);
		if (refusal) return { refused: refusal.reason };
		const askedAtMs = nowMs();
		let verdict = pair && (await withPatience(pair, address, askAgain(digest, pair)));
		if (!verdict || verdict.refused === 'wrong_pair') verdict = await askFirst(digest, username, key, address);
		const ended = verdict.pair && endOf(verdict.pair, address);
		if (ended) verdict = { refused: ended };
		if (verdict.pair) {
			refusals.delete(digest);
			refusals.delete(ofAddress);
		}
		const { refused } = verdict;
		if (isLasting(refused)) refuseFor(refused === 'address_not_allowed' ? ofAddress : digest, refused, askedAtMs);
		return verdict;
	}

	/** If the service hangs, a good pair does not wait for it. */
	async function withPatience(pair: Known, address: string, asked: Promise<PairVerdict>): Promise<PairVerdict> {
		if (stats.away !== undefined && isStillGood(pair) && !endOf(pair, address)) return { pair };
		let timer: NodeJS.Timeout | undefined;
		const late = new Promise<PairVerdict | undefined>((resolve) => {
			timer = setTimeout(resolve, PATIENCE_MS, undefined);
		});
		const verdict = await Promise.race([asked, late]);
		clearTimeout(timer);
		if (verdict) return verdict;
		return isStillGood(pair) ? { pair } : asked;
	}

	async function recheckSome(some: readonly Known[], gone: Map<KnownPair, PairRefusal>): Promise<void> {
		const asked = some.map(({ username }) => asking(username));
		const answers = await ask(some.map(({ username, keyId }) => ({ username, key_id: keyId })));
		for (const [index, pair] of some.entries()) {
			const answer = answers?.[index];
			const when = asked[index] as Asked;
			if (answer?.ok) renew(pair, answer, when, bytesOf(pair.username));
			if (isLasting(answer?.reason)) end(pair, when);
			if (!isStillGood(pair)) gone.set(pair, answer?.reason ?? 'unavailable');
		}
	}

	return {
		async check(pair) {
			const verdict = await decide(pair);
			if (verdict.pair) stats.good++;
			else stats.refused[verdict.refused]++;
			return verdict;
		},
		isAllowedFrom,
		adopt({ username, keyId }) {
			const known: Known = { username, keyId, goodAtMs: nowMs(), freshMs: 0 };
			return known;
		},
		async recheck(some) {
			const all = [...new Set(some)] as Known[];
			const gone = new Map<KnownPair, PairRefusal>();
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

function isLasting(reason: PairRefusal | null | undefined): reason is LastingRefusal {
	return typeof reason === 'string' && reason !== 'throttled' && reason !== 'unavailable';
}

/** Answers may come in another order than their requests began. `now` are the bytes when this one came. */
function renew(pair: Known, answer: PairAnswer, { atMs, bytes }: Asked, now: AccountBytes): void {
	if (atMs < pair.goodAtMs) return;
	const { recheck_ms, left_bytes, left_reason, max_connections, ends_in_ms, allowed_ips } = answer;
	pair.goodAtMs = atMs;
	pair.freshMs = Math.min(recheck_ms, FRESH_MS);
	pair.leftReason = left_reason ?? undefined;
	pair.maxConnections = max_connections ?? undefined;
	pair.endsAtMs = ends_in_ms === null ? undefined : atMs + ends_in_ms;
	pair.allowedFrom = allowed_ips?.join();
	pair.limitBytes =
		left_bytes === null
			? undefined
			: within(pair.limitBytes, bytes.reported + left_bytes, Math.max(bytes.reported, now.sent) + left_bytes);
	pair.askAgainBytes = pair.limitBytes && bytes.passed + (pair.limitBytes - bytes.passed) * ASK_AGAIN_SHARE;
}

/**
 * The service may have counted a report that was under way while it was asked, or not. So the limit is between `least` and
 * `most`. To take the least would take the bytes of that report twice, so what was held before stays, unless it is too
 * much. If there is more now, the next answer without such a report says so.
 */
function within(before: number | undefined, least: number, most: number): number {
	return least === most ? least : Math.min(before ?? least, most);
}

/** It was good before. The next check of this pair asks. */
function end(pair: Known, { atMs }: Asked): void {
	if (atMs >= pair.goodAtMs) pair.goodAtMs = Number.NEGATIVE_INFINITY;
}

function noBytes(): AccountBytes {
	return { passed: 0, reported: 0, sent: 0 };
}

/** Sets an entry as the newest. If there are too many, the oldest is forgotten. */
function remember<Value>(entries: Map<string, Value>, name: string, value: Value, most: number): void {
	entries.delete(name);
	entries.set(name, value);
	if (entries.size <= most) return;
	const [oldest] = entries.keys();
	if (oldest !== undefined) entries.delete(oldest);
}
