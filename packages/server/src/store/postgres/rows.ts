import type { Query } from './connections.ts';

/** The columns of given rows: the type of each column, and how to read its value from an item. */
export type Columns<Item> = Readonly<Record<string, readonly [type: ColumnType, read: (item: Item) => unknown]>>;
type ColumnType = 'text' | 'bigint' | 'integer';

/** Rows that are sent with a statement. */
export interface GivenRows {
	/** To be used in FROM, under the name `given`: `unnest($1::text[], ...) AS given (username, ...)`. */
	readonly from: string;
	/** The names of the columns, with commas. */
	readonly columns: string;
	readonly values: readonly unknown[];
}

/** Turns any number of rows into one array for each column. The rows keep their order. */
export function givenRows<Item>(items: readonly Item[], columns: Columns<Item>): GivenRows {
	const entries = Object.entries(columns);
	const names = entries.map(([name]) => name).join(', ');
	const arrays = entries.map(([, [type]], place) => `$${place + 1}::${type}[]`).join(', ');
	return {
		from: `unnest(${arrays}) AS given (${names})`,
		columns: names,
		values: entries.map(([, [, read]]) => arrayOf(items.map(read))),
	};
}

/** An array of texts or numbers, as PostgreSQL reads it. The driver is slower: it quotes numbers too. */
export function arrayOf(values: readonly unknown[]): string {
	return `{${values.map((value) => (typeof value === 'string' ? quoted(value) : (value ?? 'NULL'))).join()}}`;
}

function quoted(text: string): string {
	return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** A statement that has not been sent yet. */
export interface Statement {
	readonly sql: string;
	readonly values: readonly unknown[];
}

/** A statement that writes one row for each item. Returns `undefined` if there are no items. */
export function writing<Item>(
	items: readonly Item[],
	columns: Columns<Item>,
	sql: (given: GivenRows) => string,
): Statement | undefined {
	if (items.length === 0) return undefined;
	const given = givenRows(items, columns);
	return { sql: sql(given), values: given.values };
}

/** Runs a statement that writes one row for each item, if there are any. Throws if it wrote another number of rows. */
export async function writeRows<Item>(
	query: Query,
	items: readonly Item[],
	columns: Columns<Item>,
	sql: (given: GivenRows) => string,
): Promise<void> {
	const statement = writing(items, columns, sql);
	if (!statement) return;
	const { count } = await query(statement.sql, statement.values);
	if (count !== items.length) throw new Error(`${items.length} rows had to be written, but ${count} were`);
}

/** A statement that writes every row it is given, or fails. */
export function insertInto(table: string): (given: GivenRows) => string {
	return ({ columns, from }) => `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${from}`;
}

/**
 * Makes a statement fail, by a division by zero, unless it writes exactly this many rows. The statements that were sent
 * after it, and the COMMIT, then have no effect.
 */
export function exactly(count: number, sql: string): string {
	return `WITH written AS (${sql} RETURNING 1) SELECT 1 / (count(*) = ${count})::integer FROM written`;
}
