import { texts } from '../preferences/catalogue.ts';

export const pageTexts = texts('pageTexts', {
	title: '{page} · {service}',
	loading: 'Loading',
	retry: 'Try again',
});
