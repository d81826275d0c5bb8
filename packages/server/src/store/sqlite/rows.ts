import type {
	FoundRows,
	GivenRows,
	InsertedRows,
	JsonFunctions,
	ReadForEach,
	ReadingSteps,
	RowsRead,
	RowsWrite,
	WriteOfGiven,
} from '../statement.ts';
import type { Connection } from './database/connection.ts';

export const SQLITE_JSON: JsonFunctions = { object: 'json_object', array: 'json_group_array' };

/** How many rows go into one call of SQLite: most of the cost of a row is the call. */
const ROWS_AT_ONCE = [64, 16, 4, 1] as const;

/** Adds the values of a row, in the order of the columns. */
type AddValues = (index: number, values: unknown[]) => void;

/** A statement for any number of rows. */
interface RowsStatement {
	/** Returns how many rows were written. */
	run(count: number, addValues: AddValues): number;
	all(count: number, addValues: AddValues): readonly object[];
}

/** `sql` gets the rows as they follow VALUES. */
export function prepareRows(connection: Connection, columnCount: number, sql: (rows: string) => string): RowsStatement {
	const row = `(${Array(columnCount).fill('?').join(', ')})`;
	const statements = ROWS_AT_ONCE.map((rows) => ({
		rows,
		statement: connection.prepare<unknown[], object>(sql(Array(rows).fill(row).join(', '))),
	}));

	function* calls(count: number, addValues: AddValues) {
		let next = 0;
		for (const { rows, statement } of statements) {
			for (; count - next >= rows; next += rows) {
				const values: unknown[] = [];
				for (let index = next; index < next + rows; index++) addValues(index, values);
				yield { statement, values };
			}
		}
	}

	return {
		run(count, addValues) {
			let written = 0;
			for (const { statement, values } of calls(count, addValues)) written += statement.run(values).changes;
			return written;
		},
		all(count, addValues) {
			const found: object[] = [];
			for (const { statement, values } of calls(count, addValues)) found.push(...statement.all(values));
			return found;
		},
	};
}

/** Runs statements that are the same for all engines. Each is prepared once. */
export function prepareStatements(connection: Connection) {
	type Prepared = ReturnType<typeof connection.prepare<[Record<string, unknown>], object>>;
	const prepared = new Map<string, Prepared>();
	const preparedRows = new Map<string, RowsStatement>();

	function prepare(sql: string): Prepared {
		let statement = prepared.get(sql);
		if (!statement) {
			statement = connection.prepare<[Record<string, unknown>], object>(sql);
			prepared.set(sql, statement);
		}
		return statement;
	}

	function prepareGiven(key: string, { columns }: GivenRows, sql: (rows: string) => string): RowsStatement {
		let statement = preparedRows.get(key);
		if (!statement) {
			statement = prepareRows(connection, columns.length, sql);
			preparedRows.set(key, statement);
		}
		return statement;
	}

	function find({ table, columns, keys }: FoundRows): readonly object[] {
		const names = keys.columns.map(({ name }) => name);
		const isFound = names.map((name) => `${table}.${name} = given_${name}`).join(' AND ');
		const { all } = prepareGiven(
			`${table} ${columns} ${names}`,
			keys,
			(rows) => `WITH given (${names.map((name) => `given_${name}`).join(', ')}) AS (VALUES ${rows})
				SELECT ${columns} FROM given CROSS JOIN ${table} ON ${isFound}`,
		);
		return all(keys.count, valuesOf(keys));
	}

	function writeGiven({ sql, given }: WriteOfGiven): number {
		const { run } = prepareGiven(sql, given, (rows) => `WITH given (${namesOf(given)}) AS (VALUES ${rows}) ${sql}`);
		return run(given.count, valuesOf(given));
	}

	/** If one of the rows fails, so must the whole transaction. */
	function insert({ into, rows: given, onConflict = '' }: InsertedRows): number {
		const { run } = prepareGiven(
			`${into} ${onConflict}`,
			given,
			(rows) => `INSERT OR FAIL INTO ${into} (${namesOf(given)}) VALUES ${rows} ${onConflict}`,
		);
		return run(given.count, valuesOf(given));
	}

	return {
		find,
		read: (each: RowsRead): readonly object[] =>
			'keys' in each ? find(each) : prepare(each.sql).all(named(each.values)),
		readEach({ sql, given }: ReadForEach): readonly (readonly object[])[] {
			const statement = prepare(sql);
			const bound: Record<string, unknown> = {};
			return Array.from({ length: given.count }, (_, index) => {
				for (const [column, { values }] of given.columns.entries()) bound[column + 1] = values[index];
				return statement.all(bound);
			});
		},
		/** Returns how many rows it wrote. Throws if that is another number than the statement says. */
		write(each: RowsWrite): number {
			if ('into' in each) return insert(each);
			if ('given' in each) return writeGiven(each);
			const { changes } = prepare(each.sql).run(named(each.values));
			if (each.rows !== undefined && changes !== each.rows) {
				throw new Error(`${each.rows} row had to be written, but ${changes} were`);
			}
			return changes;
		},
	};
}

/** Runs work that reads step by step, at once. */
export function runSteps<Result>(steps: ReadingSteps<Result>, read: (each: RowsRead) => readonly object[]): Result {
	let step = steps.next();
	while (!step.done) step = steps.next(step.value.map(read));
	return step.value;
}

function namesOf({ columns }: GivenRows): string {
	return columns.map(({ name }) => name).join(', ');
}

/** The name of `$1` is 1. */
function named(values: readonly unknown[]): Record<string, unknown> {
	return Object.fromEntries(values.map((value, index) => [index + 1, value]));
}

function valuesOf({ columns }: GivenRows): AddValues {
	return (index, values) => {
		for (const column of columns) values.push(column.values[index]);
	};
}
