import type { listTexts as english } from './texts.ts';

export const listTexts: typeof english = {
	pager: 'Seiten der Liste',
	previous: 'Zurück',
	next: 'Weiter',
	toFirstPage: 'Zur ersten Seite',
	newest: 'Neueste',
	older: 'Ältere',
	order: 'Sortieren nach',
	from: 'Von',
	to: 'Bis',
	isBackwards: 'Dieser Tag liegt vor „Von“.',
	clearFilters: 'Filter entfernen',
	searchedTo: (moment) => `Gesucht zurück bis ${moment}.`,
	goOn: 'Weiter suchen',
	downloadBegun:
		'Der Download beginnt. Wenn nichts ankommt, warten Sie, bis ein anderer beendet ist, und versuchen Sie es noch einmal.',
};
