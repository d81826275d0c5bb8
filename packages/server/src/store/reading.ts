import type { ReadForEach, SharedStatement } from './statement.ts';

/** The rows of a statement. Some engines have them at once. */
export type Rows = readonly object[] | Promise<readonly object[]>;

/** Reads with connections of an engine. Throws or rejects with `StoreUnavailableError`. */
export interface Reader {
	read(statement: SharedStatement): Rows;
	/** The rows of each given row. */
	readEach(each: ReadForEach): readonly (readonly object[])[] | Promise<readonly (readonly object[])[]>;
}

/** Thrown if the store could not be asked. Nothing was done. */
export class StoreUnavailableError extends Error {
	override readonly name = 'StoreUnavailableError';
}

/** Thrown if the caller already has as many reads in progress as it may have. Other callers go on. */
export class CallerBusyError extends StoreUnavailableError {}

/** How many reads share one query or one turn of the event loop, and how many queries run at once. */
export interface ReadLimit {
	readonly most: number;
	readonly atOnce?: number;
}

/** Reads rows for an owner. Owners take turns. Rejects with `StoreUnavailableError`. */
export type OwnedRead = (read: {
	readonly owner: string;
	readonly statement: SharedStatement;
}) => Promise<readonly object[]>;

/** Two ways to read, so that heavy reads delay no quick ones. In each, owners take turns. */
export interface ReadLanes {
	/** For reads of microseconds. */
	readonly quick: OwnedRead;
	/** For reads of what may be many rows. */
	readonly heavy: OwnedRead;
}

/** @bound A heavy read runs: then it is ended. */
export const HEAVY_READ_MS = 6_000;

/**
 * How many heavy reads wait, in total and of one owner, and how long. Others are refused. They wait longer than one may
 * run, so that one slow read refuses no others. With the time that it runs, a page still waits for it.
 * @bound Heavy reads that wait, that wait of one owner, and for how long: others are refused.
 */
export const HEAVY_READS = { maxWaiting: 256, maxOfOwner: 8, maxWaitMs: 8_000 } as const;

// Reads of one owner wait in one line, and owners take turns. The owner of a read is a reseller, or one of these.

/** The owner of the reads for files. A reseller has two files at once. They do not use up the turns of its pages. */
export function filesOf(reseller: string): string {
	return `files:${reseller}`;
}

/** The owner of all reads of operators, also of those about a reseller. No reseller has this name. */
export const OPERATORS = 'operators:';

/** The owner of the reads of the operator's programs. What they ask for must not keep operators waiting. */
export const PROGRAMS = 'programs:';

/** The owner of the reads that find what is to be posted of bandwidth. Nothing else waits in its line. */
export const POSTING = 'posting:';

/** The owner of the reads that find what resellers are to be told. Nothing else waits in its line. */
export const JUDGING = 'judging:';

/** The owner of the reads for the delivery of webhooks. Nothing else waits in its line. */
export const DELIVERING = 'delivering:';

/** The owner of the reads for payments through providers, and for hints about them. Nothing else waits in its line. */
export const READING_PAYMENTS = 'payments:';

/** Runs short statements for their owners. */
export function quickReads({ quick }: ReadLanes) {
	return async <Row>(owner: string, sql: string, values: SharedStatement['values']) =>
		(await quick({ owner, statement: { sql, values } })) as readonly Row[];
}
