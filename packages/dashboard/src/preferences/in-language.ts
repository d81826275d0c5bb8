/** What any language says in the place of English texts: any text for a text, and a function of the same values. */
type Said<English> = English extends string
	? string
	: English extends (...values: infer Values) => infer Text
		? (...values: Values) => Said<Text>
		: English extends object
			? { readonly [Name in keyof English]: Said<English[Name]> }
			: English;

/** The tables of texts of another language, by the names of those in English. */
type Tables = Readonly<Record<string, unknown>>;

let tables: Tables = {};

/** Gives the pages another language. Must be called before the code of the pages is loaded: texts are made once. */
export function speak(translated: Tables): void {
	tables = translated;
}

/**
 * A table of texts in the language of the pages. `name` is the name under which it is exported, both here in English
 * and beside it in another language (`texts.de.ts`). A table that a language lacks is in English.
 */
export function inLanguage<const English extends object>(name: string, english: English): Said<English> {
	return (tables[name] ?? english) as Said<English>;
}
