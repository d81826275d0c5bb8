import type { Movement, MovementKind, MovementMaker } from '@bursar/contract/dashboard';
import { numberText } from '../../format/number.ts';
import { inLanguage } from '../../preferences/in-language.ts';
import type { NamedPeriod } from './periods.ts';

export const statementTexts = inLanguage('statementTexts', {
	lead: (zone: string) => `Every transaction of your balance, the newest first. All times are in ${zone}.`,
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
	} satisfies Record<MovementKind, string>,
	makers: { api: 'API', person: 'Operator', operator: 'Operator', service: 'Bursar' } satisfies Record<
		MovementMaker['kind'],
		string
	>,
	token: (tail: string) => `token …${tail}`,
	allKinds: 'All',
	invalidSubUser: 'No sub-user can have this name.',
	csv: 'Download as CSV',
	/** What a movement of the kind `usage` paid for. */
	usage: (bytes: string) => `For ${bytes}`,
	atPrice: (bytes: string, price: string) => `${bytes} at ${price} a GB, since`,
	balanceOf: (username: string) => `of ${username}`,
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
	} satisfies Record<MovementKind, string>,
	periods: { all: 'All', this_month: 'This month', last_month: 'Last month' } satisfies Record<NamedPeriod, string>,
	summary: 'Balances and totals',
	opening: 'Opening balance',
	closing: 'Closing balance',
	addingUp: 'Adding up…',
	count: (count: number) => `(${numberText(count)})`,
	total: (count: number) => (count === 1 ? '1 transaction' : `${numberText(count)} transactions`),
	bySubUsers: (amount: string, count: number) =>
		`Sub-users paid ${amount} for bandwidth from their own balances, in ${count === 1 ? '1 transaction' : `${numberText(count)} transactions`}. That is not part of this balance.`,
	owed: (amount: string) =>
		`Owed for bandwidth in this period: ${amount}. No balance covered it, so it is not part of this balance until it is paid.`,
	forgiven: (amount: string) => `${amount} of what was owed was forgiven.`,
	notPosted: (amount: string, balance: string) =>
		`Not yet posted: ${amount} for bandwidth. With it, the balance now is ${balance}.`,
	months: 'Months',
	monthsLead: (zone: string) =>
		`The balance before and after each month, and what happened between. Months are those of ${zone}.`,
	month: 'Month',
	openingOfMonth: 'Opening',
	closingOfMonth: 'Closing',
	print: 'Print',
	printed: 'Statement',
	printMonth: (month: string) => `Print the statement of ${month}`,
	title: 'Statement of balance',
	/** Names the file, if the page is printed into one. */
	fileTitle: (reseller: string, from: string, to: string) =>
		['Statement', reseller, from, to].filter(Boolean).join(' '),
	account: 'Account',
	timesIn: 'Times in',
	made: 'Made',
	fromTo: (from: string, to: string) => `${from} – ${to}`,
	out: 'Out',
	in: 'In',
	kindOf: (kind: string, username: string) => `${kind}: ${username}`,
	kindTotal: (kind: string, count: number) => `${kind} (${numberText(count)})`,
	notPrinted: (count: number) =>
		`${count === 1 ? '1 more transaction is' : `${numberText(count)} more transactions are`} not printed. Choose fewer days, or download them as CSV.`,
	notPostedYet:
		'Balances here are those of the ledger. It charges for bandwidth once after each UTC day, and when an account pays, gets money or runs out, so what was used since the last line of an account is not in it yet.',
});

/** Who moved money: an e-mail address; the API with its token and address; or the operator. */
export function makerText(by: MovementMaker): string {
	const words = statementTexts.makers[by.kind];
	switch (by.kind) {
		case 'api':
			return [words, by.token_tail && statementTexts.token(by.token_tail), by.address].filter(Boolean).join(', ');
		case 'person':
			return by.email ?? words;
		case 'operator':
			return by.system_user === null ? words : `${words}, ${by.system_user}`;
		case 'service':
			return words;
	}
}

/** The operator's reference and reason, or what was noted, in one line. May be empty. */
export function detailsText({ reference, reason, note }: Pick<Movement, 'reference' | 'reason' | 'note'>): string {
	return [reference, reason, note].filter((text) => text !== '').join(' · ');
}
