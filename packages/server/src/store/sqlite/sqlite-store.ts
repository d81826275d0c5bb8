import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ANSWER_LIMIT_MS } from '@bursar/contract/limits';
import { CopyError } from '../copying/copy-error.ts';
import { storeReads } from '../reads.ts';
import type { KeySeal } from '../secrets/key-seal.ts';
import { openSeal } from '../secrets/master-key.ts';
import type { Store, StoreOpening } from '../store.ts';
import { writeBackup } from './database/backup.ts';
import {
	assertOwnLog,
	type Connection,
	createPrivately,
	DATABASE_NAME,
	LOCK_WAIT_MS,
	openReader,
	openWriter,
} from './database/connection.ts';
import { watchDatabaseFiles } from './database/database-files.ts';
import { sqliteMasterKey } from './database/master-key.ts';
import { migrateSqlite, watchSqliteSchema } from './database/migrate.ts';
import { assertNotMoved } from './database/moved-mark.ts';
import { takeServingLock } from './database/serving-lock.ts';
import { orUnavailable, sqliteReading } from './reading/reading.ts';
import { createReadingThreads } from './reading/reading-threads.ts';
import { prepareStatements } from './rows.ts';
import { isMachineFault } from './writing/transaction.ts';
import { createThreadWriter } from './writing/writer-calls.ts';

/** The embedded engine can make backups. */
export type SqliteStore = Store & Required<Pick<Store, 'backup'>>;

/**
 * Opens the embedded store in a folder, and migrates it. If there is none, makes one with a master key, or throws
 * `CopyError` unless `mayCreate`.
 */
export async function openSqliteStore(
	dataDir: string,
	givenMasterKey: Uint8Array | undefined,
	{ mayCreate = true, mayMigrate = true, serves = false }: StoreOpening = {},
): Promise<SqliteStore> {
	const file = join(dataDir, DATABASE_NAME);
	if (!mayCreate && !existsSync(file)) {
		throw new CopyError(
			'no_such_store',
			`there is no store: ${file} does not exist. Set BURSAR_DATA_DIR to its folder`,
		);
	}
	mkdirSync(dataDir, { recursive: true, mode: 0o700 });
	createPrivately(file);
	// SQLite may open a file that it cannot write only for reading, and does not say so.
	accessSync(file, constants.W_OK);
	// Before the database is opened: a second service must not migrate it either.
	const serving = serves ? takeServingLock(file) : undefined;
	const { connection, masterKey, seal, appliedMigrations } = await prepareDatabase(
		file,
		givenMasterKey,
		mayMigrate,
	).catch((cause) => {
		serving?.release();
		throw isMachineFault(cause) ? new Error(`${file}: ${cause.message}`, { cause }) : cause;
	});
	const reader = openReader(file);
	const threads = createReadingThreads(file);
	const writer = createThreadWriter({ file, masterKey });
	const schema = watchSqliteSchema(reader);
	const files = watchDatabaseFiles(file);
	const version = reader.prepare<[]>("SELECT value FROM meta WHERE name = 'credentials_version'").pluck();
	const readVersion = orUnavailable(() => {
		schema.look();
		files.look();
		return Number(version.get());
	});

	return {
		appliedMigrations,
		lost: Promise.race([writer.lost, schema.broken, files.replaced]),
		outgrown: schema.outgrown,
		// What is left is for the lock and the commit.
		/** @bound A command waits before it starts on SQLite: then it is answered `unavailable`. */
		maxWaitMs: ANSWER_LIMIT_MS - 2 * LOCK_WAIT_MS,
		batchesAtOnce: 1,
		nowMs: Date.now,
		deriveKey: seal.deriveKey,
		...storeReads(sqliteReading(reader, threads.readReport), seal),
		readCredentialsVersion: async () => readVersion(),
		verifyLedger: threads.verifyLedger,
		startWriting: writer.startWriting,
		runCommands: writer.runCommands,
		runPersonCommands: writer.runPersonCommands,
		recordUsage: writer.recordUsage,
		writeRecords: writer.writeRecords,
		backup: async (backupFile) => writeBackup(connection, backupFile),
		async close() {
			reader.close();
			await writer.close(threads.close());
			// The last connection that can write copies the log into the database file, and removes the log. While the store
			// is open, this one also keeps commands away that need the database for themselves.
			connection.close();
			serving?.release();
		},
	};
}

interface Prepared {
	readonly connection: Connection;
	readonly masterKey: Uint8Array;
	readonly seal: KeySeal;
	readonly appliedMigrations: readonly string[];
}

/** Migrates the schema, and checks that the store was not moved and has this master key. */
async function prepareDatabase(
	file: string,
	givenMasterKey: Uint8Array | undefined,
	mayMigrate: boolean,
): Promise<Prepared> {
	assertOwnLog(file);
	const connection = openWriter(file);
	try {
		const appliedMigrations = await migrateSqlite(connection, mayMigrate);
		assertNotMoved(connection, dirname(file));
		const opened = await openSeal({ name: file, ...prepareStatements(connection) }, (isNewStore) =>
			sqliteMasterKey(file, givenMasterKey, isNewStore),
		);
		return { connection, ...opened, appliedMigrations };
	} catch (cause) {
		connection.close();
		throw cause;
	}
}
