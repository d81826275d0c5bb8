import Type, { type Static } from 'typebox';
import { MAX_BYTES } from '../limits.ts';
import {
	COUNTER_GOES_ON_DAYS,
	COUNTER_NAME_MAX_LENGTH,
	MAX_CHECKS,
	MAX_COUNTERS,
	RECHECK_MS,
	STORE_AWAY_MS,
} from './limits.ts';

const ALICE = 'alice.smith';
const KEY_ID = 'Hk3vQ0m8yTn5cXf2LwZb1A';

/** A pair to check. One of `password` and `key_id` is needed; with both, `password` counts. */
export const CheckRequest = Type.Object(
	{
		username: Type.String({ description: 'What the client of the proxy sent, in any case.', examples: [ALICE] }),
		password: Type.Optional(
			Type.String({
				description: 'What the client of the proxy sent. Only what stands before the first `_` is the key.',
				examples: ['4fQ9sLw2ZbT7xKc1_country-US'],
			}),
		),
		key_id: Type.Optional(
			Type.String({
				description: 'From an earlier answer, for a re-check without the password.',
				examples: [KEY_ID],
			}),
		),
		client: Type.Optional(
			Type.String({
				description: "The IP address of the proxy's client. Failed checks of one address are throttled.",
				examples: ['192.0.2.7'],
			}),
		),
	},
	{
		description:
			'A pair to check. One of `password` and `key_id` is needed; with both, `password` counts. Other fields are ignored.',
	},
);
export type CheckRequest = Static<typeof CheckRequest>;

/** Several pairs. */
export const ChecksRequest = Type.Object(
	{ checks: Type.Array(CheckRequest, { minItems: 1, maxItems: MAX_CHECKS }) },
	{ description: 'Several pairs.' },
);
export type ChecksRequest = Static<typeof ChecksRequest>;

/** Why a pair was refused. */
export const CheckRefusal = Type.Enum(['wrong_pair', 'throttled', 'unavailable', 'exhausted'] as const, {
	description:
		'`wrong_pair`: there is no such account, or the key is not its key now. `throttled`: checks of this client address have failed too often, try later. `unavailable`: the store cannot be asked now, and the pair is not known to be good. `exhausted`: the pair is right, but nothing is left of the balance that pays for its bandwidth. There may be more reasons later: refuse the pair.',
});
export type CheckRefusal = Static<typeof CheckRefusal>;

const OrNull = <Schema extends Type.TSchema>(schema: Schema, description: string) =>
	Type.Union([schema, Type.Null()], { description });

export const CheckAnswer = Type.Object(
	{
		ok: Type.Boolean({ description: 'Whether the pair is good.' }),
		username: OrNull(Type.String(), 'The name of the account in its stored form; `null` unless `ok`.'),
		key_id: OrNull(
			Type.String({ pattern: '^[A-Za-z0-9_-]{22}$' }),
			'Names the key without telling it, for re-checks; `null` unless `ok`.',
		),
		reason: OrNull(CheckRefusal, 'Why the pair was refused; `null` if `ok`.'),
		recheck_ms: Type.Integer({
			minimum: 0,
			description: `How long the answer may be used, in milliseconds. While the service is away, pairs that were good may stay good for ${STORE_AWAY_MS / 60_000} minutes.`,
			examples: [RECHECK_MS],
		}),
		left_bytes: OrNull(
			Type.Integer({ minimum: 1, examples: [250_000_000] }),
			'After how many more bytes of this account, up and down together, nothing is left of its balance. Reports that the service had taken when the request came are subtracted. `null` unless `ok`, and if bandwidth costs nothing.',
		),
	},
	{ additionalProperties: false, description: 'Whether a pair is good.' },
);
export type CheckAnswer = Static<typeof CheckAnswer>;

export const ChecksAnswer = Type.Object(
	{ checks: Type.Array(CheckAnswer) },
	{ additionalProperties: false, description: 'The answers, in the order of the request.' },
);

export const JoinRequest = Type.Object(
	{
		link: Type.String({
			pattern: '^[A-Za-z0-9_-]{43}$',
			description: 'The secret of the link: what stands after its `#`.',
			examples: ['c0Zl8kq4vYb1nT7xWm2sRj5uAe9hDg3iPo6fLt0KyQE'],
		}),
	},
	{ description: 'The link of an edge. Other fields are ignored.' },
);
export type JoinRequest = Static<typeof JoinRequest>;

export const JoinAnswer = Type.Object(
	{ edge: Type.String({ description: 'The name of the edge.', examples: ['frankfurt-1'] }) },
	{ additionalProperties: false, description: 'The key is the one of this edge now. Sent after it is durable.' },
);
export type JoinAnswer = Static<typeof JoinAnswer>;

/** The present value of a counter that only grows. The service checks the entries one by one, and names bad ones. */
export const CounterReading = Type.Object(
	{
		counter: Type.String({
			minLength: 1,
			maxLength: COUNTER_NAME_MAX_LENGTH,
			description: `Any name without control characters. Each edge has its own counters. One that was not reported for ${COUNTER_GOES_ON_DAYS} days must not go on: what comes after belongs to a new counter.`,
			examples: ['p:6f1c:alice.smith'],
		}),
		username: Type.String({
			description: 'Whose bytes it counts. A counter counts those of one account.',
			examples: [ALICE],
		}),
		up: Type.Integer({
			minimum: 0,
			maximum: MAX_BYTES,
			description: 'Bytes from the client of the proxy so far.',
			examples: [1048576],
		}),
		down: Type.Integer({
			minimum: 0,
			maximum: MAX_BYTES,
			description: 'Bytes to the client of the proxy so far.',
			examples: [73400320],
		}),
		at: Type.String({
			format: 'date-time',
			description: 'When it had this value: ISO 8601 with a zone. What is new counts on this UTC day.',
			examples: ['2026-11-21T09:30:00.000Z'],
		}),
	},
	{ description: 'The present value of a counter that only grows. Other fields are ignored.' },
);
export type CounterReading = Static<typeof CounterReading>;

export const UsageRequest = Type.Object({
	counters: Type.Array(Type.Unknown(), { maxItems: MAX_COUNTERS }),
});
export type UsageRequest = Static<typeof UsageRequest>;

export const RefusedCounter = Type.Object(
	{
		place: Type.Integer({ minimum: 0, description: 'The place in `counters`, from 0.' }),
		reason: Type.String({
			description:
				'As in the imports of usage: `invalid_report`, `invalid_timestamp`, `invalid_counter`, `unknown_username`, `timestamp_ahead`, `timestamp_too_old`, `conflict` (the counter counts another account) or `counter_overflow`. Or `too_fast`: more bytes than the edge can have carried since its previous report; the same reading counts later.',
			examples: ['unknown_username'],
		}),
	},
	{ additionalProperties: false, description: 'A reading that changed nothing.' },
);
export type RefusedCounter = Static<typeof RefusedCounter>;

/** Sent after the commit. Each reading is counted, repeated or refused. */
export const UsageAnswer = Type.Object(
	{
		counted: Type.Integer({ minimum: 0, description: 'How many readings added bytes, or began a counter.' }),
		repeated: Type.Integer({ minimum: 0, description: 'How many told nothing new.' }),
		refused: Type.Array(RefusedCounter),
	},
	{ additionalProperties: false, description: 'What became of the readings. Sent after they are durable.' },
);
export type UsageAnswer = Static<typeof UsageAnswer>;
