import Database from 'better-sqlite3';

const POLL_MS = 1;
const NEVER_NOTIFIED = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/**
 * Does the work as soon as no other connection holds the lock that it needs. After `limitMs`, throws the last
 * SQLITE_BUSY. Blocks the thread meanwhile. SQLite's own wait polls more and more rarely, so it would miss the gaps
 * between the transactions of a busy writer. For a change of the journal mode it does not wait at all.
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
