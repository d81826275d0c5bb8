import { texts } from './catalogue.ts';

export const preferenceTexts = texts('preferenceTexts', {
	language: 'Language (Sprache)',
	timeZone: 'Times',
	localTime: 'Local',
	colors: 'Colours',
	light: 'Light',
	dark: 'Dark',
	auto: 'Auto',
});
