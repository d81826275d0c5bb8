import { inLanguage } from '../preferences/in-language.ts';

export const pageTexts = inLanguage('pageTexts', {
	title: (page: string) => `${page} · Bursar`,
	loading: 'Loading',
	retry: 'Try again',
});
