import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Transfer } from '../../src/domain/ledger.ts';
import { DATABASE_NAME } from '../../src/store/sqlite/database/connection.ts';
import { openSqliteStore, type SqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { inserts, type TableRows } from '../support/people-rows.ts';
import type { Engine, Lifetime } from './suite/engine.ts';

/** The embedded engine. Each store has its own folder. */
export const sqliteEngine = {
	name: 'SQLite',
	async open(test: Lifetime) {
		const { folder, open } = storeFolder(test);
		return {
			store: await open(),
			folder,
			openAnother: () => open(),
			/** Restores a backup file in another folder with the same master key. Ends with the test. */
			openBackup(file: string) {
				const restored = join(folder, 'restored');
				mkdirSync(restored);
				copyFileSync(file, join(restored, DATABASE_NAME));
				copyFileSync(join(folder, 'master.key'), join(restored, 'master.key'));
				return open(restored);
			},
			transfers: async (reseller: string) => inDatabase(folder, (database) => transfersOf(database, reseller)),
			rows: async (query: string) => inDatabase(folder, (database) => database.prepare<[], object>(query).all()),
			insert: async (rows: TableRows) =>
				inDatabase(folder, (database) => {
					database.exec('BEGIN IMMEDIATE');
					for (const { sql, values } of inserts(rows, 'SQLite')) database.prepare(sql).run(values);
					database.exec('COMMIT');
				}),
			corrupt: async (sql: string) => inDatabase(folder, (database) => corrupt(database, sql)),
			async emptier() {
				const empty = join(folder, 'empty.db');
				await copyDatabase(join(folder, DATABASE_NAME), empty);
				return () => copyDatabase(empty, join(folder, DATABASE_NAME));
			},
		};
	},
} satisfies Engine;

/** A folder for stores. When the test ends, its stores are closed, and then it is removed. */
export function storeFolder(test: Lifetime) {
	const folder = mkdtempSync(join(tmpdir(), 'bursar-store-'));
	const closes: (() => Promise<void>)[] = [];
	test.after(async () => {
		for (const close of closes) await close();
		rmSync(folder, { recursive: true, force: true });
	});
	async function open(dataDir = folder, masterKey?: Uint8Array): Promise<SqliteStore> {
		const store = await openSqliteStore(dataDir, masterKey);
		let closing: Promise<void> | undefined;
		const close = () => {
			closing ??= store.close();
			return closing;
		};
		closes.push(close);
		return { ...store, close };
	}
	return { folder, open };
}

/** Works on the database directly, not through the store. */
export function inDatabase<Result>(folder: string, work: (database: Database.Database) => Result): Result {
	const database = new Database(join(folder, DATABASE_NAME), { fileMustExist: true });
	try {
		return work(database);
	} finally {
		database.close();
	}
}

/** Replaces what is in the other database, also while stores have it open. */
async function copyDatabase(from: string, to: string): Promise<void> {
	const database = new Database(from, { readonly: true });
	try {
		await database.backup(to);
	} finally {
		database.close();
	}
}

function transfersOf(database: Database.Database, reseller: string): Transfer[] {
	return database
		.prepare<[string], Transfer>(
			`SELECT reseller, debit, credit, amount_cents AS amountCents, kind, at_ms AS atMs, request_id AS requestId,
				debit_balance_cents AS debitBalanceCents, credit_balance_cents AS creditBalanceCents
			 FROM transfers WHERE reseller = ? ORDER BY id`,
		)
		.all(reseller);
}

function corrupt(database: Database.Database, sql: string): void {
	database.pragma('ignore_check_constraints = 1');
	database.exec('DROP TRIGGER transfers_are_never_changed; DROP TRIGGER transfers_are_never_removed');
	database.exec(sql);
}
