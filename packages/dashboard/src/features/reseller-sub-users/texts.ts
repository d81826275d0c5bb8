import { texts } from '../../preferences/catalogue.ts';

/** The sub-users of a reseller, as operators see them. */
export const resellerSubUserTexts = texts('resellerSubUserTexts', {
	pageTitle: 'Sub-users of {reseller}',
	lead: 'Only the reseller changes them, and sees their keys. If the reseller is suspended, all of them are refused.',
	state: 'State',
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
	noTransactions: 'Nothing was given to it or taken from it.',
	none: 'This reseller has no sub-users.',
});
