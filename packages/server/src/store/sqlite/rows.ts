import type { FoundRows, GivenRows, InsertedRows, RowsRead, RowsWrite } from '../statement.ts';
import type { Connection } from './database/connection.ts';
import { prepareShared } from './reading/shared-statements.ts';

/** How many rows go into one call of SQLite: most of the cost of a row is the call. */
const ROWS_AT_ONCE = [64, 16, 4, 1] as const;

/** Adds the values of a row, in the order of the columns. */
type AddValues = (index: number, values: unknown[]) => void;

/** A statement for any number of rows. */
interface RowsStatement {
	run(count: number, addValues: AddValues): void;
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
			for (const { statement, values } of calls(count, addValues)) statement.run(values);
		},
		all(count, addValues) {
			const found: object[] = [];
			for (const { statement, values } of calls(count, addValues)) found.push(...statement.all(values));
			return found;
		},
	};
}

/** Finds and inserts any number of rows. Each statement is prepared once. */
function prepareGivenRows(connection: Connection) {
	const prepared = new Map<string, RowsStatement>();

	function prepare(key: string, columnCount: number, sql: (rows: string) => string): RowsStatement {
		let statement = prepared.get(key);
		if (!statement) {
			statement = prepareRows(connection, columnCount, sql);
			prepared.set(key, statement);
		}
		return statement;
	}

	return {
		find({ table, columns, keys }: FoundRows): readonly object[] {
			const names = keys.columns.map(({ name }) => name);
			const isFound = names.map((name) => `${table}.${name} = given_${name}`).join(' AND ');
			const { all } = prepare(
				`${table} ${columns}`,
				names.length,
				(rows) => `WITH given (${names.map((name) => `given_${name}`).join(', ')}) AS (VALUES ${rows})
					SELECT ${columns} FROM given CROSS JOIN ${table} ON ${isFound}`,
			);
			return all(keys.count, valuesOf(keys));
		},
		/** If one of the rows fails, so must the whole transaction. */
		insert({ into, rows: given, onConflict = '' }: InsertedRows): void {
			const names = given.columns.map(({ name }) => name);
			const { run } = prepare(
				`${into} ${onConflict}`,
				names.length,
				(rows) => `INSERT OR FAIL INTO ${into} (${names.join(', ')}) VALUES ${rows} ${onConflict}`,
			);
			run(given.count, valuesOf(given));
		},
	};
}

function valuesOf({ columns }: GivenRows): AddValues {
	return (index, values) => {
		for (const column of columns) values.push(column.values[index]);
	};
}

/** Reads and writes whatever is the same for all engines. */
export function prepareRowsOf(connection: Connection) {
	const { find, insert } = prepareGivenRows(connection);
	const shared = prepareShared(connection);
	return {
		find,
		read: (each: RowsRead) => ('keys' in each ? find(each) : shared.read(each)),
		write(each: RowsWrite): void {
			if ('into' in each) insert(each);
			else shared.write(each);
		},
	};
}
