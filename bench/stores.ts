import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@bursar/testing/postgres-server';
import pg from 'pg';
import { processorMs } from './processor-time.ts';

/** The environment by which Bursar uses the store. */
export type Store = Readonly<Record<string, string>>;

/** One of the two engines. */
export interface Engine {
	readonly name: string;
	newStore(): Promise<Store>;
	/** An empty database for something else: the path of a file, or a URL. */
	newDatabase(): Promise<string>;
	/** Copies a store that no process uses. */
	copyOf(store: Store): Promise<Store>;
	/** The processor time so far of the processes that all stores share. */
	processorMs(): number;
}

export interface Postgres extends Engine {
	/** Runs statements, and cleans up, so that the server does not do it during a turn. */
	fill(url: string, sql: string): Promise<void>;
}

/** Every commit is flushed: what is measured is durable. */
const POSTGRES_SETTINGS = {
	fsync: 'on',
	synchronous_commit: 'on',
	max_connections: '400',
	shared_buffers: '256MB',
	// Prevents a checkpoint during a short run.
	max_wal_size: '8GB',
	checkpoint_timeout: '30min',
};

/** SQLite works inside the service. */
export function openSqlite(stops: AsyncDisposableStack): Engine {
	const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-'));
	stops.defer(async () => rmSync(folder, { recursive: true }));
	const newFolder = () => mkdtempSync(join(folder, 'store-'));
	return {
		name: 'SQLite',
		newStore: async () => ({ BURSAR_DATA_DIR: newFolder() }),
		newDatabase: async () => join(newFolder(), 'plain.db'),
		async copyOf({ BURSAR_DATA_DIR: original }) {
			const copy = newFolder();
			cpSync(original as string, copy, { recursive: true });
			return { BURSAR_DATA_DIR: copy };
		},
		processorMs: () => 0,
	};
}

/** A server of its own, the one from npm. */
export async function openPostgres(stops: AsyncDisposableStack): Promise<Postgres> {
	const server = await startPostgres({ settings: POSTGRES_SETTINGS });
	stops.defer(() => server.remove());
	const pid = Number(readFileSync(join(server.folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);

	async function fill(url: string, sql: string): Promise<void> {
		const client = new pg.Client({ connectionString: url });
		await client.connect();
		await client.query(sql);
		await client.query('VACUUM ANALYZE');
		await client.end();
	}

	return {
		name: 'PostgreSQL',
		newStore: async () => ({
			BURSAR_DATABASE_URL: await server.createDatabase(),
			BURSAR_MASTER_KEY: randomBytes(32).toString('base64'),
		}),
		async copyOf(store) {
			const original = store.BURSAR_DATABASE_URL as string;
			await fill(original, '');
			return { ...store, BURSAR_DATABASE_URL: await server.createDatabase(original) };
		},
		processorMs: () => processorMs(pid),
		newDatabase: () => server.createDatabase(),
		fill,
	};
}
