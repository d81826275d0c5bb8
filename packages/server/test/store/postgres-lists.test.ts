import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { inDatabase } from '@bursar/testing/postgres-books';
import { testDatabases } from '@bursar/testing/postgres-server';
import { parseDatabaseUrl } from '../../src/store/database-url.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { LIST_SUB_USERS } from '../../src/store/tables/accounts/reads.ts';

const databases = await testDatabases();
after(() => databases.remove());

test('a page of a list reads only its rows, also if the table was never analysed', async () => {
	const url = await databases.createDatabase();
	await (await openPostgresStore(parseDatabaseUrl(url), new Uint8Array(32))).close();
	// The rows are not committed, so the server does not analyse them meanwhile.
	const plan = await inDatabase(url, async (database) => {
		await database.query('BEGIN; SET LOCAL search_path = bursar');
		await database.query(
			`INSERT INTO accounts (reseller, username, balance_cents, sealed_auth_key, created_at_ms)
			 SELECT 'acme', 'user' || number, 0, repeat('x', 80), 1 FROM generate_series(1, 50000) AS number`,
		);
		const { rows } = await database.query(`EXPLAIN ${LIST_SUB_USERS}`, ['acme', 'user2', 100]);
		return rows.map((row) => row['QUERY PLAN']).join('\n');
	});
	assert.match(plan, /Index Scan using accounts_pkey/);
	assert.doesNotMatch(plan, /Sort/);
});
