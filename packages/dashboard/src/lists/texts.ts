export const listTexts = {
	pager: 'Pages of the list',
	previous: 'Previous',
	next: 'Next',
	toFirstPage: 'Go to the first page',
	newest: 'Newest',
	older: 'Older',
	clearFilters: 'Clear the filters',
	searchedTo: (moment: string) => `Searched back to ${moment}.`,
	goOn: 'Go on',
	downloadBegun: 'The download begins. If nothing arrives, wait until another one has ended, then try again.',
} as const;
