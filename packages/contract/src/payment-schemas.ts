import Type, { type Static } from 'typebox';
import { CHANGE_ID_FORM, CHANGE_ID_HEADER } from './change-id.ts';
import { MAX_CENTS } from './limits.ts';
import { PAYMENT_FINDINGS, PAYMENT_PROVIDERS, PAYMENT_STATES } from './payments.ts';
import { nullable, Username, UtcTimestamp } from './schema-parts.ts';

const Cents = (description: string) => Type.Integer({ minimum: 0, maximum: MAX_CENTS, description, examples: [5000] });

export const PaymentId = Type.String({
	pattern: '^pay_[0-9A-Za-z]{22}$',
	description: 'Names the payment.',
	examples: ['pay_4fQ9sLw2ZbT7xKc1Vn4xT8'],
});

/** A payment through a provider, as its reseller sees it. */
export const TopUp = Type.Object(
	{
		id: PaymentId,
		provider: Type.Enum([...PAYMENT_PROVIDERS], { description: 'Where it is paid.', examples: ['stripe'] }),
		state: Type.Enum([...PAYMENT_STATES], {
			description:
				'`creating`: its page is not there yet; `open`: it can be paid; `processing`: it was paid, and the money is not certain yet; `settled`: the money is certain; `expired`: it was not paid in time, or not in full; `not_made`: it could not be made. Later versions may have further states.',
			examples: ['open'],
		}),
		amount: Cents('What was asked for, in USD cents.'),
		credited: Cents('What the balance has of it, in USD cents: what arrived, less what was refunded or is disputed.'),
		refunded: Cents('What was sent back, in USD cents.'),
		disputed: Cents('What the payer disputes, or has won back so, in USD cents.'),
		url: nullable(Type.String(), 'Where a person can pay it; `null` if it cannot be paid now.'),
		expires_at: nullable(
			UtcTimestamp('Until when it can be paid, UTC.'),
			'Until when it can be paid, UTC; `null` if that is not known.',
		),
		timestamp: UtcTimestamp('When it was begun, UTC.'),
		change_id: nullable(
			Type.String({ pattern: CHANGE_ID_FORM.source }),
			`The \`${CHANGE_ID_HEADER}\` of the change that began it; \`null\` if there is none.`,
		),
	},
	{ additionalProperties: false, description: 'A payment through a payment provider.' },
);
export type TopUp = Static<typeof TopUp>;

/** The same as operators see it. */
export const OperatorTopUp = Type.Object(
	{
		...TopUp.properties,
		username: Username,
		is_test: Type.Boolean({ description: 'Whether it is a test, which moves no real money.' }),
		settled: Cents('What arrived, in USD cents, whatever went back.'),
		object_id: nullable(Type.String(), 'The id at the provider; `null` if none is known.'),
		findings: Type.Array(Type.Enum([...PAYMENT_FINDINGS]), {
			description: 'What does not fit. Later versions may have further ones.',
			examples: [['underpaid']],
		}),
		read_at: nullable(
			UtcTimestamp('When the provider answered last, UTC.'),
			'When the provider answered last, UTC; `null` if never.',
		),
		failed_reads: Type.Integer({ minimum: 0, description: 'How many reads have failed since then.', examples: [0] }),
		next_read_at: nullable(
			UtcTimestamp('When it is read again, UTC.'),
			'When it is read again, UTC; `null` if only when somebody asks for it.',
		),
	},
	{ additionalProperties: false, description: 'A payment of a reseller through a payment provider.' },
);
export type OperatorTopUp = Static<typeof OperatorTopUp>;
