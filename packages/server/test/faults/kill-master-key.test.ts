import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { assertLedgerInOrder, runBursar, spawnBursar } from '@bursar/testing/bursar-process';
import { printedSeed, randomFrom } from '@bursar/testing/random';
import { openReseller } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import Database from 'better-sqlite3';
import { readConfig } from '../../src/config.ts';
import { createKeySeal } from '../../src/store/secrets/key-seal.ts';

const KILLS = process.env.BURSAR_TEST_FAULTS === 'long' ? 30 : 3;
const ACCOUNTS = 20_000;

/** Adds sub-users with texts that no key opens: the lost key's texts are never opened. */
function addAccounts(file: string): void {
	const database = new Database(file);
	const names = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${ACCOUNTS})`;
	database.exec(`BEGIN;
		INSERT INTO usernames (username, reseller) ${names} SELECT 'user' || n, 'acme' FROM numbers;
		INSERT INTO accounts (reseller, username, balance_cents, sealed_auth_key, created_at_ms)
			${names} SELECT 'acme', 'user' || n, 0, 'lost', 5 FROM numbers;
		COMMIT`);
	database.close();
}

function sealedKeys(file: string): readonly { readonly username: string; readonly sealed: string }[] {
	const database = new Database(file);
	const rows = database.prepare("SELECT username, sealed_auth_key AS sealed FROM accounts WHERE username <> 'acme'");
	const found = rows.all() as { username: string; sealed: string }[];
	database.close();
	return found;
}

test('after kill -9 of the replacement of a lost key, all keys or none are new, and a repeat completes it', async (t) => {
	const dataDir = temporaryFolder(t);
	const [file, keyFile] = [join(dataDir, 'bursar.db'), join(dataDir, 'master.key')];
	const random = randomFrom(printedSeed(t));
	await openReseller(readConfig({ BURSAR_DATA_DIR: dataDir }), 'acme', 700);
	addAccounts(file);
	const endings: string[] = [];
	/** How long a replacement takes, about. */
	let wholeMs = 500;
	for (let kill = 0; kill < KILLS; kill++) {
		rmSync(keyFile);
		const before = sealedKeys(file);
		const replacing = spawnBursar(t, dataDir, ['master-key', 'replace', '--lost', '--yes']);
		while (!existsSync(keyFile)) await setTimeout(1);
		await setTimeout(random.below(Math.ceil(wholeMs)));
		replacing.signal('SIGKILL');
		await replacing.ended;
		const key = readFileSync(keyFile, 'utf8');
		const after = sealedKeys(file);
		const kept = after.filter(({ sealed }, index) => sealed === before[index]?.sealed).length;
		assert.ok(kept === 0 || kept === ACCOUNTS, `${kept} keys were kept`);
		endings.push(kept === 0 ? 'replaced' : 'unchanged');

		const startedAtMs = performance.now();
		const repeated = await runBursar(t, dataDir, ['master-key', 'replace', '--lost', '--yes', '--json']);
		assert.equal(repeated.code, 0, repeated.stderr);
		if (kept === ACCOUNTS) wholeMs = performance.now() - startedAtMs;
		assert.equal(JSON.parse(repeated.stdout).changed, kept === ACCOUNTS);
		assert.equal(readFileSync(keyFile, 'utf8'), key, 'a repeat goes on with the same key');
		const seal = createKeySeal(Buffer.from(key, 'base64'));
		for (const { username, sealed } of sealedKeys(file)) assert.match(seal.openOnce(sealed, username), /^\w{16}$/);
		await assertLedgerInOrder(t, dataDir);
	}
	t.diagnostic(endings.join(', '));
});
