import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { debianPostgres } from '@bursar/testing/postgres-installation';
import { startPostgres as startServer } from '@bursar/testing/postgres-server';
import Database from 'better-sqlite3';
import pg from 'pg';
import { settle } from './pgbench.ts';
import { childrenOf } from './processor-time.ts';

/** An engine on which large stores are made. */
export interface StoreEngine {
	readonly name: string;
	createStore(): Promise<FilledStore>;
	/** The processes of the database, if it has any. They come and go with connections. */
	processes(): readonly number[];
	/** Removes all stores. */
	end(): Promise<void>;
}

export interface FilledStore {
	readonly environment: Readonly<Record<string, string>>;
	/** Runs statements on one connection, after the store was opened for the first time. */
	fill(statements: Iterable<string>): Promise<void>;
}

export async function startSqlite(): Promise<StoreEngine> {
	const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-'));
	return {
		name: 'SQLite',
		async createStore() {
			const store = mkdtempSync(join(folder, 'store-'));
			return {
				environment: { BURSAR_DATA_DIR: store },
				async fill(statements) {
					const database = new Database(join(store, 'bursar.db'));
					database.pragma('cache_size = -262144');
					for (const sql of statements) database.exec(sql);
					database.close();
				},
			};
		},
		processes: () => [],
		end: async () => rmSync(folder, { recursive: true }),
	};
}

export async function startPostgres(): Promise<StoreEngine> {
	const installation = debianPostgres();
	const server = await startServer({ installation, settings: { shared_buffers: '256MB', max_wal_size: '8GB' } });
	const postmaster = Number(readFileSync(join(server.folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
	return {
		name: 'PostgreSQL',
		async createStore() {
			const url = await server.createDatabase();
			return {
				environment: { BURSAR_DATABASE_URL: url, BURSAR_MASTER_KEY: randomBytes(32).toString('base64') },
				async fill(statements) {
					const client = new pg.Client({ connectionString: url });
					await client.connect();
					await client.query('SET search_path = bursar');
					for (const sql of statements) await client.query(sql);
					await client.end();
					await settle(installation, url);
				},
			};
		},
		processes: () => childrenOf(postmaster),
		end: server.remove,
	};
}
