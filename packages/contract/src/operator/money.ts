import Type from 'typebox';
import { MAX_CENTS, MAX_PRICE_MICRO_USD } from '../limits.ts';
import { operation } from './operation.ts';
import {
	ACME,
	answer,
	BalanceCents,
	Cents,
	nullable,
	OptionalReason,
	Reason,
	Reseller,
	SentReseller,
} from './parts.ts';

const Reference = Type.String({
	description:
		"The operator's own name for this payment, unique on the platform, for ever: a second payment with it moves nothing. 1 to 200 visible characters; it does not begin with `stripe:` or `btcpay:`.",
	examples: ['invoice-1042'],
});

const Paid = answer(
	{
		username: Reseller,
		balance: BalanceCents,
		repeated: Type.Boolean({
			description: 'Whether the same payment was counted before under this reference. Then no money was moved now.',
		}),
	},
	'The reseller and its balance after the first payment with this reference.',
);

const PAYMENT_FAILURES = [
	'unknown_reseller',
	'invalid_amount',
	'invalid_reference',
	'invalid_reason',
	'reference_conflict',
] as const;

const Price = nullable(
	Type.Integer({ minimum: 1, maximum: MAX_PRICE_MICRO_USD, examples: [3_500_000] }),
	'What a GB (10^9 bytes, up and down together) costs, in millionths of a US dollar; `null`: bandwidth costs nothing.',
);
const DebtLine = (absent = '') =>
	Type.Integer({
		minimum: 0,
		maximum: MAX_CENTS,
		description: `Beyond this debt, in USD cents, the proxies refuse its pairs while it has a price.${absent}`,
		examples: [500],
	});

/** Money in from outside and back out, prices and debts. */
export const moneyOperations = {
	creditReseller: operation({
		path: '/resellers/credit',
		scope: 'money:write',
		isChange: true,
		tag: 'Money',
		summary: 'Credit a reseller',
		description:
			'Adds a payment to the balance of the reseller. The same payment again, with the same reference, is answered like the first and moves nothing. So a repeat is safe, with or without a change id.',
		request: Type.Object(
			{
				username: SentReseller,
				amount_usd_cents: Cents,
				reference: Reference,
				reason: OptionalReason,
			},
			{ description: 'The payment. Other fields are ignored.' },
		),
		requestExample: { username: ACME, amount_usd_cents: 5000, reference: 'invoice-1042' },
		answer: 'The reseller and its balance.',
		data: Paid,
		dataExample: { username: ACME, balance: 17480, repeated: false },
		failures: [...PAYMENT_FAILURES, 'balance_limit'],
	}),
	takeBack: operation({
		path: '/resellers/take_back',
		scope: 'money:write',
		isChange: true,
		tag: 'Money',
		summary: 'Take money back from a reseller',
		description: 'Takes at most what the reseller has. A reference counts once, as for a credit.',
		request: Type.Object(
			{
				username: SentReseller,
				amount_usd_cents: Cents,
				reference: Reference,
				reason: Reason,
			},
			{ description: 'What is taken back, and why. Other fields are ignored.' },
		),
		requestExample: { username: ACME, amount_usd_cents: 5000, reference: 'refund-1042', reason: 'paid twice' },
		answer: 'The reseller and its balance.',
		data: Paid,
		dataExample: { username: ACME, balance: 12480, repeated: false },
		failures: [...PAYMENT_FAILURES, 'insufficient_balance'],
	}),
	setPrice: operation({
		path: '/resellers/set_price',
		scope: 'prices:write',
		isChange: true,
		tag: 'Money',
		summary: 'Set the price of bandwidth',
		description:
			'What bandwidth costs the accounts of the reseller from now on. Bandwidth that was counted before keeps the price of its time.',
		request: Type.Object(
			{
				username: SentReseller,
				price: Price,
				debt_line: Type.Optional(DebtLine(' Absent: it stays.')),
			},
			{ description: 'The price. Other fields are ignored.' },
		),
		requestExample: { username: ACME, price: 3_500_000, debt_line: 500 },
		answer: 'The reseller, and the price and line that hold now.',
		data: answer(
			{ username: Reseller, price: Price, debt_line: DebtLine() },
			'The reseller, and the price and line that hold now.',
		),
		dataExample: { username: ACME, price: 3_500_000, debt_line: 500 },
		failures: ['unknown_reseller', 'invalid_price', 'invalid_debt_line'],
	}),
	forgiveDebt: operation({
		path: '/resellers/forgive_debt',
		scope: 'money:write',
		isChange: true,
		tag: 'Money',
		summary: 'Forgive a debt',
		description: 'Takes from what the reseller owes for bandwidth, without a payment.',
		request: Type.Object(
			{ username: SentReseller, amount_usd_cents: Cents, reason: Reason },
			{ description: 'What is forgiven, and why. Other fields are ignored.' },
		),
		requestExample: { username: ACME, amount_usd_cents: 120, reason: 'an edge counted twice' },
		answer: 'The reseller, and what it still owes.',
		data: answer(
			{
				username: Reseller,
				debt: Type.Integer({ minimum: 0, maximum: MAX_CENTS, description: 'What it still owes, in USD cents.' }),
			},
			'The reseller, and what it still owes.',
		),
		dataExample: { username: ACME, debt: 0 },
		failures: ['unknown_reseller', 'invalid_amount', 'invalid_reason', 'more_than_the_debt'],
	}),
};
