import Database from 'better-sqlite3';
import { whenFree } from './busy.ts';

export type Connection = Database.Database;

/** The database in the folder of an embedded store. */
export const DATABASE_NAME = 'bursar.db';

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

/**
 * Opens an existing database for this process alone, for as long as the connection is open. Throws
 * SQLITE_BUSY where another one has it open. The log's index lies in memory, and nobody else can get at it.
 */
export function openAlone(file: string): Connection {
	const connection = new Database(file, { fileMustExist: true, timeout: 0 });
	try {
		// Before anything is read: the first look takes the lock, or shares it for good.
		connection.pragma('locking_mode = EXCLUSIVE');
		const mode = whenFree(() => connection.pragma('journal_mode = WAL', { simple: true }), LOCK_WAIT_MS);
		assertSoundSqlite(connection);
		if (mode !== 'wal') throw new Error(`the file system of ${file} does not support SQLite's write-ahead log`);
		connection.pragma('synchronous = FULL');
		connection.pragma('cache_size = -16384');
		return connection;
	} catch (cause) {
		connection.close();
		throw cause;
	}
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
