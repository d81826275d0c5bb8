import type { Movement, MovementKind, MovementMaker, WantedMoney } from '@bursar/contract/dashboard';
import { PROVIDER_TITLES } from '@bursar/contract/payments';
import { bytesText } from '../../format/bytes.ts';
import { shortDayText } from '../../format/days.ts';
import { texts } from '../../preferences/catalogue.ts';
import type { NamedPeriod } from './periods.ts';
import { usageDays } from './usage-days.ts';

export const statementTexts = texts('statementTexts', {
	lead: 'The transactions of your balance, the newest first. All times are in {zone}.',
	label: 'Transactions',
	at: 'Time',
	kind: 'Transaction',
	subUser: 'Sub-user',
	amount: 'Amount',
	balance: 'Balance',
	balanceTitles: {
		reseller: 'Your balance',
		operator: 'Reseller’s balance',
		sub_user: 'Its balance',
	},
	by: 'By',
	none: 'There are no transactions yet.',
	nothingOlder: 'There is nothing older.',
	nothingFound: 'No transaction matches these filters.',
	unknownSubUser: 'There is no sub-user with this name.',
	nothingYet: 'Nothing found so far.',
	kinds: {
		top_up: 'Top-up',
		adjustment: 'Adjustment',
		create_fee: 'Fee for a sub-user',
		give: 'Given',
		take: 'Taken back',
		usage: 'Bandwidth',
		debt: 'Owed for bandwidth',
		debt_payment: 'Debt paid',
		debt_forgiven: 'Debt forgiven',
		refund_debt: 'Owed for a refund',
	} as const satisfies Record<MovementKind, string>,
	makers: { api: 'API', person: 'Operator', operator: 'Operator', service: 'Service' } as const satisfies Record<
		Exclude<MovementMaker['kind'], 'provider'>,
		string
	>,
	/** A refund and a dispute cannot be told apart here. */
	takenBackBy: 'Taken back by {provider}',
	toPayment: 'See the payment',
	token: 'token …{tail}',
	/** What a statement shows, if not one kind. */
	shown: {
		own: 'Own balance',
		no_bandwidth: 'Without bandwidth',
		all: 'All',
	} as const satisfies Record<'all' | WantedMoney, string>,
	invalidSubUser: 'No sub-user can have this name.',
	reference: 'With reference',
	invalidReference: 'A reference has no spaces and only the letters A to Z, digits and signs.',
	/** The id of a transaction. */
	number: 'No. {id}',
	csv: 'Download as CSV',
	/** What a movement of the kind `usage` paid for. */
	usage: 'For {bytes} of {days} (UTC)',
	fromDayTo: '{first} to {last}',
	today: 'Today so far',
	notPostedRow: 'Not posted yet',
	usedSince: 'For {bytes}, since',
	atPrice: '{bytes} at {price} a GB, since',
	/** What a movement changed instead of the balance that the page is about. */
	elsewhere: {
		paid: '{amount} paid by {username}',
		owed: '{amount} owed by {username}',
		forgiven: '{amount} forgiven to {username}',
	},
	period: 'Period',
	/** What all transactions of a kind are called together. */
	totals: {
		top_up: 'Top-ups',
		adjustment: 'Adjustments',
		create_fee: 'Fees',
		give: 'Given',
		take: 'Taken back',
		usage: 'Bandwidth',
		debt: 'Owed for bandwidth',
		debt_payment: 'Debt paid',
		debt_forgiven: 'Debt forgiven',
		refund_debt: 'Owed for refunds',
	} as const satisfies Record<MovementKind, string>,
	periods: { all: 'All', this_month: 'This month', last_month: 'Last month' } as const satisfies Record<
		NamedPeriod,
		string
	>,
	summary: 'Balances and totals',
	opening: 'Opening balance',
	closing: 'Closing balance',
	addingUp: 'Adding up…',
	count: '({count})',
	total: { one: '1 transaction', other: '{count} transactions' },
	bySubUsers: {
		one: 'Sub-users paid {amount} for bandwidth from their own balances, in 1 transaction. That is not part of this balance.',
		other:
			'Sub-users paid {amount} for bandwidth from their own balances, in {count} transactions. That is not part of this balance.',
	},
	owed: 'Owed for bandwidth in this period: {amount}. No balance covered it, so it is not part of this balance until it is paid.',
	owedForRefunds: 'Owed for refunds and disputes in this period: {amount}. That is not part of this balance either.',
	forgiven: '{amount} of what was owed was forgiven.',
	notPosted: 'Not yet posted: {amount} for bandwidth. With it, the balance now is {balance}.',
	months: 'Months',
	monthsLead: 'The balance before and after each month, and what happened between. Months are those of {zone}.',
	month: 'Month',
	openingOfMonth: 'Opening',
	closingOfMonth: 'Closing',
	print: 'Print',
	printed: 'Statement',
	printMonth: 'Print the statement of {month}',
	title: 'Statement of balance',
	taxNumber: 'Tax number: {number}',
	account: 'Account',
	timesIn: 'Times in',
	made: 'Made',
	fromTo: '{from} – {to}',
	out: 'Out',
	in: 'In',
	kindOf: '{kind}: {username}',
	kindTotal: '{kind} ({count})',
	notPrinted: {
		one: '1 more transaction is not printed. Choose fewer days, or download them as CSV.',
		other: '{count} more transactions are not printed. Choose fewer days, or download them as CSV.',
	},
	notPostedYet:
		'The ledger charges for bandwidth once after each UTC day, and when an account pays, gets money or runs out. If something was used since then, it stands in the first row.',
});

/** Who moved money: an e-mail address; the API with its token and address; the operator; or a payment provider. */
export function makerText({ by, amount }: Pick<Movement, 'by' | 'amount'>): string {
	if (by.kind === 'provider') {
		const provider = PROVIDER_TITLES[by.provider];
		return amount < 0 ? statementTexts.takenBackBy(provider) : provider;
	}
	const words = statementTexts.makers[by.kind];
	switch (by.kind) {
		case 'api':
			return [words, by.token_tail && statementTexts.token(by.token_tail), by.address].filter(Boolean).join(', ');
		case 'person':
			return by.email ?? words;
		case 'operator':
			return [words, by.system_user ?? by.operator_token].filter(Boolean).join(', ');
		case 'service':
			return words;
	}
}

/** The reference, the operator's reason, and what was noted, in one line. May be empty. */
export function detailsText({ reference, reason, note }: Pick<Movement, 'reference' | 'reason' | 'note'>): string {
	return [reference, reason, note].filter((text) => text !== '').join(' · ');
}

/** The bandwidth that was paid for, of all prices together, and the UTC days on which it was used. */
export function usageText({ usage, at }: Pick<Movement, 'usage' | 'at'>): string {
	const { first, last } = usageDays(usage, at);
	const [from, to] = [shortDayText(first), shortDayText(last)];
	const days = from === to ? from : statementTexts.fromDayTo(from, to);
	return statementTexts.usage(bytesText(usage.reduce((sum, { bytes }) => sum + bytes, 0)), days);
}
