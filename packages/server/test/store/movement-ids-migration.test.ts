import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { inDatabase } from '@bursar/testing/postgres-books';
import { testDatabases } from '@bursar/testing/postgres-server';
import Database from 'better-sqlite3';
import { migrationsFolder } from '../../src/installation.ts';

const databases = await testDatabases();
after(() => databases.remove());

/** The scripts before the one about ids of movements, and that one. */
function scripts(engine: 'sqlite' | 'postgres'): readonly [before: readonly string[], ids: string] {
	const folder = migrationsFolder(engine);
	const names = readdirSync(folder).sort();
	const index = names.indexOf('0024_movement_ids.sql');
	const read = (name: string) => readFileSync(join(folder, name), 'utf8');
	return [names.slice(0, index).map(read), read(names[index] as string)];
}

/** Movements of two resellers in turns, counted over both, and a reseller without any. */
const ROWS = [
	...['acme', 'alice', 'other', 'third'].map(
		(name) => `INSERT INTO accounts (reseller, username, balance_cents, sealed_auth_key, created_at_ms)
			VALUES ('${name === 'alice' ? 'acme' : name}', '${name}', 0, 'sealed', 1)`,
	),
	...['acme', 'other', 'acme', 'acme', 'other'].map(
		(reseller, index) => `INSERT INTO transfers (reseller, debit, credit, amount_cents, kind, at_ms, request_id)
			VALUES ('${reseller}', 'platform:funding', '${reseller}', 1, 'top_up', ${index}, 'request')`,
	),
];
const NEWEST = 'SELECT username, newest_movement FROM accounts ORDER BY username';
const IDS = 'SELECT reseller, id, change_id, reference FROM transfers ORDER BY reseller, id';

function asText(rows: readonly object[]): readonly string[] {
	return rows.map((row) => Object.values(row).join(' '));
}

function assertMigrated(newest: readonly object[], ids: readonly object[]): void {
	assert.deepEqual(asText(newest), ['acme 4', 'alice 0', 'other 5', 'third 0']);
	assert.deepEqual(asText(ids), ['acme 1  ', 'acme 3  ', 'acme 4  ', 'other 2  ', 'other 5  ']);
}

test('SQLite: movements keep their ids, the next ones count on, and no two of a reseller can have one id', () => {
	const [before, ids] = scripts('sqlite');
	const database = new Database(':memory:');
	for (const script of [...before, ...ROWS, ids]) database.exec(script);
	assertMigrated(database.prepare<[], object>(NEWEST).all(), database.prepare<[], object>(IDS).all());
	assert.throws(() => database.exec(ROWS.at(-1) as string), /has a number/, 'an older version does not count');
	const add = database.prepare(
		`INSERT INTO transfers (reseller, counted, debit, credit, amount_cents, kind, at_ms, request_id)
		 VALUES (?, ?, 'platform:funding', 'acme', 1, 'top_up', 1, 'request')`,
	);
	// Once counted over both, and once for each.
	add.run('acme', 5);
	for (const id of [1, 3, 5]) assert.throws(() => add.run('acme', id), /UNIQUE/);
	database.close();
});

test('PostgreSQL: movements keep their ids, the next ones count on, and no two of a reseller can have one id', async () => {
	const [before, ids] = scripts('postgres');
	await inDatabase(await databases.createDatabase(), async (database) => {
		for (const script of [...before, ...ROWS, ids]) await database.query(script);
		assertMigrated((await database.query(NEWEST)).rows, (await database.query(IDS)).rows);
		const add = (reseller: string, id: number | null) =>
			database.query(
				`INSERT INTO transfers (reseller, id, debit, credit, amount_cents, kind, at_ms, request_id)
				 VALUES ($1, $2, 'platform:funding', 'acme', 1, 'top_up', 1, 'request')`,
				[reseller, id],
			);
		await add('acme', 5);
		for (const id of [1, 3, 5]) await assert.rejects(add('acme', id), /unique/);
		await assert.rejects(add('acme', null), /null/, 'nothing else counts');
		for (const name of ['find_resellers', 'write_transfers']) {
			const { rows } = await database.query('SELECT FROM pg_proc WHERE proname = $1', [name]);
			assert.equal(rows.length, 0, `an older version still calls ${name}, and would take other numbers from it`);
		}
	});
});
