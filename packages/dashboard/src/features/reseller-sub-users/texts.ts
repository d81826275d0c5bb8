import type { SubUserOfResellerOrder } from '@bursar/contract/dashboard';
import { texts } from '../../preferences/catalogue.ts';

/** The sub-users of a reseller, as operators see them. */
export const resellerSubUserTexts = texts('resellerSubUserTexts', {
	title: 'Sub-users',
	pageTitle: 'Sub-users of {reseller}',
	lead: 'Only the reseller changes them, and sees their keys. If the reseller is suspended, all of them are refused.',
	search: 'Search by the beginning of the name',
	name: 'Name',
	state: 'State',
	anyState: 'In any state',
	balance: 'Balance',
	created: 'Created',
	orders: {
		name: 'Name, from A to Z',
		'-name': 'Name, from Z to A',
		'-balance': 'Largest balance first',
		balance: 'Smallest balance first',
		'-created': 'Newest first',
		created: 'Oldest first',
	} as const satisfies Record<SubUserOfResellerOrder, string>,
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
	nothingFound: 'No sub-user has such a name and state.',
});
