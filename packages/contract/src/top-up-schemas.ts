import Type, { type Static } from 'typebox';
import { MAX_CENTS } from './limits.ts';
import { PaymentId, TopUp } from './payment-schemas.ts';
import { PAYMENT_PROVIDERS } from './payments.ts';
import { nullable, PageLimit } from './schema-parts.ts';

// Requests and answers of top-ups (docs/api.md 14).

export const CreateTopUpRequest = Type.Object(
	{
		provider: Type.Enum([...PAYMENT_PROVIDERS], { description: 'Where it is paid.', examples: ['stripe'] }),
		amount_usd_cents: Type.Integer({
			minimum: 1,
			maximum: MAX_CENTS,
			description: 'What is to be paid, in USD cents, within the bounds that the operator has set.',
			examples: [5000],
		}),
	},
	{ description: 'The new payment. Other fields are ignored.' },
);
export type CreateTopUpRequest = Static<typeof CreateTopUpRequest>;

export const TopUpPageRequest = Type.Object(
	{
		after: Type.Optional(nullable(PaymentId, 'The `next` of the previous page; absent or `null` for the first one.')),
		limit: PageLimit,
		id: Type.Optional(
			Type.String({
				description: 'Only the payment with this id, if you have it.',
				examples: ['pay_4fQ9sLw2ZbT7xKc1Vn4xT8'],
			}),
		),
		only: Type.Optional(
			Type.Enum(['waiting'], {
				description:
					'Only payments that still wait for money: those in the states `creating`, `open` and `processing`.',
			}),
		),
	},
	{ description: 'Which page. Other fields are ignored.' },
);
export type TopUpPageRequest = Static<typeof TopUpPageRequest>;

export const TopUpPage = Type.Object(
	{
		top_ups: Type.Array(TopUp, { description: 'The newest first.' }),
		next: nullable(PaymentId, 'What to send as `after` for the next page; `null` only after the last one.'),
	},
	{ additionalProperties: false, description: 'A page of payments.' },
);
export type TopUpPage = Static<typeof TopUpPage>;
