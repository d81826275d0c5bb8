import { inLanguage } from './in-language.ts';

export const preferenceTexts = inLanguage('preferenceTexts', {
	language: 'Language (Sprache)',
	timeZone: 'Times',
	localTime: 'Local',
	colors: 'Colours',
	light: 'Light',
	dark: 'Dark',
	auto: 'Auto',
});
