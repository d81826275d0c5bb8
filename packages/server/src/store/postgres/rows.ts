import type {
	FoundRows,
	GivenRows,
	InsertedRows,
	JsonFunctions,
	ReadForEach,
	ReadingSteps,
	RowsRead,
	RowsWrite,
	SharedStatement,
	WriteOfGiven,
} from '../statement.ts';
import type { Query } from './database/connections.ts';

export const POSTGRES_JSON: JsonFunctions = { object: 'json_build_object', array: 'json_agg' };

/** Rows that are sent with a statement, as one array for each column. */
interface UnnestedRows {
	/** To be used in FROM, under the name `given`: `unnest($1::text[], ...) AS given (username, ...)`. */
	readonly from: string;
	/** The names of the columns, with commas. */
	readonly columns: string;
	readonly values: readonly string[];
}

/** The rows keep their order. */
export function unnested({ columns }: GivenRows): UnnestedRows {
	const names = columns.map(({ name }) => name).join(', ');
	const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ');
	return {
		from: `unnest(${arrays}) AS given (${names})`,
		columns: names,
		values: columns.map(({ values }) => arrayOf(values)),
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

/**
 * Finds each row by its whole key, with LATERAL and LIMIT. Without good statistics, the planner would otherwise read all
 * days of an account, or of a reseller.
 */
function finding({ table, columns, keys }: FoundRows): Statement {
	const { from, values } = unnested(keys);
	const isFound = keys.columns.map(({ name }) => `${table}.${name} = given.${name}`).join(' AND ');
	return {
		sql: `SELECT found.* FROM ${from}
			CROSS JOIN LATERAL (SELECT ${columns} FROM ${table} WHERE ${isFound} LIMIT 1) AS found`,
		values,
	};
}

function inserting({ into, rows, onConflict = '' }: InsertedRows): Statement {
	const { columns, from, values } = unnested(rows);
	return { sql: `INSERT INTO ${into} (${columns}) SELECT ${columns} FROM ${from} ${onConflict}`, values };
}

/**
 * Makes a statement fail, by a division by zero, unless it writes exactly this many rows. The statements that were sent
 * after it, and the COMMIT, then have no effect.
 */
function exactly(count: number, sql: string): string {
	return `WITH written AS (${sql} RETURNING 1) SELECT 1 / (count(*) = ${count})::integer FROM written`;
}

/** The statement fails unless it writes the number of rows that it must. */
export function checked({ sql, values, rows }: SharedStatement): Statement {
	return { sql: rows === undefined ? sql : exactly(rows, sql), values };
}

/** The rows of a statement for each given row, in one query. Each has the `index` of its given row. */
export function forEach({ sql, given: { count, columns } }: ReadForEach): Statement {
	const indexes = { name: 'index', type: 'integer', values: [...Array(count).keys()] } as const;
	const { from, values } = unnested({ count, columns: [...columns, indexes] });
	const ofGiven = sql.replace(/\$(\d+)/g, (_, number) => `given.${columns[Number(number) - 1]?.name}`);
	return { sql: `SELECT index, found.* FROM ${from} CROSS JOIN LATERAL (${ofGiven}) AS found`, values };
}

/** The rows of `forEach`, for each given row. */
export function grouped(
	rows: readonly { readonly index: number }[],
	{ given }: ReadForEach,
): readonly (readonly object[])[] {
	const groups: object[][] = Array.from({ length: given.count }, () => []);
	for (const { index, ...row } of rows) groups[index]?.push(row);
	return groups;
}

function writingGiven({ sql, given }: WriteOfGiven): Statement {
	const { from, values } = unnested(given);
	return { sql: `WITH given AS (SELECT * FROM ${from}) ${sql}`, values };
}

/** Reads whatever is the same for all engines, in one packet. */
export function readAll(query: Query, reads: readonly RowsRead[]): Promise<readonly (readonly object[])[]> {
	return Promise.all(
		reads.map(async (read) => {
			if ('keys' in read && read.keys.count === 0) return [];
			const { sql, values } = 'keys' in read ? finding(read) : read;
			return (await query<object>(sql, values)).rows;
		}),
	);
}

/** Runs work that reads step by step. */
export async function runSteps<Result>(query: Query, steps: ReadingSteps<Result>): Promise<Result> {
	let step = steps.next();
	while (!step.done) step = steps.next(await readAll(query, step.value));
	return step.value;
}

/** Writes whatever is the same for all engines. */
export function statementOf(write: RowsWrite): Statement {
	if ('into' in write) return inserting(write);
	return 'given' in write ? writingGiven(write) : checked(write);
}
