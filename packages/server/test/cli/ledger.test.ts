import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { openReseller } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import Database from 'better-sqlite3';
import { readConfig } from '../../src/config.ts';

test('ledger verify exits 0 on a sound ledger; after a changed balance it exits 1 and names the account', async (t) => {
	const dataDir = temporaryFolder(t);
	const config = readConfig({ BURSAR_DATA_DIR: dataDir });
	await openReseller(config, 'acme', 500);
	await openReseller(config, 'umbrella', 700);
	const healthy = await callBursar(dataDir, ['ledger', 'verify', '--json']);
	assert.equal(healthy.code, 0);
	assert.equal(healthy.stderr, '');
	assert.deepEqual(JSON.parse(healthy.stdout), { ok: true, accounts: 2, transfers: 2, problems: [], noted: true });

	const database = new Database(join(dataDir, 'bursar.db'));
	database.exec("UPDATE accounts SET balance_cents = 501 WHERE username = 'acme'");
	database.close();
	const plain = await callBursar(dataDir, ['ledger', 'verify']);
	assert.equal(plain.code, 1);
	assert.match(plain.stdout, /^acme: the balance is not the sum of its ledger entries$/m);
	assert.doesNotMatch(plain.stdout, /umbrella/);
	const json = await callBursar(dataDir, ['ledger', 'verify', '--json']);
	assert.equal(json.code, 1);
	const { ok, problems } = JSON.parse(json.stdout);
	assert.equal(ok, false);
	assert.ok(problems.some(({ name }: { name: string }) => name === 'acme'));
	assert.equal(JSON.parse(json.stderr).error.code, 'ledger_problems');
	assert.deepEqual(
		verifications(dataDir).map(({ result }) => result.problems > 0),
		[false, true, true],
	);
});

test('ledger verify records its run and the first hundred problems, without growing', async (t) => {
	const dataDir = temporaryFolder(t);
	await openReseller(readConfig({ BURSAR_DATA_DIR: dataDir }), 'acme', 500);
	const database = new Database(join(dataDir, 'bursar.db'));
	database.exec(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 130)
		INSERT INTO usernames SELECT 'lost' || n, 'acme' FROM numbers`);
	database.close();
	assert.equal((await callBursar(dataDir, ['ledger', 'verify'])).code, 1);
	const [noted, ...others] = verifications(dataDir);
	assert.deepEqual(others, []);
	assert.equal(noted?.by, 'operator');
	assert.equal(noted.ended, 1);
	const { first_problems, ...counts } = noted.result;
	assert.deepEqual(counts, { accounts: 1, transfers: 1, problems: 130 });
	assert.equal(first_problems.length, 100);
	assert.match(first_problems[0]?.name ?? '', /^lost/);
});

test('ledger verify also works while the store cannot be written, and says that it was not noted', async (t) => {
	const dataDir = temporaryFolder(t);
	await openReseller(readConfig({ BURSAR_DATA_DIR: dataDir }), 'acme', 500);
	const database = new Database(join(dataDir, 'bursar.db'));
	t.after(() => database.close());
	database.exec('BEGIN IMMEDIATE');
	const plain = await callBursar(dataDir, ['ledger', 'verify']);
	assert.equal(plain.code, 0, plain.stderr);
	assert.match(plain.stderr, /could not be noted/);
	const json = await callBursar(dataDir, ['ledger', 'verify', '--json']);
	assert.equal(JSON.parse(json.stdout).noted, false);
	database.exec('ROLLBACK');
	assert.deepEqual(verifications(dataDir), []);
});

interface Noted {
	readonly by: string;
	readonly ended: number;
	readonly result: {
		readonly problems: number;
		readonly first_problems: readonly { readonly name: string }[];
	};
}

/** The verifications that the store keeps, the oldest first. */
function verifications(dataDir: string): Noted[] {
	const database = new Database(join(dataDir, 'bursar.db'), { readonly: true });
	const sql = `SELECT started_by AS "by", ended_at_ms IS NOT NULL AS ended, result FROM verifications
		ORDER BY started_at_ms`;
	const rows = database.prepare<[], Omit<Noted, 'result'> & { result: string }>(sql).all();
	database.close();
	return rows.map((row) => ({ ...row, result: JSON.parse(row.result) as Noted['result'] }));
}
