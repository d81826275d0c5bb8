import type { Connection } from './connection.ts';

/** How many rows go into one call of SQLite: most of the cost of a row is the call. */
const ROWS_AT_ONCE = [64, 16, 4, 1] as const;

/** Runs a statement that ends in VALUES for any number of items, with many rows in each call. */
export function prepareRows(connection: Connection, head: string, columnCount: number, tail = '') {
	const row = `(${Array(columnCount).fill('?').join(', ')})`;
	const statements = ROWS_AT_ONCE.map((rows) => ({
		rows,
		statement: connection.prepare(`${head} ${Array(rows).fill(row).join(', ')} ${tail}`),
	}));

	/** `addValues` adds the values of an item's row, in the order of the columns. */
	return function runRows<Item>(items: readonly Item[], addValues: (item: Item, values: unknown[]) => void): void {
		let next = 0;
		for (const { rows, statement } of statements) {
			for (; items.length - next >= rows; next += rows) {
				const values: unknown[] = [];
				for (let place = next; place < next + rows; place++) addValues(items[place] as Item, values);
				statement.run(values);
			}
		}
	};
}
