import { join } from 'node:path';
import { listMigrations, migrate } from '../migrations.ts';
import type { Connections, Lease } from './connections.ts';

const FOLDER = join(import.meta.dirname, 'migrations');

/** Known to nothing else: the first half of the SHA-256 of "bursar migrations", as a whole number of 63 bits. */
const ADVISORY_LOCK = '1758875943164738671';

/** Long enough for another process to finish a migration of large tables, in milliseconds. */
const LOCK_LIMIT_MS = 600_000;

/**
 * Brings the database up to date, in one transaction that only one process at a time is in. Returns the
 * names of the migrations that it applied.
 */
export async function migratePostgres(connections: Connections, limitMs: number): Promise<readonly string[]> {
	const lease = await connections.acquire(performance.now() + limitMs);
	lease.unlimit();
	try {
		if (await isUpToDate(lease)) return [];
		await lease.query('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
		await lease.query(`SET LOCAL lock_timeout = ${LOCK_LIMIT_MS}; SET LOCAL statement_timeout = 0`);
		await lease.query(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`);
		await lease.query(
			'CREATE TABLE IF NOT EXISTS migrations (name text COLLATE "C" PRIMARY KEY, applied_at timestamptz NOT NULL)',
		);
		const applied = await migrate(FOLDER, {
			appliedMigrations: () => appliedMigrations(lease),
			recordMigration: async (name) => {
				await lease.query('INSERT INTO migrations VALUES ($1, now())', [name]);
			},
			runScript: async (sql) => {
				await lease.query(sql);
			},
		});
		await lease.query('COMMIT');
		return applied;
	} finally {
		// Whatever is still open in it is rolled back.
		lease.destroy();
	}
}

/** The common start of a process needs no lock. */
async function isUpToDate(lease: Lease): Promise<boolean> {
	const { rows } = await lease.query<{ found: boolean }>("SELECT to_regclass('migrations') IS NOT NULL AS found");
	return rows[0]?.found === true && (await appliedMigrations(lease)).join() === listMigrations(FOLDER).join();
}

async function appliedMigrations(lease: Lease): Promise<readonly string[]> {
	const { rows } = await lease.query<{ name: string }>('SELECT name FROM migrations ORDER BY name');
	return rows.map(({ name }) => name);
}
