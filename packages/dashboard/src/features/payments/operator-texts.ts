import { PAYMENTS_COUNTED } from '@bursar/contract/limits';
import type { PaymentFinding } from '@bursar/contract/payments';
import { texts, textsWith } from '../../preferences/catalogue.ts';

/** What does not fit about a payment: in a few words, what it means, and what an operator can do. */
export const findingTexts = texts('findingTexts', {
	underpaid: {
		name: 'Paid too little',
		means: 'Less was paid than asked for. What arrived is booked.',
		todo: 'Nothing has to be done.',
	},
	overpaid: {
		name: 'Paid too much',
		means: 'More was paid than asked for. What arrived is booked.',
		todo: 'Nothing has to be done, or refund the rest.',
	},
	paid_late: {
		name: 'Paid late',
		means: 'It was paid after its end. What arrived is booked.',
		todo: 'Nothing has to be done.',
	},
	other_currency: {
		name: 'Not in US dollars',
		means: 'It is in another currency, so nothing is booked.',
		todo: 'Look at it at the provider, and top up the reseller by hand.',
	},
	other_mode: {
		name: 'Test or real money',
		means: 'It is a test at a service that takes real money, or the other way round, so nothing is booked.',
		todo: 'Correct the key in the settings.',
	},
	other_payment: {
		name: 'Of another payment',
		means: 'The object of the provider belongs to another payment, or to none, so nothing is booked.',
		todo: 'Look at the provider who changed its metadata.',
	},
	not_found: {
		name: 'Not found',
		means: 'The provider does not know it any more. What was booked stays.',
		todo: 'Look whether the key is that of another account or store.',
	},
	returned_too_much: {
		name: 'Too much taken back',
		means: 'More was refunded or is disputed than was paid. What was paid is taken back.',
		todo: 'Look at it at the provider.',
	},
	owed: {
		name: 'Owed',
		means: 'What was taken back was not there any more. The reseller owes the rest.',
		todo: 'Ask the reseller for it, or forgive the debt.',
	},
	suspended: {
		name: 'Reseller suspended',
		means: 'Money arrived or was taken back while the reseller was suspended.',
		todo: 'Resume the reseller, or refund the money.',
	},
	balance_limit: {
		name: 'Balance too large',
		means: 'With it, the balance would be too large, so nothing is booked until it fits.',
		todo: 'Refund it at the provider.',
	},
} as const satisfies Record<PaymentFinding, { readonly name: string; readonly means: string; readonly todo: string }>);

/** Payments of all resellers, for operators. */
export const paymentsTexts = textsWith(
	'paymentsTexts',
	{ most: PAYMENTS_COUNTED },
	{
		lead: 'What resellers pay through payment providers. What a provider confirms is booked by itself.',
		off: 'No payment provider is set up. The operating guide says how (page “Payments”).',
		none: 'There are no payments yet.',
		nothingFound: 'No payment matches these filters.',
		label: 'Payments, the newest first',
		which: 'Which payments',
		all: 'All',
		waiting: 'Wait for money',
		/** With how many there are. */
		findings: 'Do not fit ({count})',
		manyFindings: 'Do not fit ({most} or more)',
		reseller: 'Reseller',
		invalidReseller: 'No reseller can have this name.',

		asked: 'Asked for',
		settled: 'Arrived',
		booked: 'Booked',
		read: 'Read',
		neverRead: 'Never',
		failedReads: { one: 'Failed once', other: 'Failed {count} times' },
		next: 'Next {moment}',
		notByItself: 'Only on demand',

		title: 'Payment of {reseller}',
		allPayments: 'All payments',
		doesNotFit: 'What does not fit',
		amounts: 'Amounts',
		amountsLead:
			'The balance should have what arrived, less what was refunded or is disputed. A dispute that was won does not count.',
		atProvider: 'At the provider',
		atProviderLead:
			'Payments are read again and again by themselves. After a change at the provider, that can take a while.',
		object: 'Its id there',
		noObject: 'Not known yet',
		lastRead: 'Read last',
		nextRead: 'Read next',
		failed: 'Failed since then',
		readAgain: 'Read again',
		reading: 'It is being read.',
		readSlowly: 'It was not read yet. The provider may be away.',
		ends: { read: 'It was read again.', failed: 'The read has failed. It is tried again by itself.' },
		statement: 'See the transactions of the reseller',
	},
);
