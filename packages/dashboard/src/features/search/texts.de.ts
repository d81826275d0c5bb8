import { numberText } from '../../format/number.ts';
import type { searchTexts as english } from './texts.ts';

export const searchTexts: typeof english = {
	keys: 'Strg K',
	button: 'Suchen',
	title: 'Suche',
	label: (isOperator) =>
		isOperator
			? 'Seiten, Reseller, Unterbenutzer, Personen und Edges suchen'
			: 'Seiten, Unterbenutzer, Notizen und Personen suchen',
	hits: 'Treffer',
	groups: {
		pages: 'Seiten',
		resellers: 'Reseller',
		sub_users: 'Unterbenutzer',
		people: 'Personen',
		edges: 'Edges',
	},
	operator: 'Betreiber',
	count: (count) => (count === 1 ? '1 Treffer' : `${numberText(count)} Treffer`),
	searching: 'Suche läuft',
	nothing: 'Nichts gefunden.',
};
