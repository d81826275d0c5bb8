import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { after } from 'node:test';
import { testDatabases } from '@bursar/testing/postgres-server';
import Database from 'better-sqlite3';
import pg from 'pg';
import type { Config } from '../../src/config.ts';

/** What makes a service run on an engine. */
export interface ServedEngine {
	readonly name: string;
	/** The settings of a new, empty store. */
	environment(): Promise<Readonly<Record<string, string>>>;
	/** Keeps every command on the account of that reseller from being begun, as another process would, until it is called. */
	holdAccount(config: Config, reseller: string): Promise<() => Promise<void>>;
}

/** Both engines. The server of the databases ends with the test file. */
export async function bothEngines(): Promise<readonly ServedEngine[]> {
	const databases = await testDatabases();
	after(() => databases.remove());
	return [
		{
			name: 'SQLite',
			environment: async () => ({}),
			async holdAccount({ dataDir }) {
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
			async holdAccount({ databaseUrl }, reseller) {
				const other = new pg.Client({ connectionString: databaseUrl?.hostUrls[0] });
				await other.connect();
				await other.query('BEGIN');
				await other.query('SELECT FROM bursar.accounts WHERE username = $1 FOR UPDATE', [reseller]);
				return () => other.end();
			},
		},
	];
}
