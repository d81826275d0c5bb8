import Type, { type Static } from 'typebox';
import { CHANGE_ID_FORM, CHANGE_ID_HEADER } from './change-id.ts';
import { MAX_CENTS } from './limits.ts';
import { REFERENCE_FORM, REFERENCE_HEADER } from './reference.ts';
import { BalanceCents, nullable, PageLimit, UtcTimestamp } from './schema-parts.ts';
import { MOVEMENT_KINDS } from './sub-user-terms.ts';

// Requests and answers of the statement (docs/api.md 11.7).

const Day = (description: string) =>
	Type.Optional(Type.String({ format: 'date', description, examples: ['2026-11-21'] }));

export const StatementPageRequest = Type.Object(
	{
		order: Type.Optional(
			Type.Enum(['newest', 'oldest'], {
				description:
					'Which movements come first; absent: `newest`. `oldest` is for programs that follow the statement.',
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
		limit: PageLimit,
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
				'`top_up` and `take` add to the balance of the reseller; `adjustment`, `create_fee`, `give` and `debt_payment` take from it; `usage` takes from the account that used bandwidth; `debt` and `refund_debt` add to what the reseller owes, `debt_payment` and `debt_forgiven` take from that.',
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
			`Of a give or a take, its \`${REFERENCE_HEADER}\`; of a top-up or an adjustment, what the operator has written with it, or of a payment through a provider, its provider, object and number, like \`stripe:cs_test_b1Qm:1\`; \`null\` if there is none.`,
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
