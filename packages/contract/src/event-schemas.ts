import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { EventTypes } from './event-types-part.ts';
import { DEBT_STATES, EVENT_TYPES, type EventType } from './events.ts';
import { DEFAULT_PAGE_ROWS, MAX_CENTS, MAX_EVENT_WAIT_SECONDS, MAX_PAGE_ROWS } from './limits.ts';
import { PaymentId } from './payment-schemas.ts';
import { BalanceCents, nullable, Username, UtcTimestamp } from './schema-parts.ts';
import { UNUSABLE_REASONS } from './sub-user-terms.ts';
import { SubUserLimits } from './terms-schemas.ts';

// The request and the answer of the events' route (docs/api.md 12).

export const EventPageRequest = Type.Object(
	{
		after: Type.Optional(
			Type.Union(
				[
					Type.String({ pattern: '^(?:newest|(?:0|[1-9][0-9]{0,14})(?:-evt_[0-9A-Za-z]{22})?)$' }),
					Type.Integer({ minimum: 0, maximum: 999_999_999_999_999 }),
					Type.Null(),
				],
				{
					description:
						'The place in the log: the `next` of the previous page, or a number, which nothing guards; absent or `null` for the oldest event that is kept; `newest` for the present place, which answers no events.',
					examples: ['8123-evt_3Jx0ZqPr7LmVd2TnKc9sWb'],
				},
			),
		),
		limit: Type.Optional(
			Type.Integer({
				minimum: 1,
				maximum: MAX_PAGE_ROWS,
				description: `The most events in the answer; absent: ${DEFAULT_PAGE_ROWS}.`,
			}),
		),
		types: Type.Optional(EventTypes('Only events of these types; absent: all.')),
		wait_seconds: Type.Optional(
			Type.Integer({
				minimum: 0,
				maximum: MAX_EVENT_WAIT_SECONDS,
				description: 'If there is no such event yet, the answer waits for one so long; absent: not at all.',
			}),
		),
	},
	{ description: 'Which page. Other fields are ignored.' },
);
export type EventPageRequest = Static<typeof EventPageRequest>;

const Cents = (description: string, minimum = 0) => Type.Integer({ minimum, maximum: MAX_CENTS, description });
const data = (properties: Record<string, TSchema> = {}) => Type.Object(properties, { additionalProperties: false });
const Reason = Type.Enum([...UNUSABLE_REASONS], {
	description: 'Why the proxies refuse its pair. The first reason that holds, whatever holds for the reseller.',
});

/** An event that is older than the speed limit does not have it. */
const ToldLimits = Type.Object(
	{ ...SubUserLimits.properties, bytes_per_second: Type.Optional(SubUserLimits.properties.bytes_per_second) },
	{ additionalProperties: false, description: 'How far a sub-user may use the proxy.' },
);

/** The field `data` of each type, as `EventData` describes it. */
const DATA: Readonly<Record<EventType, TObject>> = {
	'sub_user.created': data({
		usable: Type.Boolean({ description: 'Whether the proxies accept its pair.' }),
		reason: nullable(Reason, 'Why not; `null` if they accept it.'),
	}),
	'sub_user.suspended': data(),
	'sub_user.resumed': data(),
	'sub_user.limits_set': data({ limits: ToldLimits }),
	'sub_user.key_reset': data(),
	'sub_user.deleted': data({ amount_usd_cents: Cents('What went back to the reseller, in USD cents.') }),
	'sub_user.unusable': data({ reason: Reason }),
	'sub_user.usable': data(),
	'reseller.credited': data({
		amount_usd_cents: Cents('USD cents; below zero if it was taken back.', -MAX_CENTS),
		balance: BalanceCents,
		reference: Type.String({
			description:
				'What the operator has written with it, or of a payment through a provider, its provider, object and number.',
			examples: ['stripe:cs_test_b1Qm:1'],
		}),
		payment: Type.Optional(
			Type.String({
				...PaymentId,
				description: 'The payment through a provider that has brought it, or taken it back; absent if there is none.',
			}),
		),
	}),
	'reseller.balance_low': data({
		balance: BalanceCents,
		threshold: Cents('The balance below which the reseller wants to be told, in USD cents.'),
	}),
	'reseller.debt': data({
		state: Type.Enum([...DEBT_STATES], { description: 'How the debt has changed.' }),
		debt: Cents('What the reseller owes now, in USD cents.'),
		line: Cents('Beyond this debt, in USD cents, the proxies refuse all pairs of the reseller.'),
	}),
	'reseller.suspended': data(),
	'reseller.resumed': data(),
	'token.rotated': data({
		change: Type.Enum(['rotated', 'ended'], { description: '`ended`: the previous tokens have all ended at once.' }),
		token_tail: Type.String({ description: 'The last four characters of the new token.' }),
		made_by: Type.String({ description: 'The e-mail address of the person who made it, or `operator`.' }),
		previous_expires_at: UtcTimestamp('When the previous tokens end, UTC.'),
	}),
};

const DebtUsername = Type.String({
	description: 'The account that used the bandwidth; absent if the debt has not grown.',
});

const eventOf = (type: EventType) =>
	Type.Object(
		{
			id: Type.String({
				pattern: '^evt_[0-9A-Za-z]{22}$',
				description: 'Its id. An event of a log that was restored has another one.',
				examples: ['evt_3Jx0ZqPr7LmVd2TnKc9sWb'],
			}),
			number: Type.Integer({
				minimum: 1,
				description: 'Its place in the log of the reseller: 1, 2, 3, without a gap.',
			}),
			type: Type.Literal(type),
			at: UtcTimestamp('When it happened, UTC.'),
			...(type.startsWith('sub_user.') && { username: Username }),
			...(type === 'reseller.debt' && { username: Type.Optional(DebtUsername) }),
			data: DATA[type],
			request_id: Type.Optional(
				Type.String({ description: 'The `X-Request-Id` of the request that has caused it; absent if none has.' }),
			),
			change_id: Type.Optional(
				Type.String({ description: 'The `X-Change-Id` of the change that has caused it; absent if it had none.' }),
			),
		},
		{ additionalProperties: false },
	);

export const ResellerEvent = Type.Union(EVENT_TYPES.map(eventOf), {
	description: 'What has happened. `data` is different for each type. There may be further types one day: ignore them.',
});

export const EventPage = Type.Object(
	{
		events: Type.Array(ResellerEvent, { description: 'The oldest first.' }),
		next: Type.String({
			description:
				'The place behind this page, to send as `after`. It moves past events of other types, so a page can be empty and have another place.',
		}),
		more: Type.Boolean({ description: 'Whether there may be more to read now.' }),
	},
	{ additionalProperties: false, description: 'A page of events.' },
);
