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

/** The scripts before the one about debts, and that one. */
function scripts(engine: 'sqlite' | 'postgres'): readonly [before: readonly string[], debts: string] {
	const folder = migrationsFolder(engine);
	const names = readdirSync(folder).sort();
	const index = names.indexOf('0018_debts.sql');
	const read = (name: string) => readFileSync(join(folder, name), 'utf8');
	return [names.slice(0, index).map(read), read(names[index] as string)];
}

const ACCOUNTS = [
	['acme', 500],
	['alice', 80],
	['bruno', 200],
	['empty', 0],
];
/** Name, price, and what is due in cents: alice owes 110 of 80 cents, bruno 110 of 200, and gone1 was deleted. */
const METERS = [
	['alice', 1, 50],
	['alice', 2, 60],
	['bruno', 1, 110],
	['empty', 1, 7],
	['gone1', 1, 9],
	['acme', 1, 0],
];
const ROWS = [
	...ACCOUNTS.map(
		([name, cents]) => `INSERT INTO accounts (reseller, username, balance_cents, sealed_auth_key, created_at_ms)
			VALUES ('acme', '${name}', ${cents}, 'sealed', 1)`,
	),
	...METERS.map(
		([
			name,
			price,
			cents,
		]) => `INSERT INTO meters (reseller, username, price, micro_usd_per_gb, bytes, cost_cents, cost_rest,
			charged_cents, settled_bytes, due_since_ms) VALUES ('acme', '${name}', ${price}, 1000000, 5000, ${cents} + 3, 1, 3, 1000, 2)`,
	),
];
const QUERIES = {
	balances: 'SELECT username, balance_cents FROM accounts ORDER BY username',
	debts: 'SELECT sum(debt_cents) AS debts, min(debt_line_cents) AS line FROM accounts',
	meters:
		'SELECT username, price, charged_cents, uncollected_cents, settled_bytes FROM meters ORDER BY username, price',
	charges: `SELECT username, price, from_bytes, bytes, charged_cents, uncollected_cents, since_ms FROM usage_charges
		ORDER BY username, price`,
	transfers: 'SELECT debit, credit, amount_cents, kind, debit_balance_cents FROM transfers ORDER BY debit',
};

/** What was not covered before there were debts is settled as uncollected. The others are left alone. */
const EXPECTED = {
	balances: ['acme 500', 'alice 0', 'bruno 200', 'empty 0'],
	debts: ['0 500'],
	meters: [
		...['acme 1 3 0 1000', 'alice 1 53 0 5000', 'alice 2 33 30 5000', 'bruno 1 3 0 1000'],
		...['empty 1 3 7 5000', 'gone1 1 3 9 5000'],
	],
	charges: [
		...['alice 1 1000 4000 50 0 2', 'alice 2 1000 4000 30 30 2', 'empty 1 1000 4000 0 7 2'],
		'gone1 1 1000 4000 0 9 2',
	],
	transfers: ['alice platform:usage 80 usage 0'],
};

function asText(rows: readonly object[]): readonly string[] {
	return rows.map((row) => Object.values(row).join(' '));
}

test('SQLite: the migration about debts leaves what nobody paid before it', () => {
	const [before, debts] = scripts('sqlite');
	const database = new Database(':memory:');
	for (const script of [...before, ...ROWS, debts]) database.exec(script);
	for (const [name, query] of Object.entries(QUERIES)) {
		const rows = database.prepare<[], object>(query).all();
		assert.deepEqual(asText(rows), EXPECTED[name as keyof typeof EXPECTED], name);
	}
	database.close();
});

test('PostgreSQL: the migration about debts leaves what nobody paid before it', async () => {
	const [before, debts] = scripts('postgres');
	await inDatabase(await databases.createDatabase(), async (database) => {
		for (const script of [...before, ...ROWS, debts]) await database.query(script);
		for (const [name, query] of Object.entries(QUERIES)) {
			const { rows } = await database.query<object>(query);
			assert.deepEqual(asText(rows), EXPECTED[name as keyof typeof EXPECTED], name);
		}
	});
});
