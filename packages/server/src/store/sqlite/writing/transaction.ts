import Database from 'better-sqlite3';
import type { BatchAnswer, Committed } from '../../store.ts';
import { isBusy, whenFree } from '../database/busy.ts';
import { type Connection, LOCK_WAIT_MS } from '../database/connection.ts';

/** Loads, decides and writes a batch, inside a transaction that the caller began. */
export type Transaction<Item, Result> = (
	items: readonly Item[],
	nowMs: number,
) => Omit<Committed<Result>, 'kind' | 'held'>;

/** Runs a batch in a transaction that takes the write lock before anything is loaded. */
export function runInTransaction<Item, Result>(
	connection: Connection,
	transaction: Transaction<Item, Result>,
	items: readonly Item[],
	nowMs: number,
): BatchAnswer<Result> {
	try {
		whenFree(() => connection.exec('BEGIN IMMEDIATE'), LOCK_WAIT_MS);
	} catch (cause) {
		return isBusy(cause) ? { kind: 'busy' } : { kind: 'not_done', cause };
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
		// A full disk fails before the last frame of the commit is written, and SQLite rolls back. Any other failure may
		// come after that frame: a restart might find the commit, or might not.
		if (isDiskFull(cause)) return rolledBack(connection, cause);
		return { kind: 'outcome_unknown', cause };
	}
	return { kind: 'committed', ...work };
}

/** Nothing was committed yet. If the rollback succeeds, nothing was done. */
function rolledBack(connection: Connection, cause: unknown): BatchAnswer<never> {
	try {
		if (connection.inTransaction) connection.exec('ROLLBACK');
	} catch (rollbackCause) {
		return { kind: 'outcome_unknown', cause: rollbackCause };
	}
	if (connection.inTransaction) return { kind: 'outcome_unknown', cause };
	return { kind: 'not_done', cause };
}

/** Whether the machine failed (a full disk, an I/O error), and not the batch. */
export function isMachineFault(cause: unknown): boolean {
	return cause instanceof Database.SqliteError && !cause.code.startsWith('SQLITE_CONSTRAINT');
}

function isDiskFull(cause: unknown): boolean {
	return cause instanceof Database.SqliteError && cause.code === 'SQLITE_FULL';
}
