import type { Bind } from '../../search.ts';

/** Whether the text may be a part of a name. Other characters mean something to `LIKE`, or nothing to an engine. */
export function mayMatch(text: string): boolean {
	return /^[a-z0-9._]*$/.test(text);
}

/** Comes after every character of a name. */
export const AFTER_ALL = '~';

/** Which names come next. An engine follows an index from one bound of each kind only, so there is never a second one. */
export interface NameRange {
	/** The names begin with it. */
	readonly prefix: string;
	readonly descends: boolean;
	/** The name before the page. */
	readonly after?: string | undefined;
	/** The last name that is looked at. It begins with the prefix. Not if it descends. */
	readonly last?: string | undefined;
}

export function rangeCondition(column: string, { prefix, descends, after, last }: NameRange, bind: Bind): string {
	const end = prefix + AFTER_ALL;
	if (descends)
		return `${column} >= ${bind(prefix)} AND ${column} < ${bind(after !== undefined && after < end ? after : end)}`;
	const isBehind = after !== undefined && after >= prefix ? `> ${bind(after)}` : `>= ${bind(prefix)}`;
	return `${column} ${isBehind} AND ${column} ${last === undefined ? `< ${bind(end)}` : `<= ${bind(last)}`}`;
}

/** How many accounts one statement looks up. */
const NAMES_AT_ONCE = 50;

export function inParts(usernames: readonly string[]): readonly (readonly string[])[] {
	const count = Math.ceil(usernames.length / NAMES_AT_ONCE);
	return Array.from({ length: count }, (_, part) => usernames.slice(part * NAMES_AT_ONCE, (part + 1) * NAMES_AT_ONCE));
}

/** The number of parameters does not change, so that an engine prepares one statement. No account has an empty name. */
export function namesOf(usernames: readonly string[], bind: Bind): string {
	return Array.from({ length: NAMES_AT_ONCE }, (_, index) => bind(usernames[index] ?? '')).join(', ');
}

/** A pattern of `LIKE` for a text anywhere, with `!` as its escape: `_` and `%` stand for themselves. */
export function anywhere(text: string): string {
	return `%${text.replace(/[!_%]/g, '!$&')}%`;
}
