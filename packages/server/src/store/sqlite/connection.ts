import Database from 'better-sqlite3';
import { whenFree } from './busy.ts';

export type Connection = Database.Database;

/** Older ones have a bug that can corrupt a database in WAL mode while a checkpoint races a writer. */
const OLDEST_SOUND_SQLITE = [3, 51, 3] as const;

/** How long a connection waits, in milliseconds, while another process writes, before it says that it is busy. */
export const LOCK_WAIT_MS = 250;

/** How long opening waits, in milliseconds: other processes may be opening or closing the same file. */
const OPEN_WAIT_MS = 10_000;

/** Opens the one connection that writes. It belongs on a thread that may wait for the disk. */
export function openWriter(file: string): Connection {
	const connection = new Database(file, { timeout: OPEN_WAIT_MS });
	assertSoundSqlite(connection);
	const mode = whenFree(() => connection.pragma('journal_mode = WAL', { simple: true }), OPEN_WAIT_MS);
	if (mode !== 'wal') throw new Error(`the file system of ${file} does not support SQLite's write-ahead log`);
	connection.pragma('synchronous = FULL');
	// Larger than the default of 1,000 pages: a checkpoint is paid for by the commit that triggers it.
	connection.pragma('wal_autocheckpoint = 8000');
	connection.pragma('cache_size = -65536');
	return connection;
}

/** Opens a connection that can only read. In WAL mode it neither waits for the writer nor delays it. */
export function openReader(file: string): Connection {
	const connection = new Database(file, { readonly: true, fileMustExist: true, timeout: LOCK_WAIT_MS });
	connection.pragma('cache_size = -16384');
	return connection;
}

function assertSoundSqlite(connection: Connection): void {
	const version = String(connection.prepare('SELECT sqlite_version()').pluck().get());
	const parts = version.split('.').map(Number);
	for (const [place, oldest] of OLDEST_SOUND_SQLITE.entries()) {
		const part = parts[place] ?? 0;
		if (part > oldest) return;
		if (part < oldest)
			throw new Error(`SQLite ${OLDEST_SOUND_SQLITE.join('.')} or newer is needed, this is ${version}`);
	}
}
