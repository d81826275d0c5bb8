import { setTimeout as delay } from 'node:timers/promises';
import { migrationsFolder } from '../../../installation.ts';
import {
	type AppliedMigration,
	assertNotNewer,
	missingMigrations,
	type SchemaWatch,
	watchSchema,
} from '../../migrations.ts';
import { beginWriting, SCHEMA } from './beginning.ts';
import type { Connections, Lease } from './connections.ts';
import { faultKind } from './faults.ts';

const FOLDER = migrationsFolder('postgres');

/** A number that no other program uses: the first half of the SHA-256 of "bursar migrations", as a 63-bit integer. */
const ADVISORY_LOCK = '1758875943164738671';

/**
 * Long enough for another process to finish a migration of large tables, in milliseconds.
 * @bound A process waits for the migration of another one: then it does not start.
 */
const LOCK_LIMIT_MS = 600_000;
/**
 * How long a script waits for a table, and the pause before it is tried again, in milliseconds. Everybody else waits for that
 * table behind the script, and a read waits for three seconds at most.
 */
const SCRIPT_LOCK_MS = 1_000;
const PAUSE_MS = 1_000;

/**
 * Brings the database up to date. Each script is a transaction of its own, so what one has locked is free before the next. An
 * empty database gets all of them in one.
 * Only one process at a time does this. Returns the names of the migrations that this one applied. Throws if the database
 * cannot hold every text.
 */
export async function migratePostgres(
	connections: Connections,
	{ limitMs, mayMigrate }: { readonly limitMs: number; readonly mayMigrate: boolean },
): Promise<readonly string[]> {
	const giveUpAtMs = performance.now() + LOCK_LIMIT_MS;
	const lease = await connections.acquire(performance.now() + limitMs);
	lease.unlimit();
	const applied: string[] = [];
	try {
		for (;;) {
			const next = await applyNext(lease, mayMigrate).catch((cause) => {
				if (faultKind(cause) === 'busy' && performance.now() < giveUpAtMs) return 'busy' as const;
				throw cause;
			});
			if (next.length === 0) break;
			if (next !== 'busy') applied.push(...next);
			else {
				await lease.query('ROLLBACK');
				await delay(PAUSE_MS);
			}
		}
		lease.release();
		return applied;
	} finally {
		// Closing rolls back an open transaction. After `release` this does nothing.
		lease.destroy();
	}
}

/** Applies the first missing migration, or all of them to an empty database. Returns their names, none if none is missing. */
async function applyNext(lease: Lease, mayMigrate: boolean): Promise<readonly string[]> {
	await lease.query(beginWriting({ lockMs: LOCK_LIMIT_MS }));
	await assertHoldsEveryText(lease);
	// The usual start of a process needs no lock.
	if (await isUpToDate(lease, mayMigrate)) {
		await lease.query('ROLLBACK');
		return [];
	}
	await lease.query(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`);
	await makeSchema(lease);
	await lease.query(
		`CREATE TABLE IF NOT EXISTS migrations
		 (name text COLLATE "C" PRIMARY KEY, applied_at timestamptz NOT NULL, breaking boolean NOT NULL)`,
	);
	const before = await appliedMigrations(lease.query);
	const missing = missingMigrations(FOLDER, before, mayMigrate);
	const next = before.length === 0 ? missing : missing.slice(0, 1);
	await lease.query(`SET LOCAL lock_timeout = ${SCRIPT_LOCK_MS}`);
	for (const { name, breaking, script } of next) {
		await lease.query(script);
		await lease.query('INSERT INTO migrations VALUES ($1, now(), $2)', [name, breaking]);
	}
	await lease.query('COMMIT');
	return next.map(({ name }) => name);
}

/**
 * Throws if a newer version has applied any migration: this version may not know everything in the database. Call it
 * inside one of our transactions.
 */
export async function assertNotNewerPostgres(query: Lease['query']): Promise<void> {
	assertNotNewer(FOLDER, await appliedMigrations(query));
}

/** The applied migrations, as a column. */
export const APPLIED_MIGRATIONS =
	"(SELECT json_agg(json_build_object('name', name, 'breaking', breaking)) FROM migrations)";

/** Watches for migrations by newer versions. */
export function watchPostgresSchema(): SchemaWatch {
	return watchSchema(FOLDER);
}

async function assertHoldsEveryText(lease: Lease): Promise<void> {
	const { rows } = await lease.query<{ encoding: string }>('SELECT getdatabaseencoding()::text AS encoding');
	const encoding = rows[0]?.encoding;
	if (encoding === 'UTF8') return;
	throw new Error(
		`the encoding of the database is ${encoding}, which cannot hold every text: create a database with ENCODING 'UTF8' TEMPLATE template0`,
	);
}

async function isUpToDate(lease: Lease, mayMigrate: boolean): Promise<boolean> {
	const { rows } = await lease.query<{ found: boolean }>("SELECT to_regclass('migrations') IS NOT NULL AS found");
	if (rows[0]?.found !== true) return false;
	return missingMigrations(FOLDER, await appliedMigrations(lease.query), mayMigrate).length === 0;
}

async function makeSchema(lease: Lease): Promise<void> {
	const { rows } = await lease.query('SELECT FROM pg_namespace WHERE nspname = $1', [SCHEMA]);
	// If the schema exists, the role does not need the right to create one.
	if (rows.length === 0) await lease.query(`CREATE SCHEMA ${SCHEMA}`);
}

export async function appliedMigrations(query: Lease['query']): Promise<readonly AppliedMigration[]> {
	return (await query<AppliedMigration>('SELECT name, breaking FROM migrations ORDER BY name')).rows;
}
