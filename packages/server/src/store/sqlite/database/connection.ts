import { closeSync, openSync, readSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { whenFree } from './busy.ts';

export type Connection = Database.Database;

/** The database file in the folder of an embedded store. */
export const DATABASE_NAME = 'bursar.db';

/** Older versions have a bug: in WAL mode a checkpoint that races a writer can corrupt the database. */
const OLDEST_SOUND_SQLITE = [3, 51, 3] as const;

/** @bound A connection of SQLite waits for another process that writes: then the batch is tried again. */
export const LOCK_WAIT_MS = 250;

/** @bound The service waits for other processes to open the file of SQLite: then it does not start. */
const OPEN_WAIT_MS = 10_000;

/**
 * A log that a long read made larger is cut to this when it begins anew. Without a limit it would never get smaller.
 * @bound The log of SQLite after a long read: it is cut to this.
 */
const LOG_LIMIT_BYTES = 64 * 1024 * 1024;

/** The header of a database file, and the byte in it that says whether writers use a log. */
const HEADER_BYTES = 100;
const WRITE_VERSION_AT = 18;
const WRITTEN_WITHOUT_LOG = 1;

/** Opens the only connection that writes. Use it on a thread that may wait for the disk. */
export function openWriter(file: string): Connection {
	const connection = new Database(file, { timeout: OPEN_WAIT_MS });
	assertSoundSqlite(connection);
	const mode = whenFree(() => connection.pragma('journal_mode = WAL', { simple: true }), OPEN_WAIT_MS);
	if (mode !== 'wal') throw new Error(`the file system of ${file} does not support SQLite's write-ahead log`);
	connection.pragma('synchronous = FULL');
	// Larger than the default of 1,000 pages, because the commit that triggers a checkpoint waits for it.
	connection.pragma('wal_autocheckpoint = 8000');
	connection.pragma(`journal_size_limit = ${LOG_LIMIT_BYTES}`);
	connection.pragma('cache_size = -65536');
	return connection;
}

/**
 * Opens an existing database for this process alone, for as long as the connection is open. Throws SQLITE_BUSY if
 * another process has it open.
 */
export function openAlone(file: string): Connection {
	assertOwnLog(file);
	const connection = new Database(file, { fileMustExist: true, timeout: 0 });
	try {
		// Set before anything is read: the first read takes the lock, and would otherwise only share it.
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

/**
 * Throws if the file is a backup, and the log of another database is beside it: SQLite would take the changes of that log
 * for changes of the backup. A backup was never written with a log, and its header says so.
 */
export function assertOwnLog(file: string): void {
	if (!statSync(`${file}-wal`, { throwIfNoEntry: false })?.size) return;
	const header = Buffer.alloc(HEADER_BYTES);
	// The file stays open: closing it would drop the locks that this process holds on it (POSIX).
	const bytes = readSync(openSync(file, 'r'), header, 0, HEADER_BYTES, 0);
	if (bytes < HEADER_BYTES || header[WRITE_VERSION_AT] !== WRITTEN_WITHOUT_LOG) return;
	throw new Error(
		`${file} is a backup, and beside it is the log of another database: put the backup into an empty folder`,
	);
}

/**
 * Creates an empty file that only this user can read, if there is none. An existing file is not opened, because closing
 * it would drop the locks that this process holds on it (POSIX).
 */
export function createPrivately(file: string): void {
	try {
		closeSync(openSync(file, 'wx', 0o600));
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
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
	for (const [index, oldest] of OLDEST_SOUND_SQLITE.entries()) {
		const part = parts[index] ?? 0;
		if (part > oldest) return;
		if (part < oldest)
			throw new Error(`SQLite ${OLDEST_SOUND_SQLITE.join('.')} or newer is needed, this is ${version}`);
	}
}
