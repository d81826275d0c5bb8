import type { Movement, MovementKind, MovementMaker } from '@bursar/contract/dashboard';
import { inLanguage } from '../../preferences/in-language.ts';

export const statementTexts = inLanguage('statementTexts', {
	lead: (zone: string) => `Every transaction of your balance, the newest first. All times are in ${zone}.`,
	label: 'Transactions',
	at: 'Time',
	kind: 'Transaction',
	subUser: 'Sub-user',
	amount: 'Amount',
	balance: 'Balance',
	ownBalance: 'Your balance',
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
	} satisfies Record<MovementKind, string>,
	makers: { api: 'API', person: 'Operator', operator: 'Operator', service: 'Bursar' } satisfies Record<
		MovementMaker['kind'],
		string
	>,
	allKinds: 'All',
	invalidSubUser: 'No sub-user can have this name.',
	csv: 'Download as CSV',
	/** What a movement of the kind `usage` paid for. */
	usage: (bytes: string) => `For ${bytes}`,
	atPrice: (bytes: string, price: string) => `${bytes} at ${price} a GB, since`,
	uncollected: (amount: string) =>
		`The balance did not cover ${amount} more. This is uncollected: no later credit pays it.`,
	balanceOf: (username: string) => `of ${username}`,
	notPostedYet:
		'Balances here are those of the ledger. It charges for bandwidth once after each UTC day, and when an account pays, gets money or runs out, so what was used since the last line of an account is not in it yet.',
});

/** Who moved money: an e-mail address; the API with its token and address; or the operator. */
export function makerText(by: MovementMaker): string {
	const words = statementTexts.makers[by.kind];
	switch (by.kind) {
		case 'api':
			return [words, by.token_tail && `token …${by.token_tail}`, by.address].filter(Boolean).join(', ');
		case 'person':
			return by.email ?? words;
		case 'operator':
			return by.system_user === null ? words : `${words}, ${by.system_user}`;
		case 'service':
			return words;
	}
}

/** The operator's reference and reason, in one line. May be empty. */
export function paymentText({ reference, reason }: Pick<Movement, 'reference' | 'reason'>): string {
	return [reference, reason].filter((text) => text !== '').join(' · ');
}
