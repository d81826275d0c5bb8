import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { listMigrations, migrate } from '../migrations.ts';
import { isBusy } from './busy.ts';
import type { Connection } from './connection.ts';

const FOLDER = join(import.meta.dirname, 'migrations');

/** Brings the database up to date, in one transaction. Returns the names of the migrations it applied. */
export async function migrateSqlite(connection: Connection): Promise<readonly string[]> {
	if (isUpToDate(connection)) return [];
	await beginWhenFree(connection);
	try {
		connection.exec('CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL) STRICT');
		const applied = await migrate(FOLDER, {
			appliedMigrations: async () => appliedMigrations(connection),
			recordMigration: async (name) => {
				connection.prepare("INSERT INTO migrations VALUES (?, strftime('%Y-%m-%dT%H:%M:%fZ'))").run(name);
			},
			runScript: async (sql) => {
				connection.exec(sql);
			},
		});
		connection.exec('COMMIT');
		return applied;
	} catch (cause) {
		if (connection.inTransaction) connection.exec('ROLLBACK');
		throw cause;
	}
}

/** The common start of a process needs no lock. */
function isUpToDate(connection: Connection): boolean {
	return hasMigrations(connection) && appliedMigrations(connection).join() === listMigrations(FOLDER).join();
}

function hasMigrations(connection: Connection): boolean {
	return (
		connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'").get() !== undefined
	);
}

function appliedMigrations(connection: Connection): string[] {
	return connection.prepare('SELECT name FROM migrations ORDER BY name').pluck().all() as string[];
}

/** Several processes may start at once: each waits until the one before it has migrated. */
async function beginWhenFree(connection: Connection): Promise<void> {
	const giveUpAt = performance.now() + 30_000;
	const waitMs = connection.pragma('busy_timeout', { simple: true });
	// SQLite's own waiting would stop this thread, and whoever is migrating may be on it.
	connection.pragma('busy_timeout = 0');
	try {
		for (;;) {
			try {
				connection.exec('BEGIN IMMEDIATE');
				return;
			} catch (cause) {
				if (!isBusy(cause) || performance.now() > giveUpAt) throw cause;
				await setTimeout(10);
			}
		}
	} finally {
		connection.pragma(`busy_timeout = ${waitMs}`);
	}
}
