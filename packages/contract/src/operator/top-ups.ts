import Type from 'typebox';
import { OperatorTopUp, PaymentId } from '../payment-schemas.ts';
import { PAYMENT_PROVIDERS } from '../payments.ts';
import { TOP_UP_EXAMPLE } from '../top-up-endpoints.ts';
import { operation } from './operation.ts';
import { ACME, answer, Cents, EXAMPLE_TIME, nullable, OperatorPageLimit, SentReseller } from './parts.ts';

const OPEN: OperatorTopUp = {
	...TOP_UP_EXAMPLE,
	...{ change_id: null, username: ACME, is_test: false, settled: 0, object_id: 'cs_test_b1Qm', findings: [] },
	...{ read_at: EXAMPLE_TIME, failed_reads: 0, next_read_at: '2026-11-21T09:30:10.000Z' },
};

/** Payments of resellers through payment providers. */
export const topUpOperations = {
	createTopUp: operation({
		path: '/top_ups/create',
		scope: 'money:write',
		isChange: true,
		tag: 'Money',
		summary: 'Begin a payment of a reseller',
		description:
			'Makes a payment through a payment provider. A person pays it at its `url`. It adds to the balance of the reseller only once the provider vouches for the money. If the provider cannot be reached, the state is `creating` and `url` is `null`: look again with `/top_ups/view_page`.',
		request: Type.Object(
			{
				username: SentReseller,
				provider: Type.Enum([...PAYMENT_PROVIDERS], { description: 'Where it is paid.', examples: ['stripe'] }),
				amount_usd_cents: Cents,
			},
			{ description: 'The new payment. Other fields are ignored.' },
		),
		requestExample: { username: ACME, provider: 'stripe', amount_usd_cents: 5000 },
		answer: 'The new payment.',
		data: OperatorTopUp,
		dataExample: OPEN,
		failures: [
			...(['unknown_reseller', 'invalid_amount', 'amount_out_of_bounds'] as const),
			...(['provider_off', 'too_many_payments', 'suspended'] as const),
		],
	}),
	viewTopUpPage: operation({
		path: '/top_ups/view_page',
		scope: 'resellers:read',
		isChange: false,
		tag: 'Money',
		summary: 'Read a page of payments',
		description: 'Payments through payment providers, the newest first: of all resellers or of one, or one by its id.',
		request: Type.Object(
			{
				after: Type.Optional(
					nullable(PaymentId, 'The `next` of the previous page; absent or `null` for the first one.'),
				),
				limit: OperatorPageLimit,
				id: Type.Optional(
					Type.String({ ...PaymentId, description: 'Only the payment with this id, if there is one.' }),
				),
				username: Type.Optional(
					Type.String({ ...SentReseller, description: 'Only those of this reseller. Absent: of all.' }),
				),
				only: Type.Optional(
					Type.Enum(['waiting', 'findings'], {
						description: '`waiting`: only those that still wait for money. `findings`: only those that do not fit.',
					}),
				),
			},
			{ description: 'Which page. Other fields are ignored.' },
		),
		requestExample: { only: 'findings' },
		answer: 'A page of payments.',
		data: answer(
			{
				top_ups: Type.Array(OperatorTopUp, { description: 'The newest first.' }),
				next: nullable(PaymentId, 'What to send as `after` for the next page; `null` only after the last one.'),
			},
			'A page of payments.',
		),
		dataExample: {
			top_ups: [
				{
					...{ ...OPEN, state: 'settled', settled: 4000, credited: 4000, url: null, findings: ['underpaid'] },
					next_read_at: '2026-11-21T09:40:00.000Z',
				},
			],
			next: null,
		},
		failures: ['unknown_reseller'],
	}),
	readTopUp: operation({
		path: '/top_ups/read',
		scope: 'money:write',
		isChange: true,
		tag: 'Money',
		summary: 'Ask for a payment to be read',
		description:
			'The service reads the payment at its provider now, and books what is not booked yet. Usually it does so by itself. Look at `read_at` of the payment afterwards.',
		request: Type.Object({ id: PaymentId }, { description: 'Names one payment. Other fields are ignored.' }),
		requestExample: { id: OPEN.id },
		answer: 'The payment that is read.',
		data: answer({ id: PaymentId }, 'The payment that is read.'),
		dataExample: { id: OPEN.id },
		failures: ['unknown_payment'],
	}),
};
