import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runBursar } from '@bursar/testing/bursar-process';
import { openReseller } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import Database from 'better-sqlite3';
import { readConfig } from '../../src/config.ts';

test('ledger verify exits 0 on a sound ledger; after a changed balance it exits 1 and names the account', async (t) => {
	const dataDir = temporaryFolder(t);
	const config = readConfig({ BURSAR_DATA_DIR: dataDir });
	await openReseller(config, 'acme', 500);
	await openReseller(config, 'umbrella', 700);
	const healthy = await runBursar(t, dataDir, ['ledger', 'verify', '--json']);
	assert.equal(healthy.code, 0);
	assert.equal(healthy.stderr, '');
	assert.deepEqual(JSON.parse(healthy.stdout), { ok: true, accounts: 2, transfers: 2, problems: [] });

	const database = new Database(join(dataDir, 'bursar.db'));
	database.exec("UPDATE accounts SET balance_cents = 501 WHERE username = 'acme'");
	database.close();
	const plain = await runBursar(t, dataDir, ['ledger', 'verify']);
	assert.equal(plain.code, 1);
	assert.match(plain.stdout, /^acme: the balance is not the sum of its ledger entries$/m);
	assert.doesNotMatch(plain.stdout, /umbrella/);
	const json = await runBursar(t, dataDir, ['ledger', 'verify', '--json']);
	assert.equal(json.code, 1);
	const { ok, problems } = JSON.parse(json.stdout);
	assert.equal(ok, false);
	assert.ok(problems.some(({ name }: { name: string }) => name === 'acme'));
	assert.equal(JSON.parse(json.stderr).error.code, 'ledger_problems');
});
