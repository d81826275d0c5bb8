import { type Bind, LAST_CHARACTER } from '../../search.ts';

/** Whether the text may be a part of a name. Other characters mean something to `LIKE`, or nothing to an engine. */
export function mayMatch(text: string): boolean {
	return /^[a-z0-9._]*$/.test(text);
}

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
	const end = prefix + LAST_CHARACTER;
	if (descends)
		return `${column} >= ${bind(prefix)} AND ${column} < ${bind(after !== undefined && after < end ? after : end)}`;
	const isBehind = after !== undefined && after >= prefix ? `> ${bind(after)}` : `>= ${bind(prefix)}`;
	return `${column} ${isBehind} AND ${column} ${last === undefined ? `< ${bind(end)}` : `<= ${bind(last)}`}`;
}

/** A pattern of `LIKE` for a text anywhere, with `!` as its escape: `_` and `%` stand for themselves. */
export function anywhere(text: string): string {
	return `%${text.replace(/[!_%]/g, '!$&')}%`;
}

/** Finds the next reseller by looking behind the previous one. So the sub-users in between are not read. */
export function namesOfResellers({ prefix, descends, after }: NameRange, bind: Bind, limit?: number): string {
	const first = (range: string) =>
		`(SELECT reseller FROM accounts WHERE ${range} ORDER BY reseller${descends ? ' DESC' : ''} LIMIT 1)`;
	const following = descends
		? `reseller >= ${bind(prefix)} AND reseller < found.name`
		: `reseller > found.name AND reseller < ${bind(prefix + LAST_CHARACTER)}`;
	return `WITH RECURSIVE found (name, rank) AS (
			SELECT ${first(rangeCondition('reseller', { prefix, descends, after }, bind))}, 1
			UNION ALL
			SELECT ${first(following)}, rank + 1 FROM found
			WHERE name IS NOT NULL${limit === undefined ? '' : ` AND rank < ${bind(limit)}`})`;
}

/** All resellers, as `found`. */
export function allResellers(bind: Bind): string {
	return namesOfResellers({ prefix: '', descends: false }, bind);
}

/** @bound Resellers, by name, through which a search over everything looks: the rest is left out. */
const RESELLERS_SEARCHED = 10_000;

/** The resellers through which a search looks, as `found`. */
export function searchedResellers(bind: Bind): string {
	return namesOfResellers({ prefix: '', descends: false }, bind, RESELLERS_SEARCHED);
}

/** Whether the note has the text, which is in lowercase. */
export function hasInNote(text: string, bind: Bind): string {
	return `${lowerNote(text, bind)} LIKE ${bind(anywhere(text))} ESCAPE '!'`;
}

/**
 * Each letter costs a pass over each note, so a text of many would take seconds.
 * @bound Letters outside ASCII of a text that is searched for in notes, in whose place capitals are found too: others are
 * found as they were typed.
 */
const LETTERS_FOLDED = 8;

/**
 * The note in lowercase, as far as the text depends on it. Engines know the lowercase of ASCII; some know more, which does
 * no harm.
 */
function lowerNote(text: string, bind: Bind): string {
	const others = new Set([...text].filter((letter) => letter > '~' && letter.toUpperCase() !== letter));
	return [...others]
		.slice(0, LETTERS_FOLDED)
		.reduce((sql, letter) => `replace(${sql}, ${bind(letter.toUpperCase())}, ${bind(letter)})`, 'lower(note)');
}
