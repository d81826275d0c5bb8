import Type from 'typebox';
import { operation } from './operation.ts';
import {
	ACME,
	answer,
	BalanceCents,
	Cents,
	EXAMPLE_TIME,
	nullable,
	Reseller,
	ResellerRequest,
	SentReseller,
	TIME,
} from './parts.ts';

const ResellerState = answer(
	{
		username: Reseller,
		balance: BalanceCents,
		debt: Type.Integer({ minimum: 0, description: 'What it owes for bandwidth, in USD cents.' }),
		debt_line: Type.Integer({
			minimum: 0,
			description: 'Beyond this debt, in USD cents, the proxies refuse its pairs while it has a price.',
		}),
		price: nullable(
			Type.Integer({ minimum: 1 }),
			'What a GB (10^9 bytes, up and down together) costs, in millionths of a US dollar; `null` if bandwidth costs nothing.',
		),
		suspended_since: nullable(TIME('Since when it is suspended, UTC.'), '`null` if it is not suspended.'),
		date_created: TIME('When it was created, UTC.'),
	},
	'A reseller.',
);

const RESELLER = {
	username: ACME,
	balance: 12480,
	debt: 0,
	debt_line: 500,
	price: 3_500_000,
	suspended_since: null,
	date_created: EXAMPLE_TIME,
};

const Suspension = answer(
	{ username: Reseller, suspended: Type.Boolean({ description: 'Whether it is suspended now.' }) },
	'The reseller and whether it is suspended.',
);

const NewToken = answer(
	{
		username: Reseller,
		token: Type.String({
			pattern: '^brs_[0-9A-Za-z]{46}$',
			description: 'The one token of the reseller. It is told only here: keep it.',
		}),
	},
	'The reseller and its token.',
);
const TOKEN = { username: ACME, token: 'brs_0000000000000000000000000000000000000000000000' };

/** Resellers. */
export const resellerOperations = {
	createReseller: operation({
		path: '/resellers/create',
		scope: 'resellers:write',
		isChange: true,
		tag: 'Resellers',
		summary: 'Create a reseller',
		description:
			'Opens the account of a reseller with balance 0, and tells its token, only here. If the answer was lost, `/resellers/end_tokens` gives another token.',
		request: ResellerRequest,
		requestExample: { username: ACME },
		answer: 'The new reseller and its token.',
		data: NewToken,
		dataExample: TOKEN,
		failures: ['invalid_username', 'username_taken'],
	}),
	viewReseller: operation({
		path: '/resellers/view',
		scope: 'resellers:read',
		isChange: false,
		tag: 'Resellers',
		summary: 'Read a reseller',
		description: 'What a reseller has and owes.',
		request: ResellerRequest,
		requestExample: { username: ACME },
		answer: 'The reseller.',
		data: ResellerState,
		dataExample: RESELLER,
		failures: ['unknown_reseller'],
	}),
	suspendReseller: operation({
		path: '/resellers/suspend',
		scope: 'resellers:write',
		isChange: true,
		tag: 'Resellers',
		summary: 'Suspend a reseller',
		description:
			'The proxies refuse its pairs and those of its sub-users, and it changes nothing. It can still read. One that is suspended stays so.',
		request: ResellerRequest,
		requestExample: { username: ACME },
		answer: 'The reseller.',
		data: Suspension,
		dataExample: { username: ACME, suspended: true },
		failures: ['unknown_reseller'],
	}),
	resumeReseller: operation({
		path: '/resellers/resume',
		scope: 'resellers:write',
		isChange: true,
		tag: 'Resellers',
		summary: 'Resume a reseller',
		description: 'Ends a suspension. One that is not suspended stays so.',
		request: ResellerRequest,
		requestExample: { username: ACME },
		answer: 'The reseller.',
		data: Suspension,
		dataExample: { username: ACME, suspended: false },
		failures: ['unknown_reseller'],
	}),
	endTokens: operation({
		path: '/resellers/end_tokens',
		scope: 'tokens:write',
		isChange: true,
		tag: 'Tokens',
		summary: 'End all tokens of a reseller',
		description:
			'Refuses every token of the reseller from now on, further ones too, and tells a new one, only here. Whoever has it can do all that the reseller can.',
		request: ResellerRequest,
		requestExample: { username: ACME },
		answer: 'The reseller and its new token.',
		data: NewToken,
		dataExample: TOKEN,
		failures: ['unknown_reseller'],
	}),
};

const Reference = Type.String({
	description:
		"The operator's own name for this payment, unique on the platform, for ever: a second payment with it moves nothing. 1 to 200 visible characters; it does not begin with `stripe:` or `btcpay:`.",
	examples: ['invoice-1042'],
});
const Reason = 'For people: at most 200 characters.';

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

/** Money in from outside, and back out. */
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
				reason: Type.Optional(Type.String({ description: `${Reason} Absent: none.` })),
			},
			{ description: 'The payment. Other fields are ignored.' },
		),
		requestExample: { username: ACME, amount_usd_cents: 5000, reference: 'invoice-1042' },
		answer: 'The reseller and its balance.',
		data: Paid,
		dataExample: { username: ACME, balance: 17480, repeated: false },
		failures: [
			...(['unknown_reseller', 'invalid_amount', 'invalid_reference', 'invalid_reason'] as const),
			...(['reference_conflict', 'balance_limit'] as const),
		],
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
				reason: Type.String({ description: Reason, examples: ['paid twice'] }),
			},
			{ description: 'What is taken back, and why. Other fields are ignored.' },
		),
		requestExample: { username: ACME, amount_usd_cents: 5000, reference: 'refund-1042', reason: 'paid twice' },
		answer: 'The reseller and its balance.',
		data: Paid,
		dataExample: { username: ACME, balance: 12480, repeated: false },
		failures: [
			...(['unknown_reseller', 'invalid_amount', 'invalid_reference', 'invalid_reason'] as const),
			...(['reference_conflict', 'insufficient_balance'] as const),
		],
	}),
};
