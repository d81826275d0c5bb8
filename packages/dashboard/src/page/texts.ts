import { inLanguage } from '../preferences/in-language.ts';

export const pageTexts = inLanguage('pageTexts', {
	product: 'Bursar',
	title: (page: string) => `${page} · Bursar`,
	loading: 'Loading',
	retry: 'Try again',
});
