import type { JsonFunctions, SharedStatement } from '../../statement.ts';
import type { Connection } from '../database/connection.ts';

export const SQLITE_JSON: JsonFunctions = { object: 'json_object', array: 'json_group_array' };

/** Runs statements that are the same for all engines. Each is prepared once. */
export function prepareShared(connection: Connection) {
	type Prepared = ReturnType<typeof connection.prepare<[Record<string, unknown>], object>>;
	const prepared = new Map<string, Prepared>();

	function prepare(sql: string): Prepared {
		let statement = prepared.get(sql);
		if (!statement) {
			statement = connection.prepare<[Record<string, unknown>], object>(sql);
			prepared.set(sql, statement);
		}
		return statement;
	}

	return {
		read: ({ sql, values }: SharedStatement): object[] => prepare(sql).all(named(values)),
		/** Throws if it wrote another number of rows than the statement says. */
		write({ sql, values, rows }: SharedStatement): void {
			const { changes } = prepare(sql).run(named(values));
			if (rows !== undefined && changes !== rows) throw new Error(`${rows} row had to be written, but ${changes} were`);
		},
	};
}

/** The name of `$1` is 1. */
function named(values: SharedStatement['values']): Record<string, unknown> {
	return Object.fromEntries(values.map((value, index) => [index + 1, value]));
}
