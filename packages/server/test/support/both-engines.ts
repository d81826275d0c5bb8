import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { after } from 'node:test';
import { testDatabases } from '@bursar/testing/postgres-server';
import Database from 'better-sqlite3';
import pg from 'pg';
import type { Config } from '../../src/config.ts';

/** A storage engine that a test service can run on. */
export interface ServedEngine {
	readonly name: string;
	/** The settings of a new, empty store. */
	environment(): Promise<Readonly<Record<string, string>>>;
	/** Locks the reseller's account as another process would. The returned function unlocks it. */
	lockAccount(config: Config, reseller: string): Promise<() => Promise<void>>;
}

/** Both engines. The PostgreSQL server ends with the test file. */
export async function bothEngines(): Promise<readonly ServedEngine[]> {
	const databases = await testDatabases();
	after(() => databases.remove());
	return [
		{
			name: 'SQLite',
			environment: async () => ({}),
			async lockAccount({ dataDir }) {
				const other = new Database(join(dataDir, 'bursar.db'));
				other.exec('BEGIN IMMEDIATE');
				return async () => void other.close();
			},
		},
		{
			name: 'PostgreSQL',
			environment: async () => ({
				BURSAR_DATABASE_URL: await databases.createDatabase(),
				BURSAR_MASTER_KEY: randomBytes(32).toString('base64'),
			}),
			async lockAccount({ databaseUrl }, reseller) {
				const other = new pg.Client({ connectionString: databaseUrl?.hostUrls[0] });
				await other.connect();
				await other.query('BEGIN');
				await other.query('SELECT FROM bursar.accounts WHERE username = $1 FOR UPDATE', [reseller]);
				return () => other.end();
			},
		},
	];
}
