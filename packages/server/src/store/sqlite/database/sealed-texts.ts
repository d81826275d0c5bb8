import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { KEY_FILE } from '../../secrets/master-key.ts';
import {
	type ChangedMasterKey,
	changeMasterKey,
	type MasterKeyWork,
	type ReplacedMasterKey,
	replaceMasterKey,
	type SealedRow,
	type SealedTexts,
} from '../../secrets/master-key-change.ts';
import { ADD_ACT, actValues } from '../../tables/changes/acts.ts';
import { prepareStatements } from '../rows.ts';
import { isBusy } from './busy.ts';
import { type Connection, DATABASE_NAME, openAlone } from './connection.ts';
import { assertLost, replaceKeyFile, sqliteMasterKey } from './master-key.ts';
import { assertNotNewerSqlite, migrateSqlite } from './migrate.ts';
import { assertNotMoved } from './moved-mark.ts';

/**
 * Seals all secrets of an embedded store under another master key, and then replaces the key file if the store
 * keeps one. If the process stops between the two, run it again with the same new key.
 */
export async function changeSqliteMasterKey(
	dataDir: string,
	{ given, to }: { readonly given: Uint8Array | undefined; readonly to: Uint8Array },
	work: MasterKeyWork,
): Promise<ChangedMasterKey> {
	const texts = await openSealedTexts(dataDir);
	try {
		const from = sqliteMasterKey(join(dataDir, DATABASE_NAME), given, false);
		const secrets = await changeMasterKey(texts, { from, to }, work);
		return { secrets, keptIn: given ? undefined : replaceKeyFile(dataDir, to) };
	} finally {
		await texts.close();
	}
}

/**
 * Gives an embedded store the given master key in place of the lost one; without it, that of its key file. A new key file
 * is made if there is none. If the process stops, run it again.
 */
export async function replaceSqliteMasterKey(
	dataDir: string,
	given: Uint8Array | undefined,
	work: MasterKeyWork,
): Promise<ReplacedMasterKey> {
	const texts = await openSealedTexts(dataDir);
	try {
		const to = sqliteMasterKey(join(dataDir, DATABASE_NAME), given, true);
		assertLost(dataDir, (await texts.readCheck()) ?? '', to);
		const replaced = await replaceMasterKey(texts, to, work);
		return { ...replaced, keptIn: given ? undefined : join(dataDir, KEY_FILE) };
	} finally {
		await texts.close();
	}
}

/** Opens the store for this process alone. Throws if another process uses it. */
async function openSealedTexts(dataDir: string): Promise<SealedTexts> {
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
		return sealedTexts(connection);
	} catch (cause) {
		connection.close();
		throw cause;
	}
}

function sealedTexts(connection: Connection): SealedTexts {
	connection.exec('BEGIN IMMEDIATE');
	const check = connection.prepare("SELECT value FROM meta WHERE name = 'master_key_check'").pluck();
	const writeCheck = connection.prepare("UPDATE meta SET value = ? WHERE name = 'master_key_check'");
	return {
		readCheck: async () => check.get() as string | undefined,
		async readPage({ table, column, key }, after, limit) {
			const names = key.join(', ');
			return connection
				.prepare<unknown[], SealedRow>(
					`SELECT ${names}, ${column} FROM ${table}
					 WHERE (${names}) > (${key.map(() => '?').join(', ')}) ORDER BY ${names} LIMIT ?`,
				)
				.raw()
				.all(...after, limit);
		},
		async writePage({ table, column, key }, rows) {
			const isRow = key.map((name) => `${name} = ?`).join(' AND ');
			const write = connection.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${isRow}`);
			for (const row of rows) write.run(row.at(-1), ...row.slice(0, -1));
		},
		async writeCheck(sealed) {
			writeCheck.run(sealed);
		},
		async recordAct(act) {
			prepareStatements(connection).write({
				sql: ADD_ACT,
				values: actValues({ ...act, reseller: null, atMs: Date.now() }),
			});
		},
		async run(sql) {
			const statement = connection.prepare<[], string>(sql);
			if (statement.reader) return statement.pluck().all();
			statement.run();
			return [];
		},
		async commit() {
			connection.exec('COMMIT');
		},
		async close() {
			// Closing rolls back an open transaction.
			connection.close();
		},
	};
}
