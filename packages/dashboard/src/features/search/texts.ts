import { texts } from '../../preferences/catalogue.ts';

export const searchTexts = texts('searchTexts', {
	keys: 'Ctrl K',
	button: 'Search',
	title: 'Search',
	labels: {
		operator: 'Search for pages, resellers, sub-users, people, edges and references',
		reseller: 'Search for pages, sub-users, notes, people and references',
	},
	hits: 'Hits',
	groups: {
		pages: 'Pages',
		resellers: 'Resellers',
		sub_users: 'Sub-users',
		people: 'People',
		edges: 'Edges',
		references: 'Transactions',
	},
	operator: 'Operator',
	count: { one: '1 hit', other: '{count} hits' },
	searching: 'Searching',
	nothing: 'Nothing found.',
});
