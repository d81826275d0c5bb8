import { hash } from 'node:crypto';
import { createAllowedLists } from '@bursar/contract/allowed-ips';
import { type LeftReason, MAX_CHECKS, RECHECK_MS, STORE_AWAY_MS } from '@bursar/contract/edge';
import { keyInProxyPassword } from '@bursar/contract/proxy-options';
import { normalizeUsername } from '@bursar/contract/username';
import { createAddressAsking } from './address-asking.ts';
import { type AnyCheck, createCheckGathering } from './check-gathering.ts';
import type { EdgeClient } from './edge-client.ts';
import type { PairAnswer, PairRefusal } from './read-answers.ts';

/**
 * A pair that the service called good. The caller passes it to `recheck` as long as its connection is open. Each answer of
 * the service changes its fields.
 */
export interface KnownPair {
	/** Normalized. */
	readonly username: string;
	readonly keyId: string;
	/** Whose account it is. Absent: the service is older, and does not say it. */
	readonly reseller?: string | undefined;
	/**
	 * The bytes of the account, passed by this process, at which its balance or a limit is used up. Absent: neither limits
	 * it.
	 */
	readonly limitBytes?: number | undefined;
	/** Which of the two is used up then. */
	readonly leftReason?: LeftReason | undefined;
	/** The bytes at which to ask the service again: other edges may use up the same balance. */
	readonly askAgainBytes?: number | undefined;
	/** How many connections of the account may be open on this edge. Beyond, the newest are cut. */
	readonly maxConnections?: number | undefined;
	/** How many bytes of the account may pass in a second on this edge, up and down each. */
	readonly bytesPerSecond?: number | undefined;
	/** When it expires, in monotonic milliseconds. */
	readonly endsAtMs?: number | undefined;
	/** From where it is good: addresses and networks, with commas between them. Absent: from anywhere. */
	readonly allowedFrom?: string | undefined;
}

/** The bytes of an account since this process started, in both directions. */
export interface AccountBytes {
	readonly passed: number;
	/** How many of them the service has counted, as it has acknowledged. */
	readonly reported: number;
	/** How many it may have counted: a report may be on its way, or its answer may be lost. */
	readonly sent: number;
}

export type PairVerdict =
	| { readonly pair: KnownPair; readonly refused?: undefined; readonly username?: undefined }
	/** `username`: the account, if no name was sent. */
	| { readonly pair?: undefined; readonly refused: PairRefusal; readonly username?: string | undefined };

export interface PairToCheck {
	readonly username: string;
	/** As the client of the proxy sent it. The text before the first `_` is the key. */
	readonly password: string;
	/** The address of the proxy's client. */
	readonly client: string;
}

/** Checks pairs with the service, and remembers its answers for a short time. */
export interface PairChecker {
	/** Never rejects, and answers within about two seconds. */
	check(pair: PairToCheck): Promise<PairVerdict>;
	/**
	 * The same for a client that sends no pair: whether an account signs in by its address. `undefined`: none does, as far as can
	 * be known now, and the client is to send a pair. A refusal names the account.
	 */
	checkAddress(client: string): Promise<PairVerdict | undefined>;
	/** Whether the pair is good from this address, as far as this process knows. */
	isAllowedFrom(pair: KnownPair, address: string): boolean;
	/** Takes a pair that another process of this host knows to be good, for `recheck`. */
	adopt(pair: KnownPair): KnownPair;
	/** Asks about all of these pairs again, and returns those that are not good any more, with the reason. */
	recheck(pairs: Iterable<KnownPair>): Promise<ReadonlyMap<KnownPair, PairRefusal>>;
	readonly stats: CheckerStats;
}

export interface CheckerStats {
	/** How many checks found a good pair, also from memory. */
	good: number;
	readonly refused: Record<PairRefusal, number>;
	/** Why the last request to the service failed; `undefined` if it answered. */
	away: string | undefined;
}

export interface PairCheckerOptions {
	readonly client: Pick<EdgeClient, 'check'>;
	/** The bytes that an account has passed here. Without it, only the service knows when a balance is used up. */
	readonly bytesOf?: (username: string) => AccountBytes;
	/** Monotonic milliseconds. */
	readonly nowMs?: () => number;
	/** The most pairs that are remembered. Beyond, the pair is forgotten whose last check is the oldest. */
	readonly maxPairs?: number;
}

interface Known extends Writable<KnownPair> {
	/** When the request began that called it good. */
	goodAtMs: number;
	/** How long that answer may be used. */
	freshMs: number;
}

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

/** When the service was asked (monotonic), and the bytes of the account then. */
interface Asked {
	readonly atMs: number;
	readonly bytes: AccountBytes;
}

/** What is asked about: a pair by its digest, or an address. */
interface Asking {
	readonly name: string;
	/** Of the client. */
	readonly address: string;
	/** What is remembered of it. */
	readonly pair: Known | undefined;
}

/** A refusal of the service. Until `untilMs`, the pair is refused without asking again. */
interface Refusal {
	readonly reason: LastingRefusal;
	/** Of a client without a pair: its account. */
	readonly username: string | undefined;
	readonly pauseMs: number;
	/** Monotonic. */
	readonly untilMs: number;
}

/** Refusals that are remembered, and that end a pair that was good. Other refusals do not say whether the pair is good. */
type LastingRefusal = Exclude<PairRefusal, 'throttled' | 'unavailable'>;

/** @bound Good pairs that are remembered: the oldest are forgotten. */
const MAX_PAIRS = 100_000;
/** @bound Addresses from which clients without a pair have signed in, that are remembered: the oldest are forgotten. */
const MAX_ADDRESSES = 20_000;
/** @bound Refused pairs that are remembered: the oldest are forgotten. */
const MAX_REFUSALS = 10_000;
/**
 * Parsed lists of networks, 12 MB in all. A pair itself has its list as text.
 * @bound Lists of networks that are kept in parsed form: others are parsed again.
 */
const MAX_LISTS = 1_000;
/**
 * @bound A refusal is remembered at first, and each further one of the pair for twice as long: then the service is
 * asked.
 */
const FIRST_REFUSAL_MS = 250;
/** @bound A refusal of a wrong pair is remembered: then the service is asked. */
const LONGEST_WRONG_MS = RECHECK_MS;
/**
 * A top-up must work within two seconds, like anything else that makes a pair good again.
 * @bound A refusal of a right pair is remembered: then the service is asked.
 */
const LONGEST_OTHER_MS = 1_000;
/**
 * Answers are used for less time than the service allows, so that an account is refused within two seconds of its
 * suspension.
 * @bound A good answer is used: then the service is asked.
 */
const FRESH_MS = 1_500;
/** @bound The service refuses the key of this edge at each request: then no pair is good. */
const EDGE_REFUSED_MS = 3_000;
/** @bound A good pair waits for a service that hangs: then the last good answer counts. */
const PATIENCE_MS = 500;
/** If up to four edges use up a balance equally fast, each of them asks again before nothing is left. */
const ASK_AGAIN_SHARE = 1 / 4;
/** Our keys have 16 letters and digits. No key has another form than this. */
const KEY = /^[!-^`-~]{1,128}$/;

/**
 * Checks pairs. An answer is used for `FRESH_MS`, a refusal for less at first. While the service is away, pairs that were
 * good stay good for `STORE_AWAY_MS`. If the service refuses the key of this edge for `EDGE_REFUSED_MS`, no pair is good.
 */
export function createPairChecker(options: PairCheckerOptions): PairChecker {
	const { client, bytesOf = noBytes, nowMs = () => performance.now(), maxPairs = MAX_PAIRS } = options;
	const pairs = new Map<string, Known>();
	/** By address. One client can have all addresses of a /64, and must not drive out pairs. */
	const byAddress = new Map<string, Known>();
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
	const addresses = createAddressAsking(client, nowMs);
	/** When the service began to refuse the key of this edge at each request. */
	let edgeRefusedAtMs: number | undefined;
	let isEdgeRefused = false;

	async function ask(checks: readonly AnyCheck[]): Promise<readonly PairAnswer[] | undefined> {
		const result = await client.check(checks);
		if (result.ok) addresses.tell(result.value.signsInByAddress);
		stats.away = result.ok ? undefined : `${result.code} (${result.message})`;
		takeEdgeState(result.ok, !result.ok && result.code === 'unauthorized');
		return result.ok ? result.value.answers : undefined;
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
	 * Why a pair is refused that the service called good, as far as this process knows. Bytes that are not reported yet
	 * count too.
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

	/** Asks about a pair that was good, without its key. `wrong_pair`: its key was replaced, or its address is no one's now. */
	async function askAgain(name: string, pair: Known): Promise<PairVerdict> {
		const asked = asking(pair.username);
		const answer = await gathering.ask({ username: pair.username, key_id: pair.keyId });
		if (answer?.ok) {
			renew(pair, answer, asked, bytesOf(pair.username));
			return { pair };
		}
		if (answer?.reason === 'wrong_pair') {
			for (const room of [pairs, byAddress]) room.delete(name);
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

	/** Bytes that were counted while its account was not known cannot be told apart. So what is left is asked for once more. */
	async function askAddress(name: string, address: string): Promise<PairVerdict> {
		const atMs = nowMs();
		const answer = await addresses.ask(address);
		const username = answer?.username;
		if (!answer || !username) return NO_ACCOUNT;
		if (!answer.ok) return { refused: answer.reason ?? 'unavailable', username };
		const pair: Known = { username, keyId: answer.key_id ?? '', goodAtMs: atMs, freshMs: 0 };
		const bytes = bytesOf(username);
		renew(pair, answer, { atMs, bytes }, bytes);
		remember(byAddress, name, pair, MAX_ADDRESSES);
		if (answer.left_bytes === null) return { pair };
		const again = await askAgain(name, pair);
		return again.refused === 'wrong_pair' ? NO_ACCOUNT : again;
	}

	/**
	 * The first refusal may be older than a new key, so it is short. Further ones are longer, so that guesses cost little.
	 */
	function refuseFor(digest: string, refusal: Pick<Refusal, 'reason' | 'username'>, askedAtMs: number): void {
		const { reason } = refusal;
		const beforeMs = refusals.get(digest)?.pauseMs ?? FIRST_REFUSAL_MS / 2;
		const pauseMs = Math.min(beforeMs * 2, reason === 'wrong_pair' ? LONGEST_WRONG_MS : LONGEST_OTHER_MS);
		remember(refusals, digest, { ...refusal, pauseMs, untilMs: askedAtMs + pauseMs }, MAX_REFUSALS);
	}

	async function decide({ username: text, password, client: address }: PairToCheck): Promise<PairVerdict> {
		const username = normalizeUsername(text);
		const key = keyInProxyPassword(password);
		if (username === undefined || !KEY.test(key)) return { refused: 'wrong_pair' };
		const digest = hash('sha256', `${username}:${key}`, 'base64url');
		const pair = pairs.get(digest);
		// Pairs that are used stay longest.
		if (pair) remember(pairs, digest, pair, maxPairs);
		return decideAs({ name: digest, address, pair }, () => askFirst(digest, username, key, address));
	}

	async function decideAddress(address: string): Promise<PairVerdict | undefined> {
		// No digest contains a space.
		const name = `by ${address}`;
		const pair = byAddress.get(name);
		if (pair) remember(byAddress, name, pair, MAX_ADDRESSES);
		const isRefused = nowMs() < (refusals.get(name)?.untilMs ?? 0);
		if (!pair && !isRefused && addresses.isUnknown(address)) return undefined;
		const verdict = await decideAs({ name, address, pair }, () => askAddress(name, address));
		if (verdict.pair) return verdict;
		const { refused, username = byAddress.get(name)?.username } = verdict;
		return refused === 'unavailable' ? undefined : { refused, username };
	}

	/** `pair` is remembered under this name, if one is. `askAnew` asks as if none was. */
	async function decideAs({ name, address, pair }: Asking, askAnew: () => Promise<PairVerdict>): Promise<PairVerdict> {
		if (pair && nowMs() - pair.goodAtMs < pair.freshMs && !isEdgeRefused && !endOf(pair, address)) return { pair };
		// A refusal is only about one address. Another address may be good.
		const ofAddress = `${name} ${address}`;
		const refusal = [refusals.get(name), refusals.get(ofAddress)].find((each) => each && nowMs() < each.untilMs);
		if (refusal) return { refused: refusal.reason, username: refusal.username };
		const askedAtMs = nowMs();
		let verdict: PairVerdict | undefined = pair && (await withPatience(pair, address, askAgain(name, pair)));
		if (!verdict || verdict.refused === 'wrong_pair') verdict = await askAnew();
		const ended = verdict.pair && endOf(verdict.pair, address);
		if (ended) verdict = { refused: ended };
		if (verdict.pair) {
			refusals.delete(name);
			refusals.delete(ofAddress);
		}
		const { refused: reason, username } = verdict;
		if (isLasting(reason)) {
			refuseFor(reason === 'address_not_allowed' ? ofAddress : name, { reason, username }, askedAtMs);
		}
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
		async checkAddress(client) {
			const verdict = await decideAddress(client);
			if (verdict?.pair) stats.good++;
			else if (verdict) stats.refused[verdict.refused]++;
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

/** No account signs in by an address, or it cannot be known now. Nothing of it is remembered here. */
const NO_ACCOUNT: PairVerdict = { refused: 'unavailable' };

function isLasting(reason: PairRefusal | null | undefined): reason is LastingRefusal {
	return typeof reason === 'string' && reason !== 'throttled' && reason !== 'unavailable';
}

/** Answers may come in another order than their requests began. `now`: the bytes when this answer came. */
function renew(pair: Known, answer: PairAnswer, { atMs, bytes }: Asked, now: AccountBytes): void {
	if (atMs < pair.goodAtMs) return;
	const { reseller, recheck_ms, left_bytes, left_reason, max_connections, ends_in_ms, allowed_ips } = answer;
	pair.goodAtMs = atMs;
	pair.freshMs = Math.min(recheck_ms, FRESH_MS);
	pair.reseller = reseller ?? undefined;
	pair.leftReason = left_reason ?? undefined;
	pair.maxConnections = max_connections ?? undefined;
	pair.bytesPerSecond = answer.max_bytes_per_second ?? undefined;
	pair.endsAtMs = ends_in_ms === null ? undefined : atMs + ends_in_ms;
	pair.allowedFrom = allowed_ips?.join();
	pair.limitBytes =
		left_bytes === null
			? undefined
			: within(pair.limitBytes, bytes.reported + left_bytes, Math.max(bytes.reported, now.sent) + left_bytes);
	pair.askAgainBytes = pair.limitBytes && bytes.passed + (pair.limitBytes - bytes.passed) * ASK_AGAIN_SHARE;
}

/**
 * While the service was asked, a report was under way. The service may have counted it or not, so the limit is between
 * `least` and `most`. To take `least` could subtract those bytes twice. So the previous limit stays, but at most `most`. If
 * more is left, the next answer without a report under way says so.
 */
function within(before: number | undefined, least: number, most: number): number {
	return least === most ? least : Math.min(before ?? least, most);
}

/** The pair is not good any more. Its next check asks the service. */
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
