import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@bursar/testing/postgres-server';
import Database from 'better-sqlite3';
import pg from 'pg';
import { type SeededEdge, seedEdge } from './seed-edge.ts';
import { startTarget, type TargetProcess } from './target-process.ts';

/** A service with its edge listener, on a store of its own. */
export interface Engine {
	readonly name: string;
	/** The least number of counters a second that we aim for. */
	readonly aim: number;
	readonly edge: SeededEdge;
	readonly service: TargetProcess;
	/** Without the log of writes, which SQLite writes over after 32 MiB. */
	sizeBytes(): Promise<number>;
	/** How many requests with counters it has had. */
	requests: number;
}

/** What must be done at the end, in reverse order. */
export type Stops = (() => Promise<void>)[];

export async function startOnSqlite(subUsers: number, stops: Stops): Promise<Engine> {
	const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-'));
	stops.push(async () => rmSync(folder, { recursive: true }));
	async function sizeBytes(): Promise<number> {
		const database = new Database(join(folder, 'bursar.db'), { readonly: true });
		const [pages, pageBytes] = ['page_count', 'page_size'].map((name) => database.pragma(name, { simple: true }));
		database.close();
		return Number(pages) * Number(pageBytes);
	}
	return startEngine({ name: 'SQLite', aim: 100_000, sizeBytes }, { BURSAR_DATA_DIR: folder }, subUsers, stops);
}

export async function startOnPostgres(subUsers: number, stops: Stops): Promise<Engine> {
	const server = await startPostgres({ settings: { fsync: 'on', synchronous_commit: 'on' } });
	stops.push(() => server.remove());
	const url = await server.createDatabase();
	async function sizeBytes(): Promise<number> {
		const client = new pg.Client({ connectionString: url });
		await client.connect();
		const { rows } = await client.query<{ size: string }>('SELECT pg_database_size(current_database()) AS size');
		await client.end();
		return Number(rows[0]?.size);
	}
	const environment = { BURSAR_DATABASE_URL: url, BURSAR_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') };
	return startEngine({ name: 'PostgreSQL', aim: 50_000, sizeBytes }, environment, subUsers, stops);
}

async function startEngine(
	engine: Pick<Engine, 'name' | 'aim' | 'sizeBytes'>,
	store: Readonly<Record<string, string>>,
	subUsers: number,
	stops: Stops,
): Promise<Engine> {
	const edge = await seedEdge(store, subUsers);
	const environment = { ...store, BURSAR_PORT: '0', BURSAR_OPS_PORT: '0', BURSAR_EDGE_PORT: '0' };
	const service = await startTarget('Bursar', ['bursar.ts'], environment);
	stops.push(() => service.stop());
	return { ...engine, edge, service, requests: 0 };
}
