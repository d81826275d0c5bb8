import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { accountOfAct } from '@bursar/contract/act-details';
import { inDatabase } from '@bursar/testing/postgres-books';
import { testDatabases } from '@bursar/testing/postgres-server';
import Database from 'better-sqlite3';
import { migrationsFolder } from '../../src/installation.ts';

const databases = await testDatabases();
after(() => databases.remove());

/** The scripts before the one about details of acts, that one, and the one that fills its column for older acts. */
function scripts(engine: 'sqlite' | 'postgres'): readonly [before: readonly string[], details: string, older: string] {
	const folder = migrationsFolder(engine);
	const names = readdirSync(folder).sort();
	const index = names.indexOf('0031_act_details.sql');
	const read = (name: string) => readFileSync(join(folder, name), 'utf8');
	return [names.slice(0, index).map(read), read('0031_act_details.sql'), read('0031_acts_of_accounts.sql')];
}

/** Kinds and targets, as older versions wrote them. */
const ACTS = [
	['give_balance', 'alice 150'],
	['give_balance', 'alice'],
	['take_balance', 'bruno 5'],
	['correct_usage', 'carla 2026-11-21'],
	['show_auth_key', 'alice'],
	['show_auth_key', 'alice bruno'],
	...['create_sub_user', 'reset_auth_key', 'suspend_sub_user', 'resume_sub_user', 'set_limits'].map((kind) => [
		kind,
		'dora',
	]),
	...['set_note', 'delete_sub_user'].map((kind) => [kind, 'dora']),
	['set_note', ''],
	['set_price', 'acme 3.50 line 20.00'],
	['invite_person', 'ann@acme.example viewer'],
	['sign_in', 'password'],
] as [string, string][];
const ROWS = ACTS.map(
	([kind, target], index) => `INSERT INTO acts (id, kind, target, request_id, at_ms, reseller)
		VALUES ('a${index}', '${kind}', '${target}', 'r', 1, 'acme')`,
);
const QUERY = 'SELECT username, details FROM acts ORDER BY number';
/** The account of older acts is that of new ones. */
const EXPECTED = ACTS.map(([kind, target]) => ({ username: accountOfAct({ kind, target }), details: null }));

test('SQLite: the acts of older versions are found by the account that they are about', () => {
	const [before, details, older] = scripts('sqlite');
	const database = new Database(':memory:');
	for (const script of [...before, ...ROWS, details, older]) database.exec(script);
	assert.deepEqual(database.prepare<[], object>(QUERY).all(), EXPECTED);
	database.close();
});

test('PostgreSQL: the acts of older versions are found by the account that they are about', async () => {
	const [before, details, older] = scripts('postgres');
	await inDatabase(await databases.createDatabase(), async (database) => {
		for (const script of [...before, ...ROWS, details, older]) await database.query(script);
		assert.deepEqual((await database.query<object>(QUERY)).rows, EXPECTED);
	});
});

test('PostgreSQL: while the accounts of older acts are filled in, acts are read and written', async () => {
	const [before, details, older] = scripts('postgres');
	const url = await databases.createDatabase();
	await inDatabase(url, async (database) => {
		for (const script of [...before, ...ROWS, details, 'BEGIN', older]) await database.query(script);
		await inDatabase(url, async (other) => {
			await other.query("SET lock_timeout = '1s'");
			await other.query((ROWS[0] as string).replace("'a0'", "'b0'"));
			assert.equal((await other.query(QUERY)).rows.length, ROWS.length + 1);
		});
	});
});
