import Type, { type Static } from 'typebox';
import { ACCOUNT_REFUSAL_REASONS } from '../account-refusals.ts';
import { MAX_BYTES, MAX_BYTES_PER_SECOND, MAX_CONNECTIONS, MIN_BYTES_PER_SECOND } from '../limits.ts';
import {
	COUNTER_GOES_ON_DAYS,
	COUNTER_NAME_MAX_LENGTH,
	MAX_CHECKS,
	MAX_COUNTERS,
	MAX_OPEN_ACCOUNTS,
	MAX_REFUSALS,
	MAX_REFUSED_CLIENTS,
	OPEN_AGAIN_MS,
	OPEN_KNOWN_MS,
	RECHECK_MS,
	STORE_AWAY_MS,
} from './limits.ts';

const ALICE = 'alice.smith';
const KEY_ID = 'Hk3vQ0m8yTn5cXf2LwZb1A';

/** The name of a process of an edge. */
const ProcessName = Type.String({
	pattern: '^[0-9A-Za-z_-]{1,32}$',
	description:
		'Which process of this edge it is, if the edge has several: any name, such as a random one of its start. Each process reports its open connections, and learns how many the others leave. If one process of an edge has a name, all need one.',
	examples: ['k3Xw9_pQ'],
});

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
				description:
					"The IP address of the proxy's client. Failed checks of one address are throttled, and a pair may be good from some addresses only.",
				examples: ['192.0.2.7'],
			}),
		),
		process: Type.Optional(ProcessName),
	},
	{
		description:
			'A pair to check. One of `password` and `key_id` is needed; with both, `password` counts. Other fields are ignored.',
	},
);
export type CheckRequest = Static<typeof CheckRequest>;

/** A client without a pair: an account may sign in by its address. */
export const AddressCheckRequest = Type.Object(
	{
		by_address: Type.Literal(true),
		client: Type.String({
			description:
				"The IP address of the proxy's client, as the connection has it, or a load balancer of yours: never from a header of the client.",
			examples: ['192.0.2.7'],
		}),
		process: Type.Optional(ProcessName),
	},
	{
		description:
			'A client without a pair: an account may sign in by its address. `username`, `password` and `key_id` are refused beside it. Other fields are ignored.',
	},
);
export type AddressCheckRequest = Static<typeof AddressCheckRequest>;

/** Several of them. */
export const ChecksRequest = Type.Object(
	{ checks: Type.Array(Type.Union([CheckRequest, AddressCheckRequest]), { minItems: 1, maxItems: MAX_CHECKS }) },
	{ description: 'Several pairs, and clients without one.' },
);
export type ChecksRequest = Static<typeof ChecksRequest>;

/** Why a pair was refused. */
export const CheckRefusal = Type.Enum(
	[
		'wrong_pair',
		'throttled',
		'unavailable',
		'suspended',
		'expired',
		'address_not_allowed',
		'exhausted',
		'limit_reached',
	] as const,
	{
		description:
			'`wrong_pair`: there is no such account, the key is not its key now, or no account signs in by this address now. `throttled`: checks of this client address have failed too often, try later. `unavailable`: the store cannot be asked now, and the pair is not known to be good. With the others, the pair is right. `suspended`: its account or its reseller is suspended. `expired`: its time is over. `address_not_allowed`: it is not good from the address of this client. `exhausted`: nothing is left of the balance that pays for its bandwidth. `limit_reached`: of a limit of bytes nothing is left, or other edges have all connections that the account may have. The answer has the first that is true. There may be more reasons later: refuse the pair.',
	},
);
export type CheckRefusal = Static<typeof CheckRefusal>;

/** Why a pair is refused when `left_bytes` is used up. */
export const LeftReason = Type.Enum(['exhausted', 'limit_reached'] as const);
export type LeftReason = Static<typeof LeftReason>;

const OrNull = <Schema extends Type.TSchema>(schema: Schema, description: string) =>
	Type.Union([schema, Type.Null()], { description });

export const CheckAnswer = Type.Object(
	{
		ok: Type.Boolean({ description: 'Whether the pair is good.' }),
		username: OrNull(
			Type.String(),
			'The name of the account in its stored form. `null` unless `ok`, or if a client without a pair is refused whose address is that of an account.',
		),
		key_id: OrNull(
			Type.String({ pattern: '^@?[A-Za-z0-9_-]{22}$' }),
			'Names the key, or the address of the client, without telling it, for re-checks; `null` unless `ok`.',
		),
		reseller: OrNull(Type.String(), 'The reseller of the account, or the account itself; `null` unless `ok`.'),
		reason: OrNull(CheckRefusal, 'Why the pair was refused; `null` if `ok`.'),
		limit: Type.Optional(
			Type.Enum(['bytes', 'connections'] as const, {
				description: 'Which limit it is, if the reason is `limit_reached`; else it is absent.',
			}),
		),
		recheck_ms: Type.Integer({
			minimum: 0,
			description: `How long the answer may be used, in milliseconds. While the service is away, pairs that were good may stay good for ${STORE_AWAY_MS / 60_000} minutes.`,
			examples: [RECHECK_MS],
		}),
		left_bytes: OrNull(
			Type.Integer({ minimum: 1, examples: [250_000_000] }),
			'After how many more bytes of this account, up and down together, nothing is left of its balance or of the first of its limits. Reports that the service had taken when the request came are subtracted. `null` unless `ok`, and if neither limits it.',
		),
		left_reason: OrNull(LeftReason, 'Why the pair is refused after `left_bytes`; `null` if that is `null`.'),
		max_connections: OrNull(
			Type.Integer({ minimum: 1, maximum: MAX_CONNECTIONS, examples: [10] }),
			'How many connections of the account this edge, or this process of it, may have open: what others have is subtracted. If it has more, the newest ones are to be cut. `null` unless `ok`, and without such a limit.',
		),
		max_bytes_per_second: OrNull(
			Type.Integer({ minimum: MIN_BYTES_PER_SECOND, maximum: MAX_BYTES_PER_SECOND, examples: [1_250_000] }),
			'How many bytes a second of the account this edge may pass up, and as many down, over all its connections: hold them back, and cut none. `null` unless `ok`, and without such a limit.',
		),
		ends_in_ms: OrNull(
			Type.Integer({ minimum: 1, examples: [86_400_000] }),
			'After how many milliseconds the pair expires. `null` unless `ok`, and if it does not.',
		),
		allowed_ips: OrNull(
			Type.Array(Type.String(), { minItems: 1, examples: [['192.0.2.0/24', '2001:db8::1']] }),
			'From which addresses and networks the pair is good: IPv6 as RFC 5952 writes it, IPv4 in IPv6 as IPv4. `null` unless `ok`, and if it is good from anywhere.',
		),
	},
	{ additionalProperties: false, description: 'Whether a pair is good.' },
);
export type CheckAnswer = Static<typeof CheckAnswer>;

export const ChecksAnswer = Type.Object(
	{
		checks: Type.Array(CheckAnswer, { description: 'In the order of the request.' }),
		signs_in_by_address: Type.Boolean({
			description:
				'Whether any account may sign in by address. If not, checks of clients without a pair are of no use. Up to a second late.',
		}),
	},
	{ additionalProperties: false, description: 'The answers.' },
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

/** How many connections of an account are open on this edge, or in this process of it. */
export const OpenConnections = Type.Object(
	{
		username: Type.String({ description: 'The name of the account.', examples: [ALICE] }),
		open: Type.Integer({ minimum: 0, maximum: MAX_CONNECTIONS, examples: [3] }),
	},
	{
		description:
			'How many connections of an account are open on this edge, or in this process of it, now. Other fields are ignored.',
	},
);
export type OpenConnections = Static<typeof OpenConnections>;

/** Clients of one account that were refused for one reason. The service leaves out entries that it cannot read. */
export const RefusedClients = Type.Object(
	{
		username: Type.String({ description: 'The account that they named.', examples: [ALICE] }),
		reason: Type.Enum(ACCOUNT_REFUSAL_REASONS, {
			description:
				'Those of checks; and `connection_limit_reached`: it has all connections that it may have. `too_many_of_account`: as many as this proxy allows. `no_room`: the proxy serves too many accounts. `mixed`: two accounts on one connection. `invalid_options`: of the password. `closed_port`, `refused_destination`: not served here. `denied_destination`: on a list of the operator.',
			examples: ['exhausted'],
		}),
		count: Type.Integer({ minimum: 1, maximum: MAX_REFUSED_CLIENTS, description: 'How many.', examples: [12] }),
		at: Type.String({
			format: 'date-time',
			description: 'When the last one was refused: ISO 8601 with a zone.',
			examples: ['2026-11-21T14:03:07.000Z'],
		}),
		network: Type.Optional(
			Type.String({
				description:
					'From where the last one came: the /24 of its IPv4 address, or the /48 of its IPv6 address. Of an address, the service keeps only that.',
				examples: ['192.0.2.0/24'],
			}),
		),
	},
	{ description: 'Clients of one account that were refused, or cut off, for one reason. Other fields are ignored.' },
);
export type RefusedClients = Static<typeof RefusedClients>;

export const UsageRequest = Type.Object({
	counters: Type.Array(Type.Unknown(), { maxItems: MAX_COUNTERS }),
	open: Type.Optional(
		Type.Array(OpenConnections, {
			maxItems: MAX_OPEN_ACCOUNTS,
			description: `Open connections of accounts whose last check had \`max_connections\`. Say it at once if it changes, and every ${OPEN_AGAIN_MS / 1000} seconds as long as some are open: it counts for ${OPEN_KNOWN_MS / 1000} seconds. Accounts without such a limit are left out.`,
		}),
	),
	refusals: Type.Optional(
		Type.Array(Type.Unknown(), {
			maxItems: MAX_REFUSALS,
			description:
				'What was refused since the previous report, added up by account and reason. Send each once, also if the answer is lost. Only after `unavailable` to a report of nothing else, send them again. Those of names without an account are not kept.',
		}),
	),
	process: Type.Optional(ProcessName),
});
export type UsageRequest = Static<typeof UsageRequest>;

export const RefusedCounter = Type.Object(
	{
		place: Type.Integer({ minimum: 0, description: 'The index in `counters`, from 0.' }),
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
		repeated: Type.Integer({ minimum: 0, description: 'How many had no new bytes.' }),
		refused: Type.Array(RefusedCounter),
	},
	{ additionalProperties: false, description: 'What became of the readings. Sent after they are durable.' },
);
export type UsageAnswer = Static<typeof UsageAnswer>;
