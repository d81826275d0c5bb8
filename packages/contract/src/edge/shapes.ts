import Type, { type Static } from 'typebox';
import { MAX_CHECKS, MAX_COUNTERS } from './limits.ts';

/** A pair to check. One of `password` and `key_id` is needed; with both, `password` counts. */
export const CheckRequest = Type.Object({
	username: Type.String(),
	/** What the client of the proxy sent. Only what stands before the first `_` is the key. */
	password: Type.Optional(Type.String()),
	/** From an earlier answer, for a re-check without the password. */
	key_id: Type.Optional(Type.String()),
	/** The address of the proxy's client. Failed checks of one address are throttled. */
	client: Type.Optional(Type.String()),
});
export type CheckRequest = Static<typeof CheckRequest>;

/** Several pairs. The answer is `{"checks": [...]}`, in the same order. */
export const ChecksRequest = Type.Object({
	checks: Type.Array(CheckRequest, { minItems: 1, maxItems: MAX_CHECKS }),
});
export type ChecksRequest = Static<typeof ChecksRequest>;

/**
 * `wrong_pair`: there is no such account, or the key is not its key now. `throttled`: this client's address has failed
 * too often, try later. `unavailable`: the store cannot be asked now, and the pair was not known to be good.
 */
export type CheckRefusal = 'wrong_pair' | 'throttled' | 'unavailable';

export interface CheckAnswer {
	readonly ok: boolean;
	/** The account's name in its stored form; `null` unless `ok`. */
	readonly username: string | null;
	/** Names the key without telling it, for re-checks; `null` unless `ok`. */
	readonly key_id: string | null;
	/** `null` if `ok`. */
	readonly reason: CheckRefusal | null;
	/** How long the answer may be used, in milliseconds. */
	readonly recheck_ms: number;
}

/** The present value of a counter that only grows. The entries are not checked by the schema, but one by one. */
export interface CounterReading {
	/**
	 * 1 to 128 characters without control characters. Each edge has its own counters. One that was not reported for
	 * `COUNTER_GOES_ON_DAYS` must not go on: what comes after belongs to a new counter.
	 */
	readonly counter: string;
	/** Whose bytes it counts. A counter counts those of one account. */
	readonly username: string;
	/** Bytes from the client of the proxy so far: an integer from 0 to 2^53 - 1. */
	readonly up: number;
	/** Bytes to the client of the proxy so far. */
	readonly down: number;
	/** When it had this value: ISO 8601 with a zone. What is new counts on this UTC day. */
	readonly at: string;
}

export const UsageRequest = Type.Object({
	counters: Type.Array(Type.Unknown(), { maxItems: MAX_COUNTERS }),
});
export type UsageRequest = Static<typeof UsageRequest>;

/** Sent after the commit. Each reading is counted, repeated or refused. */
export interface UsageAnswer {
	/** How many readings added bytes, or began a counter. */
	readonly counted: number;
	/** How many told nothing new. */
	readonly repeated: number;
	readonly refused: readonly RefusedCounter[];
}

export interface RefusedCounter {
	/** The place in `counters`, from 0. */
	readonly place: number;
	/** As in the imports of usage: `unknown_username`, `timestamp_too_old`, `conflict`... */
	readonly reason: string;
}
