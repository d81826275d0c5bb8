import { numberText } from '../../format/number.ts';
import { inLanguage } from '../../preferences/in-language.ts';

export const searchTexts = inLanguage('searchTexts', {
	keys: 'Ctrl K',
	button: 'Search',
	title: 'Search',
	label: (isOperator: boolean) =>
		isOperator
			? 'Search for pages, resellers, sub-users, people and edges'
			: 'Search for pages, sub-users, notes and people',
	hits: 'Hits',
	groups: {
		pages: 'Pages',
		resellers: 'Resellers',
		sub_users: 'Sub-users',
		people: 'People',
		edges: 'Edges',
	},
	operator: 'Operator',
	count: (count: number) => (count === 1 ? '1 hit' : `${numberText(count)} hits`),
	searching: 'Searching',
	nothing: 'Nothing found.',
});
