import Type, { type Static, type TSchema } from 'typebox';
import { ACCOUNT_REFUSAL_REASONS } from './account-refusals.ts';
import {
	MAX_ALLOWED_IPS,
	MAX_BYTES,
	MAX_BYTES_PER_SECOND,
	MAX_CENTS,
	MAX_CONNECTIONS,
	MAX_NOTE_CHARACTERS,
	MAX_PRICE_MICRO_USD,
	MAX_SIGN_IN_IPS,
	MIN_BYTES_PER_SECOND,
} from './limits.ts';
import {
	BalanceCents,
	Network,
	nullable,
	PageLimit,
	SentUsername,
	sentText,
	Username,
	UtcTimestamp,
} from './schema-parts.ts';
import { SubUser } from './schemas.ts';
import { SUB_USER_STATES, UNUSABLE_REASONS } from './sub-user-terms.ts';

// Requests and answers of the routes that only Bursar has (docs/api.md 11).

const State = Type.Enum(SUB_USER_STATES, {
	description: 'A suspended sub-user is `suspended`, expired or not.',
	examples: ['active'],
});

const Bytes = (of: string) =>
	Type.Integer({ minimum: 1, maximum: MAX_BYTES, description: `Bytes of ${of}, up and down together.` });
const Connections = Type.Integer({
	minimum: 1,
	maximum: MAX_CONNECTIONS,
	description: 'Connections that are open at once, over all proxy hosts.',
});
const BytesPerSecond = Type.Integer({
	minimum: MIN_BYTES_PER_SECOND,
	maximum: MAX_BYTES_PER_SECOND,
	description:
		'How many bytes a second pass up, and as many down, of all its connections together, on each proxy host.',
	examples: [1_250_000],
});
const AllowedIps = Type.Array(Network('192.0.2.0/24'), {
	minItems: 1,
	maxItems: MAX_ALLOWED_IPS,
	description: 'From where the pair is good: addresses and networks of IPv4 and IPv6.',
});

/** The limits that `set_limits` can set. */
const SETTABLE = {
	day_bytes: Bytes('a UTC day'),
	month_bytes: Bytes('a UTC month'),
	total_bytes: Bytes('all time'),
	connections: Connections,
	bytes_per_second: BytesPerSecond,
	allowed_ips: AllowedIps,
	expires_at: Type.String({
		format: 'date-time',
		description: 'From this time on the pair is refused: ISO 8601 with a zone. It may be in the past.',
		examples: ['2026-12-31T23:00:00.000Z'],
	}),
} as const;

const maybe = <Schema extends TSchema>(schema: Schema) =>
	Type.Optional(nullable(schema, `${(schema as { description?: string }).description} \`null\` removes the limit.`));

export const SetLimitsRequest = Type.Object(
	{
		username: SentUsername,
		day_bytes: maybe(SETTABLE.day_bytes),
		month_bytes: maybe(SETTABLE.month_bytes),
		total_bytes: maybe(SETTABLE.total_bytes),
		connections: maybe(SETTABLE.connections),
		bytes_per_second: maybe(SETTABLE.bytes_per_second),
		allowed_ips: maybe(SETTABLE.allowed_ips),
		expires_at: maybe(SETTABLE.expires_at),
	},
	{
		minProperties: 2,
		description: 'Names one sub-user and at least one limit. A limit that is absent stays as it is.',
	},
);
export type SetLimitsRequest = Static<typeof SetLimitsRequest>;

const none = <Schema extends TSchema>(schema: Schema) =>
	nullable(schema, `${(schema as { description?: string }).description} \`null\`: no limit.`);

export const SubUserLimits = Type.Object(
	{
		day_bytes: none(SETTABLE.day_bytes),
		month_bytes: none(SETTABLE.month_bytes),
		total_bytes: none(SETTABLE.total_bytes),
		connections: none(SETTABLE.connections),
		bytes_per_second: none(SETTABLE.bytes_per_second),
		allowed_ips: none(SETTABLE.allowed_ips),
		expires_at: none(SETTABLE.expires_at),
	},
	{ additionalProperties: false, description: 'How far a sub-user may use the proxy.' },
);
export type SubUserLimits = Static<typeof SubUserLimits>;

export const SetNoteRequest = Type.Object(
	{
		username: SentUsername,
		note: sentText(
			`For people: one line of at most ${MAX_NOTE_CHARACTERS} visible characters. Empty: no note.`,
			'pays by invoice',
		),
	},
	{ description: 'Names one sub-user and its note. Other fields are ignored.' },
);
export type SetNoteRequest = Static<typeof SetNoteRequest>;

const SignInIps = Type.Array(Network('192.0.2.7'), {
	maxItems: MAX_SIGN_IN_IPS,
	description:
		'From where it signs in without a password: addresses of IPv4 and IPv6, and networks /64 of IPv6. Empty: from nowhere.',
});

export const SetSignInIpsRequest = Type.Object(
	{ username: SentUsername, sign_in_ips: SignInIps },
	{ description: 'Names one sub-user and all addresses that it is to have. Other fields are ignored.' },
);
export type SetSignInIpsRequest = Static<typeof SetSignInIpsRequest>;

export const SubUserWithSignInIps = Type.Object(
	{ username: Username, sign_in_ips: SignInIps },
	{ additionalProperties: false, description: 'A sub-user and its addresses now.' },
);
export type SubUserWithSignInIps = Static<typeof SubUserWithSignInIps>;

export const SubUserWithState = Type.Object(
	{ username: Username, state: State },
	{ additionalProperties: false, description: 'A sub-user and its state now.' },
);
export type SubUserWithState = Static<typeof SubUserWithState>;

export const SubUserWithLimits = Type.Object(
	{ username: Username, limits: SubUserLimits },
	{ additionalProperties: false, description: 'A sub-user and all its limits now.' },
);
export type SubUserWithLimits = Static<typeof SubUserWithLimits>;

const Note = Type.String({ maxLength: MAX_NOTE_CHARACTERS, description: 'For people. Empty: no note.' });

export const SubUserWithNote = Type.Object(
	{ username: Username, note: Note },
	{ additionalProperties: false, description: 'A sub-user and its note now.' },
);
export type SubUserWithNote = Static<typeof SubUserWithNote>;

export const DeletedSubUser = Type.Object(
	{
		username: Username,
		amount_usd_cents: Type.Integer({
			minimum: 0,
			maximum: MAX_CENTS,
			description: 'What went back to the balance of the reseller, in USD cents.',
			examples: [250],
		}),
	},
	{ additionalProperties: false, description: 'The sub-user that was deleted.' },
);
export type DeletedSubUser = Static<typeof DeletedSubUser>;

const Used = (of: string) =>
	Type.Integer({ minimum: 0, description: `Bytes that were counted of ${of}, up and down together.` });

const RefusalReason = Type.Enum(ACCOUNT_REFUSAL_REASONS, {
	description: 'Why, as `X-Bursar-Reason` of the proxy says it.',
	examples: ['exhausted'],
});

const LastRefusal = Type.Object(
	{
		at: UtcTimestamp('When, UTC.'),
		edge: Type.String({ description: 'The name of the proxy host.', examples: ['frankfurt-1'] }),
		reason: RefusalReason,
		network: nullable(
			Type.String({ examples: ['192.0.2.0/24'] }),
			'The network of the client: a /24 of IPv4 or a /48 of IPv6; `null` if it is not known.',
		),
	},
	{ additionalProperties: false },
);

const CountedRefusals = Type.Object(
	{ reason: RefusalReason, count: Type.Integer({ minimum: 1, description: 'How many clients.', examples: [12] }) },
	{ additionalProperties: false },
);
const USED_BYTES = {
	day_bytes: Used('this UTC day'),
	month_bytes: Used('this UTC month'),
	total_bytes: Used('all time'),
} as const;

const Usable = Type.Boolean({ description: 'Whether the proxies accept its pair now.', examples: [true] });
const Reason = Type.Enum([...UNUSABLE_REASONS]);
const USABLE = {
	usable: Usable,
	reason: nullable(
		Reason,
		'Why not, as the proxies say it; `null` if they accept it. The first reason that holds. `suspended`: it, or the reseller. `exhausted`: nothing is left of its balance, or the debt of the reseller is beyond the line.',
	),
} as const;

export const SubUserDetails = Type.Object(
	{
		username: Username,
		state: State,
		...USABLE,
		limits: SubUserLimits,
		used: Type.Object(
			{
				...USED_BYTES,
				connections: nullable(
					Type.Integer({ minimum: 0 }),
					'Connections that proxy hosts lately reported as open; `null` without a limit of connections.',
				),
			},
			{ additionalProperties: false, description: 'What of the limits is used.' },
		),
		sign_in_ips: SignInIps,
		note: Note,
		last_seen: nullable(UtcTimestamp('When it last used bandwidth, UTC.'), '`null` if it never used any.'),
		last_refusal: nullable(
			LastRefusal,
			'When a proxy host last refused a client that named it, or cut it off; `null` if none did in the last 8 days.',
		),
		refusals: Type.Array(CountedRefusals, {
			description: 'What proxy hosts refused in the last 8 days. The reason of the last refusal comes first.',
		}),
	},
	{
		additionalProperties: false,
		description: 'The state of a sub-user, whether it can be used, its limits, and what of them is used.',
	},
);
export type SubUserDetails = Static<typeof SubUserDetails>;

/** What names can begin with. */
const NameBeginning = Type.String({ pattern: '^[A-Za-z0-9._]{0,64}$' });

const After = Type.Optional(
	nullable(NameBeginning, 'The `next` of the previous page; absent or `null` for the first one.'),
);
const Next = nullable(
	Type.String(),
	'What to send as `after` for the next page; `null` only after the last one. A page can have fewer rows than `limit`, even none, and still have a next one.',
);

export const SubUserPageRequest = Type.Object(
	{
		after: After,
		limit: PageLimit,
		prefix: Type.Optional(
			Type.String({ ...NameBeginning, description: 'Only names that begin with it.', examples: ['alice'] }),
		),
		state: Type.Optional(State),
		usable: Type.Optional(
			Type.Boolean({
				description: 'Only those that the proxies accept, or only those that they refuse. Up to ten seconds late.',
				examples: [false],
			}),
		),
		reason: Type.Optional(
			Type.Enum([...UNUSABLE_REASONS], {
				description: 'Only those that the proxies refuse for this reason. Up to ten seconds late.',
				examples: ['exhausted'],
			}),
		),
	},
	{ description: 'Which page. Other fields are ignored.' },
);
export type SubUserPageRequest = Static<typeof SubUserPageRequest>;

export const ListedSubUser = Type.Object(
	{
		...SubUser.properties,
		state: State,
		...USABLE,
		used: Type.Object(USED_BYTES, { additionalProperties: false, description: 'What it has used.' }),
	},
	{ additionalProperties: false, description: 'A sub-user with its state, and whether it can be used.' },
);
export type ListedSubUser = Static<typeof ListedSubUser>;

export const SubUserPage = Type.Object(
	{ sub_users: Type.Array(ListedSubUser, { description: 'In the order of their names.' }), next: Next },
	{ additionalProperties: false, description: 'A page of sub-users.' },
);
export type SubUserPage = Static<typeof SubUserPage>;

export const AccountRequest = Type.Object({}, { description: 'Nothing. Fields are ignored.' });

export const ResellerAccount = Type.Object(
	{
		balance: BalanceCents,
		debt: Type.Integer({
			minimum: 0,
			maximum: MAX_CENTS,
			description:
				'What the reseller owes for bandwidth that no balance covered, in USD cents. Its balance pays it first.',
			examples: [120],
		}),
		line: Type.Integer({
			minimum: 0,
			maximum: MAX_CENTS,
			description:
				'Beyond this debt, in USD cents, the proxies refuse all pairs of the reseller while there is a price.',
			examples: [500],
		}),
		price: nullable(
			Type.Integer({ minimum: 1, maximum: MAX_PRICE_MICRO_USD }),
			'What a GB (10^9 bytes, up and down together) costs, in millionths of a US dollar; `null` if bandwidth costs nothing.',
		),
		usable: Type.Boolean({ description: "Whether the proxies accept the reseller's own pair.", examples: [false] }),
		reason: nullable(
			Type.Enum(['suspended', 'exhausted']),
			'Why not, as the proxies say it; `null` if they accept it. `exhausted`: nothing is left of the balance, or the debt is beyond the line.',
		),
	},
	{ additionalProperties: false, description: 'What the reseller has and owes.' },
);
export type ResellerAccount = Static<typeof ResellerAccount>;
