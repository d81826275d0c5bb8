import { chmodSync, copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { connectTo, inDatabase } from '@bursar/testing/postgres-books';
import { inStore } from '@bursar/testing/sqlite-books';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { type EngineName, RELEASED_STORES, STORE_FILES, type StoreFacts } from './released-stores.ts';

/** A copy of a store that a released version made. */
export interface ReleasedStore {
	readonly facts: StoreFacts;
	readonly dataDir: string;
	/** The settings with which it opens. */
	readonly environment: Readonly<Record<string, string>>;
	/** The rows of all tables, as JSON by table. */
	rows(): Promise<Readonly<Record<string, readonly string[]>>>;
}

/** `createDatabase` resolves with the URL of an empty database. */
export async function openReleasedStore(
	t: TestContext,
	version: string,
	engine: EngineName,
	createDatabase: () => Promise<string>,
): Promise<ReleasedStore> {
	const released = (name: string) => join(RELEASED_STORES, version, engine, name);
	const dataDir = temporaryFolder(t);
	const facts: StoreFacts = JSON.parse(readFileSync(released(STORE_FILES.facts), 'utf8'));
	const masterKey = join(dataDir, STORE_FILES.masterKey);
	copyFileSync(released(STORE_FILES.masterKey), masterKey);
	// Git keeps no such mode, and the service accepts no other.
	chmodSync(masterKey, 0o600);
	if (engine === 'sqlite') {
		copyFileSync(released(STORE_FILES.store.sqlite), join(dataDir, STORE_FILES.store.sqlite));
		return { facts, dataDir, environment: {}, rows: async () => sqliteRows(dataDir) };
	}
	const url = await createDatabase();
	const script = readFileSync(released(STORE_FILES.store.postgres), 'utf8');
	await inDatabase(url, (database) => database.query(script));
	const environment = { BURSAR_DATABASE_URL: url, BURSAR_MASTER_KEY_FILE: masterKey };
	return { facts, dataDir, environment, rows: () => postgresRows(url) };
}

function sqliteRows(dataDir: string): Record<string, readonly string[]> {
	return inStore(dataDir, (store) => {
		const tables = store.prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
		return Object.fromEntries(
			tables.map((table) => [table, asSortedText(store.prepare<[], object>(`SELECT * FROM ${table}`).all())]),
		);
	});
}

async function postgresRows(url: string): Promise<Record<string, readonly string[]>> {
	const database = await connectTo(url);
	try {
		const listed = await database.query("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'bursar'");
		const rows: Record<string, readonly string[]> = {};
		for (const { name } of listed.rows) {
			rows[name] = asSortedText((await database.query(`SELECT * FROM bursar.${name}`)).rows);
		}
		return rows;
	} finally {
		await database.end();
	}
}

function asSortedText(rows: readonly object[]): readonly string[] {
	return rows.map((row) => JSON.stringify(row)).sort();
}
