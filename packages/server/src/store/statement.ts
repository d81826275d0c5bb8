/** A statement for any engine, with values for `$1`, `$2` and so on. */
export interface SharedStatement {
	readonly sql: string;
	readonly values: readonly (string | number | null)[];
	/** How many rows it must write. Absent if any number will do. */
	readonly rows?: 1;
}

/** How an engine makes an object and an array in JSON. Their arguments and results are the same. */
export interface JsonFunctions {
	readonly object: string;
	readonly array: string;
}

/** The columns of given rows: the type of each column, and how to read its value from an item. */
export type Columns<Item> = Readonly<Record<string, readonly [type: ColumnType, read: (item: Item) => unknown]>>;
type ColumnType = 'text' | 'bigint' | 'integer';

/** Any number of rows for one statement. Each engine has its own way to send many of them at once. */
export interface GivenRows {
	readonly count: number;
	readonly columns: readonly GivenColumn[];
}

interface GivenColumn {
	readonly name: string;
	readonly type: ColumnType;
	/** One for each row. */
	readonly values: readonly unknown[];
}

/** Rows of a table, found by their whole keys. Those that exist are returned, in any order. */
export interface FoundRows {
	readonly table: string;
	/** What is selected: `bytes_up AS "bytesUp", ...`. */
	readonly columns: string;
	readonly keys: GivenRows;
}

/** Rows that are inserted. All of them are written, or the statement fails. */
export interface InsertedRows {
	readonly into: string;
	readonly rows: GivenRows;
	/** `ON CONFLICT ...`, for rows that exist. */
	readonly onConflict?: string;
}

/** A statement that is read once for each given row, whose columns are `$1`, `$2` and so on. */
export interface ReadForEach {
	readonly sql: string;
	readonly given: GivenRows;
}

/** A statement that writes what the rows of the table `given` say. It follows `WITH given AS (...)`. */
export interface WriteOfGiven {
	readonly sql: string;
	readonly given: GivenRows;
}

/** What is read and written with statements and with many rows, as any engine can run it. */
export type RowsRead = SharedStatement | FoundRows;
export type RowsWrite = SharedStatement | InsertedRows | WriteOfGiven;

/**
 * Work that reads step by step: it yields what it reads, and takes the rows of each read. An engine runs it at once, or with
 * other work in between.
 */
export type ReadingSteps<Result> = Generator<readonly RowsRead[], Result, readonly (readonly object[])[]>;

/** One row for each item, in the same order. */
export function givenRows<Item>(items: readonly Item[], columns: Columns<Item>): GivenRows {
	return {
		count: items.length,
		columns: Object.entries(columns).map(([name, [type, read]]) => ({ name, type, values: items.map(read) })),
	};
}

/** The order of one column of a key. All processes write rows in the order of their keys. */
export function compare(a: string, b: string): number {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}
