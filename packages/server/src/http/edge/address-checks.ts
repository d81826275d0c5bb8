import { createHmac, createSecretKey } from 'node:crypto';
import { normalizeUsername } from '@bursar/contract';
import type { AddressCheckRequest, CheckRequest } from '@bursar/contract/edge';
import { signInKeysOf } from '@bursar/contract/sign-in-ips';
import type { SignInReads } from '../../store/tables/sign-in/reads.ts';
import { createFailedChecks } from './failed-checks.ts';
import { inTime } from './in-time.ts';
import type { GoodPair, PairRefused } from './judge-pair.ts';
import type { CheckOutcome, PairChecks } from './pair-checks.ts';
import { isEqual } from './sent-key.ts';

/** @bound A check by address waits for the store: then it is answered `unavailable`. */
const ASK_MS = 500;
/**
 * Each costs one small read of the store. An edge asks about an address once in some seconds.
 * @bound Checks of addresses by which no account signs in, at one edge: further ones are refused as `throttled`.
 */
const EDGE_LIMIT = { burst: 2_000, intervalMs: 5 };
/** With it begins a `key_id` that names an address, and no other one. */
const MARK = '@';
const KEY_ID_LENGTH = 22;

/** The account of the address, and what to hold, or why the client is refused. `username`: `null` if the address is of no account. */
export type AddressOutcome = GoodPair | { readonly refused: PairRefused; readonly username: string | null };

/** Checks clients without a pair, by their address. Nothing is remembered: edges remember what they are told. */
export interface AddressChecks {
	/** Never rejects. */
	check(edge: string, asked: AddressCheckRequest): Promise<AddressOutcome>;
	/** Checks an open connection again, whose `key_id` names its address. Never rejects. */
	recheck(edge: string, asked: CheckRequest): Promise<CheckOutcome>;
}

interface AddressCheckOptions {
	readonly store: Pick<SignInReads, 'findSignIn' | 'findSignInAddresses'>;
	readonly pairChecks: Pick<PairChecks, 'checkAccount'>;
	/** Whether any account may sign in by address, as far as this process knows. */
	readonly isUsed: () => boolean;
	/** 32 bytes, by which a `key_id` is made. */
	readonly secret: Uint8Array;
	readonly monotonicMs?: () => number;
	readonly askMs?: number;
}

export function namesAddress({ key_id, password }: Pick<CheckRequest, 'key_id' | 'password'>): boolean {
	return password === undefined && key_id?.startsWith(MARK) === true;
}

export function createAddressChecks({
	store,
	pairChecks,
	isUsed,
	secret,
	monotonicMs = () => performance.now(),
	askMs = ASK_MS,
}: AddressCheckOptions): AddressChecks {
	const failures = createFailedChecks({ monotonicMs, edgeLimit: EDGE_LIMIT });
	const secretKey = createSecretKey(secret);
	const keyIdOf = (username: string, address: string) =>
		MARK + createHmac('sha256', secretKey).update(`${username} ${address}`).digest('base64url').slice(0, KEY_ID_LENGTH);

	return {
		async check(edge, asked) {
			const { client } = asked;
			if (!isUsed() || signInKeysOf(client).length === 0) return UNKNOWN;
			if (failures.isBlocked(edge, client, '')) return { refused: 'throttled', username: null };
			const read = await inTime(store.findSignIn({ edge, client }), askMs);
			if (!read) return { refused: 'unavailable', username: null };
			if (!read.value) return failures.count(edge, client, '') ? UNKNOWN : { refused: 'throttled', username: null };
			const { username, address } = read.value;
			const outcome = await pairChecks.checkAccount(edge, username, asked);
			// It was deleted meanwhile.
			if (outcome === 'wrong_pair') return UNKNOWN;
			if (typeof outcome === 'string') return { refused: outcome, username };
			return { ...outcome, keyId: keyIdOf(username, address) };
		},
		async recheck(edge, asked) {
			const { key_id = '' } = asked;
			const username = normalizeUsername(asked.username);
			if (username === undefined || !isUsed()) return 'wrong_pair';
			const read = await inTime(store.findSignInAddresses({ edge, username }), askMs);
			if (!read) return 'unavailable';
			if (!read.value.some((address) => isEqual(keyIdOf(username, address), key_id))) return 'wrong_pair';
			const outcome = await pairChecks.checkAccount(edge, username, asked);
			return typeof outcome === 'string' ? outcome : { ...outcome, keyId: key_id };
		},
	};
}

const UNKNOWN: AddressOutcome = { refused: 'wrong_pair', username: null };
