import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SealedTexts } from '../../secrets/master-key-change.ts';
import { prepareStatements } from '../rows.ts';
import { isBusy } from './busy.ts';
import { type Connection, DATABASE_NAME, openAlone } from './connection.ts';
import { assertLost, replaceKeyFile, sqliteMasterKey } from './master-key.ts';
import { assertNotNewerSqlite, migrateSqlite } from './migrate.ts';
import { assertNotMoved } from './moved-mark.ts';

/**
 * Opens an embedded store for this process alone. Throws if another process uses it. Without a given master key, the store
 * keeps its key in a file, and a new file is made in place of a lost one.
 */
export async function openSqliteTexts(dataDir: string, given: Uint8Array | undefined): Promise<SealedTexts> {
	const file = join(dataDir, DATABASE_NAME);
	if (!existsSync(file)) throw new Error(`there is no store: ${file} does not exist`);
	let connection: Connection;
	try {
		connection = openAlone(file);
	} catch (cause) {
		if (isBusy(cause)) throw new Error(`a service or a command still uses ${file}: stop it first`);
		throw cause;
	}
	try {
		assertNotMoved(connection, dirname(file));
		await migrateSqlite(connection, false);
		assertNotNewerSqlite(connection);
		connection.exec('BEGIN IMMEDIATE');
	} catch (cause) {
		connection.close();
		throw cause;
	}
	const { read, write } = prepareStatements(connection);
	return {
		read,
		write,
		nowMs: Date.now,
		commit: () => void connection.exec('COMMIT'),
		// Closing rolls back an open transaction.
		close: () => void connection.close(),
		presentKey: () => sqliteMasterKey(file, given, false),
		keyInPlaceOfLost(check) {
			const masterKey = sqliteMasterKey(file, given, true);
			assertLost(dataDir, check, masterKey);
			return masterKey;
		},
		keep: (masterKey) => (given ? undefined : replaceKeyFile(dataDir, masterKey)),
	};
}
