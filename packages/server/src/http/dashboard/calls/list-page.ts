import { ROWS_ON_A_PAGE } from '@bursar/contract/dashboard';
import { USERNAME_MAX_LENGTH } from '@bursar/contract/limits';
import { normalizeUsername } from '@bursar/contract/username';
import type { RowPosition } from '../../../store/tables/accounts/sub-users.ts';
import { time } from './times.ts';

/** A position as the text that pages send back: `<value>~<username>`, or only the username if the list is sorted by name. */
function positionText({ username, value }: RowPosition, byName: boolean): string {
	return byName ? username : `${value}~${username}`;
}

/** Reads what `positionText` wrote; `undefined` if it is anything else. */
export function readPosition(text: string, byName: boolean): RowPosition | undefined {
	const [, value = '0', username = ''] = (byName ? /^()(.*)$/ : /^(0|[1-9]\d{0,15})~(.*)$/).exec(text) ?? [];
	const isPosition = normalizeUsername(username) === username && Number.isSafeInteger(Number(value));
	return isPosition ? { username, value: Number(value) } : undefined;
}

export interface PageQuery {
	readonly after?: string;
	readonly before?: string;
}

export interface Page<Row> {
	readonly rows: readonly Row[];
	readonly next: string | null;
	readonly previous: string | null;
}

interface Listing<Row, Position> {
	/** Reads what `positionText` wrote; `undefined` if it is anything else. */
	readPosition(text: string): Position | undefined;
	positionText(row: Row): string;
	/** Rows after a position in the order of the list, or against it. */
	list(after: Position | undefined, backwards: boolean, limit: number): Promise<readonly Row[]>;
}

/** Reads a page of a list by key; `undefined` if the query names no position. */
export async function pageOf<Row, Position>(
	{ after, before }: PageQuery,
	listing: Listing<Row, Position>,
): Promise<Page<Row> | undefined> {
	const text = after ?? before;
	const position = text === undefined ? undefined : listing.readPosition(text);
	if ((after !== undefined && before !== undefined) || (text !== undefined && position === undefined)) return undefined;
	const backwards = before !== undefined;
	// One more than the page shows whether there are further ones.
	const found = await listing.list(position, backwards, ROWS_ON_A_PAGE + 1);
	// The rows after this position are gone, so the first page is shown.
	if (position !== undefined && found.length === 0) return pageOf({}, listing);
	const rows = backwards ? found.slice(0, ROWS_ON_A_PAGE).toReversed() : found.slice(0, ROWS_ON_A_PAGE);
	const hasMore = found.length > ROWS_ON_A_PAGE;
	const at = (row: Row | undefined) => (row === undefined ? null : listing.positionText(row));
	return {
		rows,
		next: backwards || hasMore ? at(rows.at(-1)) : null,
		previous: backwards ? (hasMore ? at(rows[0]) : null) : position === undefined ? null : at(rows[0]),
	};
}

interface AccountListing<Row> extends Pick<Listing<Row, RowPosition>, 'list'> {
	readonly byName: boolean;
	valueOfRow(row: Row): number;
}

/** The same of a list of accounts. */
export function readPage<Row extends { readonly username: string }>(
	query: PageQuery,
	{ byName, list, valueOfRow }: AccountListing<Row>,
): Promise<Page<Row> | undefined> {
	return pageOf<Row, RowPosition>(query, {
		list,
		readPosition: (text) => readPosition(text, byName),
		positionText: (row) => positionText({ username: row.username, value: valueOfRow(row) }, byName),
	});
}

/** What a list is sorted by, and whether the largest or newest comes first. */
export function sortOf<By extends string>(order: By | `-${By}`): { readonly by: By; readonly descends: boolean } {
	const descends = order.startsWith('-');
	return { by: (descends ? order.slice(1) : order) as By, descends };
}

/** What stands in the name of an account: its text in lowercase, or `undefined` if no name can contain it. */
export function readSearch(text: string): string | undefined {
	return text.length <= USERNAME_MAX_LENGTH && /^[A-Za-z0-9._]*$/.test(text) ? text.toLowerCase() : undefined;
}

/** How far back a page has looked that is not full, although there may be more; otherwise `null`. */
export function searchedTo(page: {
	readonly found: number;
	readonly nextBefore: number | null;
	readonly searchedToMs: number | null;
}): string | null {
	const { found, nextBefore, searchedToMs } = page;
	return found < ROWS_ON_A_PAGE && nextBefore !== null && searchedToMs !== null ? time(searchedToMs) : null;
}
