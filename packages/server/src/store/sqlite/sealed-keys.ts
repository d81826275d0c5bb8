import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ChangedMasterKey, changeMasterKey, type SealedKey, type SealedKeys } from '../master-key-change.ts';
import { isBusy } from './busy.ts';
import { type Connection, DATABASE_NAME, openAlone } from './connection.ts';
import { replaceKeyFile, sqliteMasterKey } from './master-key.ts';
import { assertNotNewerSqlite } from './migrate.ts';
import { assertNotMoved } from './moved-mark.ts';

/**
 * Seals all proxy auth keys of an embedded store under another master key, which the store keeps where it
 * keeps one. Stopped between the two, it is run again with the same new key.
 */
export async function changeSqliteMasterKey(
	dataDir: string,
	{ given, to }: { readonly given: Uint8Array | undefined; readonly to: Uint8Array },
	onProgress: (keys: number) => void,
): Promise<ChangedMasterKey> {
	const keys = openSealedKeys(dataDir);
	try {
		const from = sqliteMasterKey(join(dataDir, DATABASE_NAME), given, false);
		const count = await changeMasterKey(keys, { from, to }, onProgress);
		return { keys: count, keptIn: given ? undefined : replaceKeyFile(dataDir, to) };
	} finally {
		await keys.close();
	}
}

/** For this process alone. Throws where somebody else uses the store. */
function openSealedKeys(dataDir: string): SealedKeys {
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
		assertNotNewerSqlite(connection);
		return sealedKeys(connection);
	} catch (cause) {
		connection.close();
		throw cause;
	}
}

function sealedKeys(connection: Connection): SealedKeys {
	connection.exec('BEGIN IMMEDIATE');
	const check = connection.prepare("SELECT value FROM meta WHERE name = 'master_key_check'").pluck();
	const page = connection.prepare<[string, string, number], SealedKey>(
		`SELECT reseller, username, sealed_auth_key AS sealedAuthKey FROM accounts
		 WHERE (reseller, username) > (?, ?) ORDER BY reseller, username LIMIT ?`,
	);
	const write = connection.prepare('UPDATE accounts SET sealed_auth_key = ? WHERE reseller = ? AND username = ?');
	const writeCheck = connection.prepare("UPDATE meta SET value = ? WHERE name = 'master_key_check'");
	return {
		readCheck: async () => check.get() as string | undefined,
		readPage: async (...from) => page.all(...from),
		async writePage(keys) {
			for (const { reseller, username, sealedAuthKey } of keys) write.run(sealedAuthKey, reseller, username);
		},
		async writeCheck(sealed) {
			writeCheck.run(sealed);
		},
		async commit() {
			connection.exec('COMMIT');
		},
		async close() {
			// Whatever is still open in it is rolled back.
			connection.close();
		},
	};
}
