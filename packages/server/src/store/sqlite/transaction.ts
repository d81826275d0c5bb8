import Database from 'better-sqlite3';
import type { BatchAnswer } from '../store.ts';
import { type Connection, LOCK_WAIT_MS } from './connection.ts';

/** Loads, decides and writes a batch. The transaction around it is not its business. */
export type Transaction<Item, Result> = (
	items: readonly Item[],
	nowMs: number,
) => { readonly results: readonly Result[]; readonly faults: readonly unknown[] };

/** Runs a batch in a transaction that holds the write lock from before anything is loaded. */
export function runInTransaction<Item, Result>(
	connection: Connection,
	transaction: Transaction<Item, Result>,
	items: readonly Item[],
	nowMs: number,
): BatchAnswer<Result> {
	try {
		if (!beginWhenFree(connection)) return { kind: 'busy' };
	} catch (cause) {
		return { kind: 'not_done', cause };
	}
	let work: ReturnType<typeof transaction>;
	try {
		work = transaction(items, nowMs);
	} catch (cause) {
		return rolledBack(connection, cause);
	}
	try {
		connection.exec('COMMIT');
	} catch (cause) {
		// A full disk fails before the last frame of the commit is on it, and SQLite rolls back: nothing can
		// come back of it. Any other failure may lie behind that frame: a restart might find it, or might not.
		if (isDiskFull(cause)) return rolledBack(connection, cause);
		return { kind: 'outcome_unknown', cause };
	}
	return { kind: 'committed', ...work };
}

/**
 * Takes the write lock, unless another process holds on to it. SQLite's own waiting looks ever more
 * rarely, and would miss the moments between the transactions of a process that writes one after another.
 */
function beginWhenFree(connection: Connection): boolean {
	const giveUpAtMs = performance.now() + LOCK_WAIT_MS;
	for (;;) {
		try {
			connection.exec('BEGIN IMMEDIATE');
			return true;
		} catch (cause) {
			if (!isBusy(cause)) throw cause;
			if (performance.now() > giveUpAtMs) return false;
		}
		Atomics.wait(NEVER_NOTIFIED, 0, 0, LOCK_POLL_MS);
	}
}

const LOCK_POLL_MS = 1;
const NEVER_NOTIFIED = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Nothing has been committed so far, so where the rollback is proven, nothing was done. */
function rolledBack(connection: Connection, cause: unknown): BatchAnswer<never> {
	try {
		if (connection.inTransaction) connection.exec('ROLLBACK');
	} catch (rollbackCause) {
		return { kind: 'outcome_unknown', cause: rollbackCause };
	}
	if (connection.inTransaction) return { kind: 'outcome_unknown', cause };
	return { kind: 'not_done', cause };
}

/** Whether it is the machine that failed (no room, no disk), rather than the batch. */
export function isMachineFault(cause: unknown): boolean {
	return cause instanceof Database.SqliteError && !cause.code.startsWith('SQLITE_CONSTRAINT');
}

function isBusy(cause: unknown): boolean {
	return cause instanceof Database.SqliteError && cause.code.startsWith('SQLITE_BUSY');
}

function isDiskFull(cause: unknown): boolean {
	return cause instanceof Database.SqliteError && cause.code === 'SQLITE_FULL';
}
