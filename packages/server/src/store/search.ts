import type { ReadLanes } from './reading.ts';
import type { SharedStatement } from './statement.ts';

/** A table whose rows were added one after the other: their numbers grow, and so do their times in `at_ms`. */
export interface NumberedTable {
	readonly name: string;
	/** The column with the numbers. */
	readonly number: string;
	/** Only rows with these values. An index has their numbers in order. */
	readonly of?: readonly { readonly column: string; readonly value: string }[];
	/** Only rows that meet this condition. An index of only these rows has their numbers in order. */
	readonly where?: string | undefined;
}

/** Comes after every character of a text: texts with the same beginning stand before the beginning with this behind it. */
export const LAST_CHARACTER = '\u{10ffff}';

/** Adds a value to a statement, and returns its parameter there, like `$1`. */
export type Bind = (value: string | number) => string;

/**
 * How many rows one step looks at if there are filters or times: some milliseconds.
 * @bound Movements or acts that one step of a search looks at: the next step goes on.
 */
export const ROWS_IN_A_STEP = 10_000;

export interface RowSearch {
	/** Who asks. */
	readonly owner: string;
	readonly table: NumberedTable;
	/** Only rows with a smaller or a larger number. */
	readonly before?: number | undefined;
	readonly after?: number | undefined;
	/** Unix milliseconds; `toMs` is not included. */
	readonly fromMs?: number | undefined;
	readonly toMs?: number | undefined;
	/** Conditions on rows. */
	readonly filters: readonly ((bind: Bind) => string)[];
	/** How many rows are found at most. */
	readonly limit: number;
	/** The newest first. */
	readonly descends: boolean;
	/** Makes the whole query from a query of rows of the table. Its rows have a `number` and `atMs`. */
	select(rows: string): string;
}

interface NumberedRow {
	readonly number: number;
	readonly atMs: number;
}

/** What one step found, and where the next one goes on; `null` if nothing is left. */
export interface SearchStep<Row> {
	readonly rows: readonly Row[];
	readonly next: NumberedRow | null;
}

export interface SearchedPage<Row> {
	/** The newest first. */
	readonly rows: readonly Row[];
	/** Where the next page goes on; `null` if nothing older can match. */
	readonly nextBefore: number | null;
	/** How far back this step has looked, in Unix milliseconds; `null` if nothing older can match. */
	readonly searchedToMs: number | null;
}

export interface SearchedRange {
	/** Only rows with a smaller number. For the newest, `Number.MAX_SAFE_INTEGER`. */
	readonly before: number;
	/** Unix milliseconds; `toMs` is not included. */
	readonly fromMs?: number | undefined;
	readonly toMs?: number | undefined;
	readonly limit: number;
}

/** Numbers of rows; `high` is not included. */
interface Span {
	readonly low: number;
	readonly high: number;
}

/**
 * Looks at a bounded number of rows. Times are found by halving the span of numbers, so a span of a few days is as quick
 * as the newest rows. If the clock was set back, the ends of a span are not exact. The time of each row is compared too.
 */
export async function searchRows<Row extends NumberedRow>(
	{ quick, heavy }: ReadLanes,
	search: RowSearch,
): Promise<SearchStep<Row>> {
	const { owner, fromMs, toMs, filters, descends, limit } = search;
	let { low, high } = spanOf(search);
	if (fromMs !== undefined || toMs !== undefined) {
		const [found] = (await quick({ owner, statement: findTimes(search) })) as readonly [FoundTimes];
		low = Math.max(low, found.first ?? low);
		high = Math.min(high, found.end ?? high);
	}
	if (low >= high) return { rows: [], next: null };
	const read = filters.length > 0 ? heavy : quick;
	let edge: NumberedRow | undefined;
	if (filters.length > 0 || fromMs !== undefined || toMs !== undefined) {
		// Read before the rows: rows that are added meanwhile must not move it.
		[edge] = (await read({ owner, statement: findEdge(search, { low, high }) })) as readonly NumberedRow[];
		if (edge && descends) low = edge.number;
		else if (edge) high = edge.number + 1;
	}
	const found = (await read({ owner, statement: findRows(search, { low, high }) })) as readonly Row[];
	const rows = found.slice(0, limit);
	return { rows, next: (found.length > limit ? rows.at(-1) : edge) ?? null };
}

export function pageOf<Row>({ rows, next }: SearchStep<Row>): SearchedPage<Row> {
	return { rows, nextBefore: next?.number ?? null, searchedToMs: next?.atMs ?? null };
}

function spanOf({ before = Number.MAX_SAFE_INTEGER, after }: RowSearch): Span {
	return { low: after === undefined ? 0 : after + 1, high: before };
}

/** The first row at or after each time, or the number after the last row; `null` if there is no such bound. */
interface FoundTimes {
	readonly first: number | null;
	readonly end: number | null;
}

function findTimes({ table, fromMs, toMs }: RowSearch): SharedStatement {
	return statementOf((bind) => {
		const numberAt = (atMs: number | undefined) =>
			atMs === undefined ? 'NULL' : `(${firstNumberAt(table, atMs, bind)})`;
		return `SELECT ${numberAt(fromMs)} AS first, ${numberAt(toMs)} AS "end"`;
	});
}

/**
 * A query of the number of the first row at or after a time; of the number after the last row, if all are earlier. All rows
 * before `low` are earlier than the time, and all rows from `high` on are not. Each step looks at the first row
 * in the upper half, because numbers have gaps.
 */
export function firstNumberAt(table: NumberedTable, atMs: number, bind: Bind): string {
	const { name, number } = table;
	const middle = '(low + high) / 2';
	const isOf = ofTable(table, bind);
	const afterEarlier = `(SELECT CASE WHEN at_ms < ${bind(atMs)} THEN ${number} + 1 END FROM ${name}
		WHERE ${isOf} AND ${number} >= ${middle} AND ${number} < high ORDER BY ${number} LIMIT 1)`;
	return `WITH RECURSIVE halves (low, high) AS (
			SELECT CAST(0 AS bigint), COALESCE((SELECT max(${number}) + 1 FROM ${name} WHERE ${isOf}), 0)
			UNION ALL
			SELECT COALESCE(${afterEarlier}, low), CASE WHEN ${afterEarlier} IS NULL THEN ${middle} ELSE high END
			FROM halves WHERE low < high)
		SELECT max(low) FROM halves`;
}

/** Finds the last row of a step, if there are that many rows. */
function findEdge(search: RowSearch, span: Span): SharedStatement {
	const { table } = search;
	return statementOf(
		(bind) => `SELECT ${table.number} AS number, at_ms AS "atMs" FROM ${table.name}
			WHERE ${inSpan(search, span, bind)} ${inOrder(search)} LIMIT 1 OFFSET ${bind(ROWS_IN_A_STEP - 1)}`,
	);
}

/** One row more than the limit shows whether there are more. */
function findRows(search: RowSearch, span: Span): SharedStatement {
	const { table, fromMs, toMs, filters, limit } = search;
	return statementOf((bind) => {
		const conditions = [
			inSpan(search, span, bind),
			...(fromMs === undefined ? [] : [`at_ms >= ${bind(fromMs)}`]),
			...(toMs === undefined ? [] : [`at_ms < ${bind(toMs)}`]),
			...filters.map((filter) => filter(bind)),
		];
		const rows = `SELECT * FROM ${table.name} WHERE ${conditions.join(' AND ')} ${inOrder(search)} LIMIT ${bind(limit + 1)}`;
		return `${search.select(rows)} ${inOrder(search, 'number')}`;
	});
}

function inSpan({ table }: RowSearch, { low, high }: Span, bind: Bind): string {
	return `${ofTable(table, bind)} AND ${table.number} >= ${bind(low)} AND ${table.number} < ${bind(high)}`;
}

function ofTable({ of = [], where = 'true' }: NumberedTable, bind: Bind): string {
	return [where, ...of.map(({ column, value }) => `${column} = ${bind(value)}`)].join(' AND ');
}

function inOrder({ table, descends }: RowSearch, number = table.number): string {
	return `ORDER BY ${number}${descends ? ' DESC' : ''}`;
}

export function statementOf(sql: (bind: Bind) => string): SharedStatement {
	const values: (string | number)[] = [];
	return { sql: sql((value) => `$${values.push(value)}`), values };
}
