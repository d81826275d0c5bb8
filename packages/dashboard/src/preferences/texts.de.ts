import type { preferenceTexts as english } from './texts.ts';

export const preferenceTexts: typeof english = {
	language: 'Sprache (language)',
	timeZone: 'Zeiten',
	localTime: 'Lokal',
	colors: 'Farben',
	light: 'Hell',
	dark: 'Dunkel',
	auto: 'Auto',
};
