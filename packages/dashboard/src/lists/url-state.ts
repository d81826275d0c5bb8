import { useEffect, useMemo } from 'react';
// The router's own `useSearchParams` decodes the query once more before it is parsed.
import { useSearch } from 'wouter/use-browser-location';
import { isDay } from '../format/days.ts';

/** How one value stands in the query of an address. */
interface UrlField<Value> {
	/** The value that a text stands for. No text, or one that stands for nothing, is the default. */
	readonly parse: (text: string | null) => Value;
	/** `null` leaves it out, as the default is. */
	readonly write: (value: Value) => string | null;
}

export type UrlFields<State> = { readonly [Name in keyof State]: UrlField<State[Name]> };

interface ChangeOptions {
	/** Whether the browser's back button skips the present address, as during typing. */
	readonly replace?: boolean;
}

/**
 * State that stands in the query of the address, so that it survives a reload and can be sent to others. What means
 * nothing is dropped from the address. `fields` must be the same object at each call: define it outside the component.
 */
export function useUrlState<State extends object>(
	fields: UrlFields<State>,
): [State, (change: Partial<State>, options?: ChangeOptions) => void] {
	const search = useSearch();
	const state = useMemo(() => readUrlState(fields, search), [fields, search]);

	useEffect(() => {
		const plain = plainSearch(fields, search);
		const { pathname, search: current } = window.location;
		// The address may have changed since.
		if (plain !== search && current === search) window.history.replaceState(null, '', pathname + plain);
	}, [fields, search]);

	function change(next: Partial<State>, { replace = false }: ChangeOptions = {}) {
		const { pathname, search: current } = window.location;
		const changed = changedSearch(fields, current, next);
		if (changed === current) return;
		window.history[replace ? 'replaceState' : 'pushState'](null, '', pathname + changed);
	}

	return [state, change];
}

/** One of a few words. */
export function choiceField<const Choice extends string | number>(
	choices: readonly Choice[],
	byDefault: NoInfer<Choice>,
): UrlField<Choice> {
	return {
		parse: (text) => choices.find((choice) => String(choice) === text) ?? byDefault,
		write: (value) => (value === byDefault ? null : String(value)),
	};
}

/** Like `choiceField`, but it may also be absent. */
export function maybeChoiceField<const Choice extends string | number>(
	choices: readonly Choice[],
): UrlField<Choice | undefined> {
	return {
		parse: (text) => choices.find((choice) => String(choice) === text),
		write: (value) => (value === undefined ? null : String(value)),
	};
}

/** Any text; an empty one is left out. */
export function textField(maxLength = 200): UrlField<string> {
	return {
		parse: (text) => (text ?? '').slice(0, maxLength),
		write: (value) => (value === '' ? null : value),
	};
}

/** A whole number that is not below zero. */
export const numberField: UrlField<number | undefined> = {
	parse: (text) => (text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined),
	write: (value) => (value === undefined ? null : String(value)),
};

/** The state that a query, like `?order=-balance`, describes. */
export function readUrlState<State extends object>(fields: UrlFields<State>, search: string): State {
	const query = new URLSearchParams(search);
	return Object.fromEntries(names(fields).map((name) => [name, fields[name].parse(query.get(name))])) as State;
}

/** The query after a change, like `?order=-balance`, or an empty text. What other parts keep in it stays. */
export function changedSearch<State extends object>(
	fields: UrlFields<State>,
	search: string,
	change: Partial<State>,
): string {
	const query = new URLSearchParams(search);
	for (const name of names(fields)) {
		if (!Object.hasOwn(change, name)) continue;
		const text = fields[name].write(change[name] as State[typeof name]);
		if (text === null) query.delete(name);
		else query.set(name, text);
	}
	const written = query.toString();
	return written === '' ? '' : `?${written}`;
}

/**
 * The query without what means nothing in it, and with the rest as it is written here: an address says what the page
 * shows. What other parts keep in it stays.
 */
export function plainSearch<State extends object>(fields: UrlFields<State>, search: string): string {
	const query = new URLSearchParams(search);
	const isPlain = names(fields).every((name) => {
		const [text = null, ...further] = query.getAll(name);
		return further.length === 0 && fields[name].write(fields[name].parse(text)) === text;
	});
	return isPlain ? search : changedSearch(fields, search, readUrlState(fields, search));
}

function names<State extends object>(fields: UrlFields<State>): readonly (keyof State & string)[] {
	return Object.keys(fields) as (keyof State & string)[];
}

/** A day in the time zone of the browser, like `2026-05-03`. */
export const dayField: UrlField<string | undefined> = {
	parse: (text) => (text !== null && isDay(text) ? text : undefined),
	write: (day) => day ?? null,
};

/** The position of a page in a list, as the service has made it. At most one is not empty. */
export interface ListPosition {
	readonly after: string;
	readonly before: string;
}

/** The position of the first page. What changes the list goes back there. */
export const FIRST_PAGE: ListPosition = { after: '', before: '' };

/** A position as the service is asked for it. */
export function positionQueryOf({ after, before }: ListPosition): {
	readonly after?: string;
	readonly before?: string;
} {
	if (after !== '') return { after };
	return before === '' ? {} : { before };
}
