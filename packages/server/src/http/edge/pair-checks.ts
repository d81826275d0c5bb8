import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { normalizeUsername } from '@bursar/contract';
import { createAllowedLists } from '@bursar/contract/allowed-ips';
import { type CheckRefusal, type CheckRequest, RECHECK_MS, STORE_AWAY_MS } from '@bursar/contract/edge';
import { gatherReads } from '../../store/gather.ts';
import type { EdgeReads } from '../../store/tables/edges/edges.ts';
import { createFailedChecks } from './failed-checks.ts';
import { inTime } from './in-time.ts';
import { type GoodPair, isLimited, judge, NO_LIMITS, type PairRefused } from './judge-pair.ts';
import { createKnownPairs, type KnownPair } from './known-pairs.ts';
import { createRenewals } from './renewals.ts';
import { isSent, type NamedKey } from './sent-key.ts';

/** @bound A check waits for the store: then a known pair counts as before, and others are answered `unavailable`. */
const ASK_MS = 500;
/** A pair in use is read again from this age on: half a second before its time is over. */
const RENEW_MS = RECHECK_MS - 500;
/**
 * A remembered answer of this age or older refuses no check without a new read: since then, the account may have been
 * created, or may have got a new key. It also keeps no open connection alive.
 * @bound A refusal is remembered: then the store is asked again.
 */
const REFUSE_MS = 250;
/**
 * How many names the store is asked for at once: one or two milliseconds of its time.
 * @bound Names in one question to the store: the next question has the rest.
 */
const NAMES_AT_ONCE = 256;
/** @bound Checks that wait for the store, about 10 MB: further ones count as if the store were away. */
const MAX_WAITING = 65_536;
/**
 * Of an edge, in each of its two lines. It asks for all pairs of its open connections every two seconds. A pair that
 * finds its line full counts as if the store were away, so shorter lines would let retired keys in.
 * @bound Checks of one edge that wait for the store, of known pairs and again of others: further ones count as if the
 * store were away.
 */
const MAX_OF_EDGE = 32_768;
/** @bound Lists of networks that are kept in parsed form, 12 kB at most each: others are parsed again. */
const MAX_LISTS = 1_000;
const FORGET_MS = 60_000;
/** The store counts as back when no read has failed for this long, in milliseconds. */
const BACK_MS = 1_000;
const KEY_ID_LENGTH = 22;

/** The pair of the account and what to hold, or why the check was refused. */
export type CheckOutcome = GoodPair | PairRefused;

export interface PairChecks {
	/** Checks a pair for an edge. The result is no promise if the store need not be asked. Never rejects. */
	check(edge: string, asked: CheckRequest): CheckOutcome | Promise<CheckOutcome>;
	/**
	 * The same for a client of which it is known that it is this account's, such as by its address. It is never throttled, and
	 * uses no answer of the store that is older than a quarter of a second. `wrong_pair`: there is no such account.
	 */
	checkAccount(
		edge: string,
		username: string,
		asked: Pick<CheckRequest, 'client' | 'process'>,
	): CheckOutcome | Promise<CheckOutcome>;
	close(): void;
}

interface PairCheckOptions {
	readonly store: Pick<EdgeReads, 'readPairs'>;
	/** 32 bytes, by which a `key_id` is made. */
	readonly secret: Uint8Array;
	/** Called with the cause when the store cannot be asked any more. `onBack` is called when it can be asked again. */
	readonly onAway?: (cause: unknown) => void;
	readonly onBack?: () => void;
	/** The clock of the store, in Unix milliseconds: by it, pairs expire. */
	readonly nowMs: () => number;
	readonly monotonicMs?: () => number;
	readonly askMs?: number;
}

interface Name {
	readonly username: string;
	readonly edge: string;
	readonly isKnown: boolean;
}

/**
 * Remembers what the store said about a pair for two seconds, and asks again after that, or shortly before if the pair is
 * in use. A refusal needs an answer that is not older than a quarter of a second, so that a new key works at once. The rest
 * of a balance or a limit changes with each report, so a pair with one is read for each check. No client waits for
 * re-checks of open connections, so they too use no answer older than a quarter of a second: a suspended account is cut soon.
 * If the store cannot be asked, a pair that was good within 15 minutes is still good. An unknown name is remembered and compared
 * like a known one.
 */
export function createPairChecks({
	store,
	secret,
	onAway = () => {},
	onBack = () => {},
	nowMs,
	monotonicMs = () => performance.now(),
	askMs = ASK_MS,
}: PairCheckOptions): PairChecks {
	const keyIdOf = createKeyIds(secret);
	/** The key of names without an account. */
	const nobody = randomBytes(12).toString('base64url');
	const pairs = createKnownPairs();
	const isAllowedFrom = createAllowedLists(MAX_LISTS);
	const failures = createFailedChecks({ monotonicMs });
	const storeState = createStoreState({ onAway, onBack, monotonicMs });
	const renewals = createRenewals({ read: readNames, most: NAMES_AT_ONCE, onFailed: storeState.failed });
	const timer = setInterval(() => pairs.forgetOld(monotonicMs()), FORGET_MS);
	timer.unref();

	const readPair = gatherReads(readPairs, (pair) => pair, {
		// Edges take turns, and new names wait in a line of their own: invented names keep no open connection waiting.
		ownerOf: ({ edge, isKnown }) => (isKnown ? edge : `${edge} new`),
		most: NAMES_AT_ONCE,
		maxWaiting: MAX_WAITING,
		maxOfOwner: MAX_OF_EDGE,
		maxWaitMs: askMs,
	});

	/** A pair that is damaged in the store is `undefined`: whether it is good cannot be said. */
	async function readPairs(names: readonly Name[]): Promise<readonly (KnownPair | undefined)[]> {
		const read = await readNames([...new Set(names.map(({ username }) => username))]);
		return names.map(({ username }) => read.get(username));
	}

	/** Reads pairs, and remembers those that are not damaged in the store. */
	async function readNames(usernames: readonly string[]): Promise<ReadonlyMap<string, KnownPair>> {
		const readAtMs = monotonicMs();
		const stored = await store.readPairs(usernames);
		storeState.answered();
		const read = new Map<string, KnownPair>();
		for (const username of usernames) {
			const found = stored.get(username);
			if (found === null) continue;
			const exists = found !== undefined;
			const { key, reseller, ...limits } = found ?? { key: nobody, reseller: '', ...NO_LIMITS };
			const pair = { username, exists, reseller, limits, ...named(username, key), readAtMs };
			read.set(username, pair);
			// Another read may have begun later and ended earlier.
			if ((pairs.get(username)?.readAtMs ?? 0) <= readAtMs) pairs.remember(pair);
		}
		return read;
	}

	/** A `key_id` takes longer than the rest of a check, so it is made once. */
	function named(username: string, key: string): NamedKey {
		const known = pairs.get(username);
		return { key, keyId: known?.key === key ? known.keyId : keyIdOf(key) };
	}

	/** Resolves to `undefined` if the store cannot be asked in time. Never rejects. */
	async function ask(name: Name): Promise<KnownPair | undefined> {
		return (await inTime(readPair(name), askMs, storeState.failed))?.value;
	}

	/** A `key_id` cannot be guessed, and only edges send it. So re-checks of open connections are never throttled. */
	function isBlocked(edge: string, username: string, { password, client }: CheckRequest): boolean {
		return password !== undefined && failures.isBlocked(edge, client, username);
	}

	function refuse(edge: string, username: string, { password, client }: CheckRequest): CheckRefusal {
		return password === undefined || failures.count(edge, client, username) ? 'wrong_pair' : 'throttled';
	}

	/** The right pair was sent, so this is no failed check. */
	function judged(pair: KnownPair, edge: string, { client, process = '' }: CheckRequest): CheckOutcome {
		const { limits } = pair;
		return judge(pair, { edge, process, client, nowMs: limits.expiresAtMs === null ? 0 : nowMs(), isAllowedFrom });
	}

	/** What another read has found meanwhile: the pair may have a new key by now. */
	function readSince(username: string, before: KnownPair | undefined): KnownPair | undefined {
		const known = pairs.get(username);
		return known !== before && monotonicMs() - (known?.readAtMs ?? 0) < RECHECK_MS ? known : undefined;
	}

	async function checkWithStore(
		edge: string,
		asked: CheckRequest,
		good: KnownPair | undefined,
		isGood: IsGood,
	): Promise<CheckOutcome> {
		const { username } = asked;
		if (!good && isBlocked(edge, username, asked)) return 'throttled';
		const askedAtMs = monotonicMs();
		const pair = (await ask({ username, edge, isKnown: good !== undefined })) ?? readSince(username, good);
		if (!pair)
			return good && monotonicMs() - good.readAtMs < STORE_AWAY_MS ? remembered(good, edge, asked) : 'unavailable';
		// Many guesses can be under way at once. Those that come after the last allowed failure learn nothing.
		if (!good && isBlocked(edge, username, asked)) return 'throttled';
		if (!isGood(pair, asked)) return refuse(edge, username, asked);
		return pair.readAtMs < askedAtMs ? remembered(pair, edge, asked) : judged(pair, edge, asked);
	}

	/**
	 * Decides by what was read before the check. If reports were counted since, less is left now. So an edge with open
	 * connections keeps its previous answer.
	 */
	function remembered(pair: KnownPair, edge: string, asked: CheckRequest): CheckOutcome {
		const outcome = judged(pair, edge, asked);
		const isOpen = asked.password === undefined;
		return isOpen && typeof outcome === 'object' && outcome.leftBytes !== null ? 'unavailable' : outcome;
	}

	/** `asked` has a normalized username. */
	function decide(edge: string, asked: CheckRequest, isGood: IsGood): CheckOutcome | Promise<CheckOutcome> {
		const { username } = asked;
		const known = pairs.get(username);
		const good = known && isGood(known, asked) ? known : undefined;

		const ageMs = known ? monotonicMs() - known.readAtMs : Number.POSITIVE_INFINITY;
		if (ageMs >= (good ? freshMs(good, asked) : REFUSE_MS)) return checkWithStore(edge, asked, good, isGood);
		// Only pairs that match: guesses cause few reads, at most one of a name in each `REFUSE_MS`.
		if (good && ageMs >= RENEW_MS) renewals.add(username);
		return good ? judged(good, edge, asked) : refuse(edge, username, asked);
	}

	return {
		check(edge, asked) {
			const username = normalizeUsername(asked.username);
			if (username === undefined) return refuse(edge, '', asked);
			return decide(edge, username === asked.username ? asked : { ...asked, username }, isPairGood);
		},
		checkAccount: (edge, username, { client, process }) =>
			decide(
				edge,
				{ username, ...(client !== undefined && { client }), ...(process !== undefined && { process }) },
				isThere,
			),
		close() {
			clearInterval(timer);
			renewals.close();
		},
	};
}

type StoreStateOptions = Required<Pick<PairCheckOptions, 'onAway' | 'onBack' | 'monotonicMs'>>;

/** Tells once that the store is away, and once that it is back: when nothing has failed for a second. */
function createStoreState({ onAway, onBack, monotonicMs }: StoreStateOptions) {
	let failedAtMs: number | undefined;
	return {
		failed(cause: unknown): void {
			if (failedAtMs === undefined) onAway(cause);
			failedAtMs = monotonicMs();
		},
		answered(): void {
			if (failedAtMs === undefined || monotonicMs() - failedAtMs < BACK_MS) return;
			failedAtMs = undefined;
			onBack();
		},
	};
}

/** For how long what is remembered about a pair may be used. */
function freshMs({ limits }: KnownPair, { password }: CheckRequest): number {
	if (isLimited(limits)) return 0;
	return password === undefined ? REFUSE_MS : RECHECK_MS;
}

/** Whether what was asked about is this account. */
type IsGood = (pair: KnownPair, asked: CheckRequest) => boolean;

function isThere({ exists }: KnownPair): boolean {
	return exists;
}

function isPairGood(pair: KnownPair, asked: CheckRequest): boolean {
	return isSent(pair, asked) && pair.exists;
}

/** Names keys without telling them: an HMAC with SHA-256, cut to 132 bits. */
function createKeyIds(secret: Uint8Array): (key: string) => string {
	const secretKey = createSecretKey(secret);
	return (key) => createHmac('sha256', secretKey).update(key).digest('base64url').slice(0, KEY_ID_LENGTH);
}
