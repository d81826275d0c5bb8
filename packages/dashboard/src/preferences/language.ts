import { keptChoice } from './kept-choice.ts';

/** The languages of the pages, each under its own name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

/** The locale for a language for which the browser names no country. */
const USUAL_LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };

/** The language that was chosen; otherwise the first of the browser's that the pages have. */
export function languageFor(chosen: string | null, ofBrowser: readonly string[]): Language {
	const [first = 'en'] = [chosen, ...ofBrowser].map(languageOf).filter((language) => language !== undefined);
	return first;
}

/** The locale of amounts, numbers and times: the one that the browser names for the language of the texts. */
export function localeFor(language: Language, ofBrowser: readonly string[]): string {
	return ofBrowser.find((locale) => languageOf(locale) === language) ?? USUAL_LOCALES[language];
}

function languageOf(locale: string | null): Language | undefined {
	const code = locale?.toLowerCase().split('-')[0];
	return (Object.keys(LANGUAGES) as Language[]).find((language) => language === code);
}

export const language = languageFor(keptChoice('language'), navigator.languages);
export const locale = localeFor(language, navigator.languages);

/** How numbers are written. */
export const numberFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: 9 });
