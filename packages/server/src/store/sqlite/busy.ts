import Database from 'better-sqlite3';

const POLL_MS = 1;
const NEVER_NOTIFIED = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/**
 * Does the work once nobody else holds the lock that it needs. Where that takes longer than the limit, in
 * milliseconds, the last SQLITE_BUSY is thrown. It blocks the thread meanwhile. SQLite's own waiting looks
 * ever more rarely, and would miss the moments between the transactions of a process that writes one after
 * another; and for a change of the journal mode it does not wait at all.
 */
export function whenFree<Result>(work: () => Result, limitMs: number): Result {
	const giveUpAtMs = performance.now() + limitMs;
	for (;;) {
		try {
			return work();
		} catch (cause) {
			if (!isBusy(cause) || performance.now() > giveUpAtMs) throw cause;
		}
		Atomics.wait(NEVER_NOTIFIED, 0, 0, POLL_MS);
	}
}

/** Whether it failed because another process holds the lock. */
export function isBusy(cause: unknown): boolean {
	return cause instanceof Database.SqliteError && cause.code.startsWith('SQLITE_BUSY');
}
