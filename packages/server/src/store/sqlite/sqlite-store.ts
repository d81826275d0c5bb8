import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Account } from '../../domain/account.ts';
import type { Token } from '../../domain/token.ts';
import type { UsageDay } from '../../domain/usage.ts';
import { createKeySeal, type KeySeal } from '../key-seal.ts';
import { openSeal } from '../master-key.ts';
import { type Store, StoreUnavailableError } from '../store.ts';
import { type Connection, openReader, openWriter } from './connection.ts';
import { sqliteMasterKey } from './master-key.ts';
import { migrateSqlite } from './migrate.ts';
import { isMachineFault } from './transaction.ts';
import { startWriterThread } from './writer-client.ts';

const DATABASE_NAME = 'bursar.db';

/** Opens the embedded store in a folder, which is made, migrated and given a master key as needed. */
export async function openSqliteStore(dataDir: string, givenMasterKey: Uint8Array | undefined): Promise<Store> {
	mkdirSync(dataDir, { recursive: true, mode: 0o700 });
	const file = join(dataDir, DATABASE_NAME);
	const { masterKey, appliedMigrations } = await prepareDatabase(file, givenMasterKey);
	const reader = openReader(file);
	const writer = startWriterThread({ file, masterKey });
	return {
		appliedMigrations,
		...reads(reader, createKeySeal(masterKey)),
		runCommands: (commands, nowMs) => writer.runBatch('runCommands', [commands, nowMs]),
		recordUsage: (reports, nowMs) => writer.runBatch('recordUsage', [reports, nowMs]),
		verifyLedger: () => writer.call('verifyLedger', []),
		backup: (backupFile) => writer.call('backup', [backupFile]),
		async close() {
			await writer.close();
			reader.close();
		},
	};
}

/** What must be right before anything else: the schema, and that the master key is the store's. */
async function prepareDatabase(file: string, givenMasterKey: Uint8Array | undefined) {
	// Made here and empty where there is none yet, so that nobody else may read it.
	closeSync(openSync(file, 'a', 0o600));
	const connection = openWriter(file);
	try {
		const appliedMigrations = await migrateSqlite(connection);
		const readCheck = connection.prepare<[]>("SELECT value FROM meta WHERE name = 'master_key_check'").pluck();
		const isNewStore =
			readCheck.get() === undefined && connection.prepare('SELECT 1 FROM usernames').get() === undefined;
		const masterKey = sqliteMasterKey(file, givenMasterKey, isNewStore);
		openSeal(masterKey, {
			read: () => readCheck.get() as string | undefined,
			write(sealed) {
				connection.prepare("INSERT INTO meta (name, value) VALUES ('master_key_check', ?)").run(sealed);
			},
		});
		return { masterKey, appliedMigrations };
	} finally {
		connection.close();
	}
}

type Reads = Omit<Store, 'appliedMigrations' | 'runCommands' | 'recordUsage' | 'verifyLedger' | 'backup' | 'close'>;

interface AccountRow extends Omit<Account, 'proxyAuthkey'> {
	readonly sealedAuthKey: string;
}

/** Each read is one short query on the calling thread: microseconds, and no lock that a writer waits for. */
function reads(connection: Connection, seal: KeySeal): Reads {
	const columns =
		'reseller, username, balance_cents AS balanceCents, sealed_auth_key AS sealedAuthKey, created_at_ms AS createdAtMs';
	const account = connection.prepare<[string, string], AccountRow>(
		`SELECT ${columns} FROM accounts WHERE reseller = ? AND username = ?`,
	);
	const subUsers = connection.prepare<[string, string, number], AccountRow>(
		`SELECT ${columns} FROM accounts WHERE reseller = ? AND username > ? AND username <> reseller ORDER BY username LIMIT ?`,
	);
	const resellers = connection.prepare<[string, number], AccountRow>(
		`SELECT ${columns} FROM accounts JOIN usernames USING (reseller, username)
		 WHERE usernames.username > ? AND usernames.username = usernames.reseller ORDER BY usernames.username LIMIT ?`,
	);
	const usageDays = connection.prepare<[string, string, number, number], UsageDay>(
		`SELECT reseller, username, day, bytes_up AS bytesUp, bytes_down AS bytesDown FROM usage_days
		 WHERE reseller = ? AND username = ? AND day BETWEEN ? AND ? ORDER BY day`,
	);
	const token = connection.prepare<[string], Token>(
		'SELECT hash, reseller, expires_at_ms AS expiresAtMs FROM tokens WHERE hash = ?',
	);
	const version = connection.prepare<[]>("SELECT value FROM meta WHERE name = 'credentials_version'").pluck();

	const opened = ({ sealedAuthKey, ...row }: AccountRow): Account => ({
		...row,
		proxyAuthkey: seal.open(sealedAuthKey, row.username),
	});

	return {
		findAccount: reading(async (reseller, username) => {
			const row = account.get(reseller, username);
			return row && opened(row);
		}),
		listSubUsers: reading(async (reseller, after, limit) => subUsers.all(reseller, after, limit).map(opened)),
		listResellers: reading(async (after, limit) => resellers.all(after, limit).map(opened)),
		listUsageDays: reading(async (...args) => usageDays.all(...args)),
		findToken: reading(async (hash) => token.get(hash)),
		readCredentialsVersion: reading(async () => Number(version.get())),
	};
}

/** A failing read did nothing: whoever asked may be told so. */
function reading<Args extends readonly unknown[], Result>(read: (...args: Args) => Promise<Result>) {
	return async (...args: Args): Promise<Result> => {
		try {
			return await read(...args);
		} catch (cause) {
			if (isMachineFault(cause)) throw new StoreUnavailableError('the database cannot be read', { cause });
			throw cause;
		}
	};
}
