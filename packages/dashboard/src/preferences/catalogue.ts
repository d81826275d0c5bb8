// English texts stand in the `texts.ts` of each feature. Those of another language stand in one file of JSON, with the
// same keys and the same placeholders (`german.json`). A test compares the two.
//
// To add a language: copy `german.json` and translate it. A plural has a text for each form of `Intl.PluralRules` in that
// language. Name the language in `language.ts`, have `main.tsx` load its file, and add it to the test of German.
import { language, numberFormat } from './language.ts';

/** A text with placeholders like `{amount}`, the forms of a plural, or such texts by their keys. */
type Entry = string | { readonly [key: string]: Entry };
type Value = string | number;
type Values = Readonly<Record<string, Value>>;

/** The placeholders of a text but the known ones, each once, in the order in which they first stand in it. */
type Placeholders<
	Text extends string,
	Known,
	Found extends readonly string[] = [],
> = Text extends `${string}{${infer Name}}${infer Rest}`
	? Placeholders<Rest, Known, Name extends Known | Found[number] ? Found : [...Found, Name]>
	: Found;

/** A text, or a function of the values of its placeholders. Which of them it is can be told only of a literal. */
type Filled<Text extends string, Known> = string extends Text
	? unknown
	: Placeholders<Text, Known> extends infer Names extends readonly [string, ...string[]]
		? (...values: { readonly [Index in keyof Names]: Value }) => string
		: string;

type Texts<English, Known> = English extends string
	? Filled<English, Known>
	: [keyof English, English] extends ['one' | 'other', { readonly other: infer Other extends string }]
		? Filled<Other, Known>
		: { readonly [Key in keyof English]: Texts<English[Key], Known> };

const plurals = new Intl.PluralRules(language);

let spoken: Readonly<Record<string, Entry>> = {};

/** Gives the pages another language. Must be called before the code of the pages is loaded: texts are made once. */
export function speak(catalogue: Readonly<Record<string, Entry>>): void {
	spoken = catalogue;
}

/**
 * A table of texts in the language of the pages. `name` is its name, under which it also stands in the catalogues. A text
 * that a catalogue lacks is in English.
 *
 * A text with placeholders becomes a function of their values, in the order in which they first stand in English. Numbers
 * are written as in the reader's locale. `{ one, other }` are the forms of a plural, and the value of `{count}` chooses
 * one.
 */
export function texts<const English extends Entry>(name: string, english: English): Texts<English, never> {
	return textsWith(name, {}, english);
}

/** The same, with the values of placeholders that are always the same. */
export function textsWith<const English extends Entry, Known extends Values>(
	name: string,
	known: Known,
	english: English,
): Texts<English, keyof Known> {
	return made(english, known, spoken[name]) as Texts<English, keyof Known>;
}

function made(english: Entry, known: Values, said: Entry = english): unknown {
	if (isForms(english)) return filled(formsOf(english), known, formsOf(said));
	const table = said as { readonly [key: string]: Entry };
	return Object.fromEntries(Object.entries(english).map(([key, entry]) => [key, made(entry, known, table[key])]));
}

/** The forms of a text: those of a plural, or only `other`. */
type Forms = { readonly other: string; readonly [form: string]: string };

function isForms(entry: Entry): boolean {
	return typeof entry === 'string' || Object.keys(entry).sort().join() === 'one,other';
}

function formsOf(entry: Entry): Forms {
	return typeof entry === 'string' ? { other: entry } : (entry as Forms);
}

function filled(english: Forms, known: Values, said: Forms) {
	const found = Array.from(english.other.matchAll(PLACEHOLDER), ([, name = '']) => name);
	const names = [...new Set(found)].filter((name) => !Object.hasOwn(known, name));
	const fill = (values: Values) => {
		const form = said[plurals.select(Number(values.count))] ?? said.other;
		return form.replace(PLACEHOLDER, (_, name) => valueText(values[name] ?? ''));
	};
	if (names.length === 0) return fill(known);
	return (...given: readonly Value[]) =>
		fill({ ...known, ...Object.fromEntries(names.map((name, index) => [name, given[index] ?? ''])) });
}

function valueText(value: Value): string {
	return typeof value === 'number' ? numberFormat.format(value) : value;
}

const PLACEHOLDER = /\{(\w+)\}/g;
