import { texts } from '../preferences/catalogue.ts';

export const listTexts = texts('listTexts', {
	pager: 'Pages of the list',
	previous: 'Previous',
	next: 'Next',
	toFirstPage: 'Go to the first page',
	newest: 'Newest',
	older: 'Older',
	order: 'Sort by',
	from: 'From',
	to: 'To',
	isBackwards: 'This day is before “From”.',
	clearFilters: 'Clear the filters',
	searchedTo: 'Searched back to {moment}.',
	goOn: 'Search further',
	downloadBegun: 'The download begins. If nothing arrives, wait until another one has ended, then try again.',
});
