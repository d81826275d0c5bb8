import { setTimeout } from 'node:timers/promises';
import { migrationsFolder } from '../../../installation.ts';
import {
	type AppliedMigration,
	assertNotNewer,
	missingMigrations,
	type SchemaWatch,
	watchSchema,
} from '../../migrations.ts';
import { isBusy } from './busy.ts';
import type { Connection } from './connection.ts';

const FOLDER = migrationsFolder('sqlite');

/** Brings the database up to date, in one transaction. Returns the names of the migrations it applied. */
export async function migrateSqlite(connection: Connection, mayMigrate: boolean): Promise<readonly string[]> {
	if (isUpToDate(connection, mayMigrate)) return [];
	await beginWhenFree(connection);
	try {
		connection.exec(
			'CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL, breaking INTEGER NOT NULL) STRICT',
		);
		const missing = missingMigrations(FOLDER, appliedMigrations(connection), mayMigrate);
		for (const { name, breaking, script } of missing) {
			connection.exec(script);
			const insert = "INSERT INTO migrations VALUES (?, strftime('%Y-%m-%dT%H:%M:%fZ'), ?)";
			connection.prepare(insert).run(name, Number(breaking));
		}
		connection.exec('COMMIT');
		return missing.map(({ name }) => name);
	} catch (cause) {
		if (connection.inTransaction) connection.exec('ROLLBACK');
		throw cause;
	}
}

/** Throws if a newer version has applied any migration: this version may not know everything in the database. */
export function assertNotNewerSqlite(connection: Connection): void {
	assertNotNewer(FOLDER, appliedMigrations(connection));
}

/** Watches for migrations by newer versions. Each `look` reads the database. */
export function watchSqliteSchema(connection: Connection): Omit<SchemaWatch, 'look'> & { look(): void } {
	const watch = watchSchema(FOLDER);
	return { ...watch, look: () => watch.look(appliedMigrations(connection)) };
}

/** Checked first, so that the usual start of a process needs no lock. */
function isUpToDate(connection: Connection, mayMigrate: boolean): boolean {
	return hasMigrations(connection) && missingMigrations(FOLDER, appliedMigrations(connection), mayMigrate).length === 0;
}

export function hasMigrations(connection: Connection): boolean {
	return (
		connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'").get() !== undefined
	);
}

export function appliedMigrations(connection: Connection): AppliedMigration[] {
	const rows = connection.prepare('SELECT name, breaking FROM migrations ORDER BY name').raw().all() as [
		string,
		number,
	][];
	return rows.map(([name, breaking]) => ({ name, breaking: breaking !== 0 }));
}

/** Several processes may start at once. Each waits until the previous one has migrated. */
async function beginWhenFree(connection: Connection): Promise<void> {
	const giveUpAtMs = performance.now() + 30_000;
	const waitMs = connection.pragma('busy_timeout', { simple: true });
	// SQLite's own wait would block this thread, and the connection that is migrating may be on it.
	connection.pragma('busy_timeout = 0');
	try {
		for (;;) {
			try {
				connection.exec('BEGIN IMMEDIATE');
				return;
			} catch (cause) {
				if (!isBusy(cause) || performance.now() > giveUpAtMs) throw cause;
				await setTimeout(10);
			}
		}
	} finally {
		connection.pragma(`busy_timeout = ${waitMs}`);
	}
}
