import Type, { type Static, type TSchema } from 'typebox';
import { CHANGE_ID_FORM, CHANGE_ID_HEADER } from './change-id.ts';
import {
	DEFAULT_PAGE_ROWS,
	MAX_ALLOWED_IPS,
	MAX_BYTES,
	MAX_CENTS,
	MAX_CONNECTIONS,
	MAX_NOTE_CHARACTERS,
	MAX_PAGE_ROWS,
	MAX_PRICE_MICRO_USD,
} from './limits.ts';
import { REFERENCE_FORM, REFERENCE_HEADER } from './reference.ts';
import { BalanceCents, nullable, SentUsername, Username, UtcTimestamp } from './schema-parts.ts';
import { SubUser } from './schemas.ts';
import { MOVEMENT_KINDS, SUB_USER_STATES } from './sub-user-terms.ts';

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
const AllowedIps = Type.Array(Type.String({ examples: ['192.0.2.0/24'] }), {
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
		allowed_ips: maybe(SETTABLE.allowed_ips),
		expires_at: maybe(SETTABLE.expires_at),
	},
	{ description: 'Names one sub-user and at least one limit. A limit that is absent stays as it is.' },
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
		allowed_ips: none(SETTABLE.allowed_ips),
		expires_at: none(SETTABLE.expires_at),
	},
	{ additionalProperties: false, description: 'How far a sub-user may use the proxy.' },
);
export type SubUserLimits = Static<typeof SubUserLimits>;

export const SetNoteRequest = Type.Object(
	{
		username: SentUsername,
		note: Type.String({
			description: `For people: one line of at most ${MAX_NOTE_CHARACTERS} characters. Empty: no note.`,
			examples: ['pays by invoice'],
		}),
	},
	{ description: 'Names one sub-user and its note. Other fields are ignored.' },
);
export type SetNoteRequest = Static<typeof SetNoteRequest>;

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

export const SubUserDetails = Type.Object(
	{
		username: Username,
		state: State,
		limits: SubUserLimits,
		used: Type.Object(
			{
				day_bytes: Used('this UTC day'),
				month_bytes: Used('this UTC month'),
				total_bytes: Used('all time'),
				connections: nullable(
					Type.Integer({ minimum: 0 }),
					'Connections that proxy hosts lately reported as open; `null` without a limit of connections.',
				),
			},
			{ additionalProperties: false, description: 'What of the limits is used.' },
		),
		note: Note,
		last_seen: nullable(UtcTimestamp('When it last used bandwidth, UTC.'), '`null` if it never used any.'),
	},
	{ additionalProperties: false, description: 'The state of a sub-user, its limits, and what of them is used.' },
);
export type SubUserDetails = Static<typeof SubUserDetails>;

const Limit = Type.Optional(
	Type.Integer({
		minimum: 1,
		maximum: MAX_PAGE_ROWS,
		default: DEFAULT_PAGE_ROWS,
		description: 'The most rows in the answer.',
	}),
);
const After = Type.Optional(
	nullable(Type.String({ maxLength: 64 }), 'The `next` of the previous page; absent or `null` for the first one.'),
);
const Next = nullable(
	Type.String(),
	'What to send as `after` for the next page; `null` only after the last one. A page can have fewer rows than `limit`, even none, and still have a next one.',
);

export const SubUserPageRequest = Type.Object(
	{
		after: After,
		limit: Limit,
		prefix: Type.Optional(Type.String({ description: 'Only names that begin with it.', examples: ['alice'] })),
		state: Type.Optional(State),
	},
	{ description: 'Which page. Other fields are ignored.' },
);
export type SubUserPageRequest = Static<typeof SubUserPageRequest>;

export const ListedSubUser = Type.Object(
	{ ...SubUser.properties, state: State },
	{ additionalProperties: false, description: 'A sub-user with its state.' },
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

const Day = (description: string) =>
	Type.Optional(Type.String({ format: 'date', description, examples: ['2026-11-21'] }));

export const StatementPageRequest = Type.Object(
	{
		order: Type.Optional(
			Type.Enum(['newest', 'oldest'], {
				default: 'newest',
				description: 'Which movements come first. `oldest` is for programs that follow the statement.',
			}),
		),
		after: Type.Optional(
			Type.Union(
				[
					Type.String({ pattern: '^(?:0|[1-9][0-9]{0,15})(?:-[0-9a-f]{16})?$' }),
					Type.Integer({ minimum: 0, maximum: 999_999_999_999_999 }),
					Type.Null(),
				],
				{
					description:
						'The `next` of the previous page, in the same order; absent or `null` for the first one. With `oldest`, also the id of a movement, which nothing guards: the page begins behind it.',
					examples: ['8123-5d1c07ab92e04f36'],
				},
			),
		),
		limit: Limit,
		reference: Type.Optional(
			Type.String({
				pattern: REFERENCE_FORM.source,
				description: `Only gives and takes with exactly this \`${REFERENCE_HEADER}\`.`,
				examples: ['order-7781'],
			}),
		),
		from: Day('The first UTC day.'),
		to: Day('The last UTC day.'),
	},
	{ description: 'Which page. Other fields are ignored.' },
);
export type StatementPageRequest = Static<typeof StatementPageRequest>;

export const Movement = Type.Object(
	{
		id: Type.Integer({
			minimum: 1,
			description:
				'Counts the movements of the reseller: each has the id of the previous one and 1. Those that an older version has made have gaps between.',
			examples: [8123],
		}),
		kind: Type.Enum([...MOVEMENT_KINDS], {
			description:
				'`top_up` and `take` add to the balance of the reseller; `adjustment`, `create_fee`, `give` and `debt_payment` take from it; `usage` takes from the account that used bandwidth; `debt` adds to what the reseller owes, `debt_payment` and `debt_forgiven` take from that.',
			examples: ['give'],
		}),
		username: nullable(
			Type.String(),
			'The sub-user; of a fee, the name that was asked for; of a debt, the account that used the bandwidth; `null` if there is none. Its account may be deleted by now.',
		),
		amount: Type.Integer({ minimum: 1, maximum: MAX_CENTS, description: 'USD cents.', examples: [250] }),
		balance: nullable(BalanceCents, 'The balance of the reseller afterwards; `null` if it was not changed.'),
		sub_user_balance: nullable(BalanceCents, 'The balance of the sub-user afterwards; `null` if it was not changed.'),
		timestamp: UtcTimestamp('When the money moved, UTC.'),
		request_id: Type.String({ description: 'The `X-Request-Id` of the answer to the request that moved it.' }),
		change_id: nullable(
			Type.String({ pattern: CHANGE_ID_FORM.source }),
			`The \`${CHANGE_ID_HEADER}\` of the change that moved it; \`null\` if there is none.`,
		),
		reference: nullable(
			Type.String(),
			`Of a give or a take, its \`${REFERENCE_HEADER}\`; of a top-up or an adjustment, what the operator has written with it; \`null\` if there is none.`,
		),
	},
	{ additionalProperties: false, description: 'A movement of money.' },
);
export type Movement = Static<typeof Movement>;

export const StatementPage = Type.Object(
	{
		movements: Type.Array(Movement, { description: 'In the order of the request.' }),
		next: nullable(
			Type.String(),
			'What to send as `after` for the next page. The newest first: `null` only after the last page. The oldest first: never `null`, because from there it goes on later. A page can have fewer rows than `limit`, even none, and still have a next one.',
		),
		more: Type.Optional(
			Type.Boolean({ description: 'The oldest first: whether the statement goes on behind `next` now.' }),
		),
	},
	{ additionalProperties: false, description: 'A page of the statement.' },
);
export type StatementPage = Static<typeof StatementPage>;
