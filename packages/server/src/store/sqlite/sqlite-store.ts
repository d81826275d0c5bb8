import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { createKeySeal } from '../key-seal.ts';
import { openSeal } from '../master-key.ts';
import type { Store } from '../store.ts';
import { openReader, openWriter } from './connection.ts';
import { sqliteMasterKey } from './master-key.ts';
import { migrateSqlite } from './migrate.ts';
import { sqliteReads } from './reads.ts';
import { isMachineFault } from './transaction.ts';
import { startWriterThread } from './writer-client.ts';

const DATABASE_NAME = 'bursar.db';

/** Opens the embedded store in a folder, which is made, migrated and given a master key as needed. */
export async function openSqliteStore(dataDir: string, givenMasterKey: Uint8Array | undefined): Promise<Store> {
	mkdirSync(dataDir, { recursive: true, mode: 0o700 });
	const file = join(dataDir, DATABASE_NAME);
	const { masterKey, appliedMigrations } = await prepareDatabase(file, givenMasterKey).catch((cause) => {
		throw isMachineFault(cause) ? new Error(`${file}: ${cause.message}`, { cause }) : cause;
	});
	const writer = await startWriterThread({ file, masterKey });
	const reader = openReader(file);
	return {
		appliedMigrations,
		lost: writer.lost,
		...sqliteReads(reader, createKeySeal(masterKey)),
		runCommands: (commands, nowMs) => writer.runBatch('runCommands', [commands, nowMs]),
		recordUsage: (reports, nowMs) => writer.runBatch('recordUsage', [reports, nowMs]),
		verifyLedger: () => writer.call('verifyLedger', []),
		backup: (backupFile) => writer.call('backup', [backupFile]),
		async close() {
			// The writer is the last one: closing, it copies the log into the database file, and removes the log.
			reader.close();
			await writer.close();
		},
	};
}

/** What must be right before anything else: the schema, and that the master key is the store's. */
async function prepareDatabase(file: string, givenMasterKey: Uint8Array | undefined) {
	createPrivately(file);
	const connection = openWriter(file);
	try {
		const appliedMigrations = await migrateSqlite(connection);
		const readCheck = connection.prepare<[]>("SELECT value FROM meta WHERE name = 'master_key_check'").pluck();
		const isEmpty = connection.prepare('SELECT 1 FROM usernames').get() === undefined;
		const isNewStore = readCheck.get() === undefined;
		if (isNewStore && !isEmpty) throw new Error(`${file} has lost the check value of its master key: restore a backup`);
		const masterKey = sqliteMasterKey(file, givenMasterKey, isNewStore);
		openSeal(masterKey, {
			read: () => readCheck.get() as string | undefined,
			writeFirst(sealed) {
				connection
					.prepare("INSERT INTO meta (name, value) VALUES ('master_key_check', ?) ON CONFLICT DO NOTHING")
					.run(sealed);
			},
		});
		return { masterKey, appliedMigrations };
	} finally {
		connection.close();
	}
}

/**
 * Makes the file empty where there is none yet, so that nobody else may read it. One that exists is not
 * even opened: closing it again would drop the locks that this process holds on it (POSIX).
 */
function createPrivately(file: string): void {
	try {
		closeSync(openSync(file, 'wx', 0o600));
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
	}
}
