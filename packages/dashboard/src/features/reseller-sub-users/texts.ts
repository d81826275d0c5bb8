import type { PairState } from '@bursar/contract/dashboard';
import { texts } from '../../preferences/catalogue.ts';

/** The sub-users of a reseller, as operators see them. */
export const resellerSubUserTexts = texts('resellerSubUserTexts', {
	pageTitle: 'Sub-users of {reseller}',
	lead: 'Only the reseller changes them, and sees their keys. If the reseller is suspended, all of them are refused.',
	state: 'State',
	/** Whether the proxies accept it, and why not. */
	states: {
		active: 'The proxies accept it as far as its balance and its limits go.',
		suspended: 'The reseller has suspended it: the proxies refuse it.',
		reseller_suspended: 'The whole reseller is suspended: the proxies refuse it.',
		reseller_in_debt: 'The reseller owes more than its line: the proxies refuse it.',
		expired: 'The time until which it may be used is over: the proxies refuse it.',
		no_balance: 'It has no balance to pay for bandwidth: the proxies refuse it until the reseller gives it some.',
		exhausted: 'Its balance is used up: the proxies refuse it until the reseller gives it more.',
		limit_reached: 'A limit of its bandwidth is reached: the proxies refuse it.',
	} as const satisfies Record<PairState, string>,
	balance: 'Balance',
	created: 'Created',
	account: 'Account',
	accountLead: 'Only the reseller changes it, and sees its key and the note on it.',
	lastSeen: 'Last seen',
	never: 'Never',
	limits: 'Limits',
	limitsLead: 'The reseller sets them. Days and months are those of UTC.',
	transactions: 'Transactions',
	transactionsLead: 'What was given to it, taken from it and charged for it, the newest first.',
	toStatement: 'In the statement of the reseller',
	toActivity: 'What was done with it',
	noTransactions: 'Nothing was given to it or taken from it.',
	none: 'This reseller has no sub-users.',
});
