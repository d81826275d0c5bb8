import type { Connection } from './connection.ts';

/** Rows for one step of SQLite: most of what a row costs is the way there and back. */
const ROWS_AT_ONCE = 64;

/** Runs a statement that ends in VALUES for any number of items, many rows at a time. */
export function prepareRows(connection: Connection, head: string, columnCount: number, tail = '') {
	const row = `(${Array(columnCount).fill('?').join(', ')})`;
	const statement = (rows: number) => connection.prepare(`${head} ${Array(rows).fill(row).join(', ')} ${tail}`);
	const many = statement(ROWS_AT_ONCE);
	const one = statement(1);

	/** `toValues` adds the values of an item's row, in the order of the columns. */
	return function runRows<Item>(items: readonly Item[], toValues: (item: Item, values: unknown[]) => void): void {
		const whole = items.length - (items.length % ROWS_AT_ONCE);
		for (let start = 0; start < items.length; ) {
			const count = start < whole ? ROWS_AT_ONCE : 1;
			const values: unknown[] = [];
			for (const item of items.slice(start, start + count)) toValues(item, values);
			(count === 1 ? one : many).run(values);
			start += count;
		}
	};
}
