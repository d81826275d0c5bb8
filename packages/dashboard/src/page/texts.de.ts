import type { pageTexts as english } from './texts.ts';

export const pageTexts: typeof english = {
	product: 'Bursar',
	title: (page) => `${page} · Bursar`,
	loading: 'Wird geladen',
	retry: 'Noch einmal versuchen',
};
