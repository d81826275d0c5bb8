import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { inDatabase } from '@bursar/testing/postgres-books';
import { inStore } from '@bursar/testing/sqlite-books';
import type { Ending } from '@bursar/testing/test-process';

/** The settings of a service on the database that this folder's store was copied into. */
export function onPostgres(dataDir: string, url: string): Readonly<Record<string, string>> {
	return { BURSAR_DATABASE_URL: url, BURSAR_MASTER_KEY_FILE: join(dataDir, 'master.key') };
}

/** What the store records about its move; empty if it was not moved. */
export function moveRecord(dataDir: string): Readonly<Record<string, string>> {
	return inStore(dataDir, (store) =>
		Object.fromEntries(store.prepare("SELECT name, value FROM meta WHERE name LIKE 'moved%'").raw().all() as []),
	);
}

/** How many rows the tables of the copy have; `undefined` if there are no tables. */
export async function rowsIn(url: string): Promise<number | undefined> {
	return inDatabase(url, async (database) => {
		const { rows } = await database.query("SELECT to_regclass('bursar.acts') IS NOT NULL AS migrated");
		if (!rows[0].migrated) return undefined;
		const { rows: tables } = await database.query<{ name: string }>(
			"SELECT tablename AS name FROM pg_tables WHERE schemaname = 'bursar' AND tablename NOT IN ('meta', 'migrations', 'commit_marks')",
		);
		const counts = tables.map(({ name }) => `(SELECT count(*) FROM bursar.${name})`);
		return (await database.query(`SELECT ${counts.join(' + ')} AS sum`)).rows[0].sum;
	});
}

/** Waits until no Bursar process is connected to the database. */
export async function allDisconnected(url: string): Promise<void> {
	await inDatabase(url, async (database) => {
		const others = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'bursar'";
		while ((await database.query(others)).rowCount !== 0) await setTimeout(20);
	});
}

/** The arguments that copy a store. */
export const copyOf = (dataDir: string) => ['store', 'copy', '--from', dataDir, '--json'];

/** Copies a store into a database. */
export function copy(dataDir: string, to: string, environment: Readonly<Record<string, string>> = {}) {
	return callBursar('/nowhere', copyOf(dataDir), { environment: { BURSAR_DATABASE_URL: to, ...environment } });
}

/** The copy failed with this code. Returns its message. */
export function assertRefused({ code, stdout, stderr }: Ending, errorCode: string): string {
	assert.equal(code, 1, stdout);
	assert.equal(stdout, '');
	const { error } = JSON.parse(stderr);
	assert.equal(error.code, errorCode, error.message);
	return error.message;
}
