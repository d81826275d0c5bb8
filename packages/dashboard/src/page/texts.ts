import { texts } from '../preferences/catalogue.ts';

export const pageTexts = texts('pageTexts', {
	product: 'Bursar',
	title: '{page} · Bursar',
	loading: 'Loading',
	retry: 'Try again',
});
