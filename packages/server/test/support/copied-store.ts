import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { inDatabase } from '@bursar/testing/postgres-books';
import { inStore } from '@bursar/testing/sqlite-books';

/** What a service needs that goes on with the store of this folder, copied into that database. */
export function onPostgres(dataDir: string, url: string): Readonly<Record<string, string>> {
	return { BURSAR_DATABASE_URL: url, BURSAR_MASTER_KEY_FILE: join(dataDir, 'master.key') };
}

/** What the store says of having been moved; nothing where it was not. */
export function markOf(dataDir: string): Readonly<Record<string, string>> {
	return inStore(dataDir, (store) =>
		Object.fromEntries(store.prepare("SELECT name, value FROM meta WHERE name LIKE 'moved%'").raw().all() as []),
	);
}

/** How many rows the copy has; `undefined` where its tables are not even there. */
export async function rowsIn(url: string): Promise<number | undefined> {
	return inDatabase(url, async (database) => {
		const { rows } = await database.query("SELECT to_regclass('bursar.usage_days') IS NOT NULL AS migrated");
		if (!rows[0].migrated) return undefined;
		const tables = [
			'usernames',
			'accounts',
			'transfers',
			'top_ups',
			'tokens',
			'usage_reports',
			'usage_days',
			'usage_reseller_days',
		];
		const counts = tables.map((table) => `(SELECT count(*) FROM bursar.${table})`);
		return (await database.query(`SELECT ${counts.join(' + ')} AS sum`)).rows[0].sum;
	});
}

/** Waits until no process of ours has a connection to it any more. */
export async function nobodyIsConnected(url: string): Promise<void> {
	await inDatabase(url, async (database) => {
		const others = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'bursar'";
		while ((await database.query(others)).rowCount !== 0) await setTimeout(20);
	});
}
