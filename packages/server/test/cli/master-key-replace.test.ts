import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { assertLedgerInOrder } from '@bursar/testing/bursar-process';
import { testDatabases } from '@bursar/testing/postgres-server';
import { startTestService } from '@bursar/testing/service';
import { createKeySeal } from '../../src/store/secrets/key-seal.ts';
import { SEALED_COLUMNS } from '../../src/store/secrets/master-key-change.ts';
import { ANN } from '../support/people-rows.ts';
import { makeSealedStore } from '../support/sealed-store.ts';

const databases = await testDatabases();
after(() => databases.remove());

const newKey = () => randomBytes(32).toString('base64');

/** A store whose master key is lost, with the environment of the new key. */
async function makeStoreWithLostKey(t: TestContext, engine: 'SQLite' | 'PostgreSQL') {
	const url = engine === 'SQLite' ? undefined : await databases.createDatabase();
	const environment = url === undefined ? {} : { BURSAR_DATABASE_URL: url, BURSAR_MASTER_KEY: newKey() };
	const store = await makeSealedStore(t, environment);
	const lost = await store.keysOf();
	if (url === undefined) rmSync(join(store.folder, 'master.key'));
	const after: Readonly<Record<string, string>> =
		url === undefined ? {} : { ...environment, BURSAR_MASTER_KEY: newKey() };
	const replace = (more: readonly string[] = ['--yes', '--json'], given: Readonly<Record<string, string>> = after) =>
		callBursar(store.folder, ['master-key', 'replace', '--lost', ...more], { environment: given });
	return { ...store, lost, environment: after, replace };
}

// What the lost key had sealed, what is recorded of it, and the ways in of a person who had no other second factor.
const REPLACED = ['accounts', 'one_time_codes', 'invitations', 'webhook_endpoints', 'meta', 'commit_marks', 'acts'];
const OF_PEOPLE = ['people', 'sessions', 'recovery_codes'];

for (const engine of ['SQLite', 'PostgreSQL'] as const) {
	test(`on ${engine}, a lost key is replaced: new auth keys, no one-time codes, and everything else as it was`, async (t) => {
		const { folder, query, rowsOf, lost, environment, replace, keysOf } = await makeStoreWithLostKey(t, engine);
		const accounts = () =>
			query('SELECT reseller, username, balance_cents, created_at_ms FROM bursar.accounts ORDER BY username');
		const [rows, balances] = [await rowsOf(REPLACED), await accounts()];

		const { code, stdout, stderr } = await replace();
		assert.equal(code, 0, stderr);
		assert.deepEqual(JSON.parse(stdout), {
			replaced: lost.length,
			changed: true,
			people_without_link: [],
		});
		// Ann has a passkey too, so she keeps her password and her sessions.
		assert.deepEqual(await rowsOf(REPLACED), rows);
		assert.deepEqual(await accounts(), balances);
		assert.deepEqual(await query('SELECT * FROM bursar.one_time_codes'), []);
		const [link] = await query('SELECT hash, sealed_secret FROM bursar.invitations');
		assert.deepEqual(link, { hash: 'hash-of-the-link', sealed_secret: null }, 'it still works');
		const webhooks = await query('SELECT off_reason, sealed_previous_secret FROM bursar.webhook_endpoints');
		assert.deepEqual(webhooks, [{ off_reason: 'secret_lost', sealed_previous_secret: null }]);
		const seal = createKeySeal(
			Buffer.from(environment.BURSAR_MASTER_KEY ?? readFileSync(join(folder, 'master.key'), 'utf8'), 'base64'),
		);
		for (const { table, column, key, context } of SEALED_COLUMNS) {
			for (const row of await query(`SELECT ${key.join(', ')}, ${column} FROM bursar.${table}`)) {
				const [sealed = '', ...reversedKey] = Object.values<string>(row as Record<string, string>).reverse();
				// Of webhooks, the previous secret ends.
				if (sealed !== null) seal.openOnce(sealed, context(reversedKey.reverse()));
			}
		}
		const done = await query("SELECT kind FROM bursar.acts WHERE kind LIKE '%master_key' AND os_user IS NOT NULL");
		assert.deepEqual(done, [{ kind: 'replace_master_key' }]);
		await assertLedgerInOrder(t, folder, { environment });

		const keys = await keysOf(environment);
		assert.deepEqual(
			keys.map((line) => line.split(' ')[0]),
			lost.map((line) => line.split(' ')[0]),
		);
		assert.equal(new Set([...keys, ...lost]).size, 2 * lost.length, 'every account has another key');
		assert.ok(keys.every((line) => /^\S+ [0-9A-Za-z]{16}$/.test(line)));

		assert.deepEqual(JSON.parse((await replace()).stdout), { replaced: 0, changed: false, people_without_link: [] });
		const told = await replace(['--yes']);
		assert.match(told.stderr, /already had that master key/);
		assert.doesNotMatch(told.stderr, /new proxy auth key/);
		assert.deepEqual(await keysOf(environment), keys, 'a repeat changes nothing');
	});

	test(`on ${engine}, a person whose only second factor were one-time codes needs a new link`, async (t) => {
		const { folder, query, rowsOf, environment, replace } = await makeStoreWithLostKey(t, engine);
		await query('DELETE FROM bursar.passkeys');
		// It replaces a password, and gives none to a person who has none any more.
		const link = `'${ANN}', 'a hash', 'new_password', 9000000000000`;
		await query(`INSERT INTO bursar.invitations (person, hash, purpose, expires_at_ms) VALUES (${link})`);
		const rows = await rowsOf([...REPLACED, ...OF_PEOPLE]);
		const { code, stdout, stderr } = await replace();
		assert.equal(code, 0, stderr);
		assert.deepEqual(JSON.parse(stdout).people_without_link, ['ann@acme.example']);
		assert.deepEqual(await query(`SELECT password_hash FROM bursar.people WHERE id = '${ANN}'`), [
			{ password_hash: null },
		]);
		for (const table of ['sessions', 'recovery_codes'])
			assert.deepEqual(await query(`SELECT * FROM bursar.${table}`), []);
		assert.deepEqual(await rowsOf([...REPLACED, ...OF_PEOPLE]), rows);
		// As after a crash before the list was printed.
		assert.deepEqual(JSON.parse((await replace()).stdout).people_without_link, ['ann@acme.example']);
		const reset = await callBursar(folder, ['person', 'reset', 'ann@acme.example', '--json'], { environment });
		assert.equal(reset.code, 0, reset.stderr);
		assert.deepEqual(JSON.parse((await replace()).stdout).people_without_link, []);
	});

	test(`on ${engine}, nothing is replaced beside a running service, without consent, or with the key of the store`, async (t) => {
		const url = engine === 'SQLite' ? undefined : await databases.createDatabase();
		const environment = url === undefined ? {} : { BURSAR_DATABASE_URL: url, BURSAR_MASTER_KEY: newKey() };
		const { folder, keysOf } = await makeSealedStore(t, environment);
		const before = await keysOf();
		const replace = (options: readonly string[], given: Readonly<Record<string, string>>) =>
			callBursar(folder, ['master-key', 'replace', ...options, '--json'], { environment: given });
		const other = { ...environment, BURSAR_MASTER_KEY: newKey() };

		const silent = await replace(['--lost'], other);
		assert.deepEqual([silent.code, JSON.parse(silent.stderr).error.code], [2, 'not_confirmed']);
		assert.equal((await replace(['--yes'], other)).code, 2, 'the word is missing');
		const service = await startTestService(t, { BURSAR_DATA_DIR: folder, ...environment });
		const beside = await replace(['--lost', '--yes'], other);
		assert.equal(beside.code, 1);
		assert.match(beside.stderr, /stop it first/);
		await service.stop();
		const needless = await replace(['--lost', '--yes'], environment);
		assert.equal(JSON.parse(needless.stdout).changed, false);
		assert.deepEqual(await keysOf(), before);
	});
}

test('an embedded store whose key is in a file beside it has not lost it', async (t) => {
	const { folder, keysOf } = await makeSealedStore(t, {});
	const before = await keysOf();
	const [file, kept] = [join(folder, 'master.key'), join(folder, 'master.key.until-2026')];
	writeFileSync(join(folder, 'master.key.note'), 'no key');
	const replace = () =>
		callBursar(folder, ['master-key', 'replace', '--lost', '--yes'], {
			environment: { BURSAR_MASTER_KEY: newKey() },
		});
	for (const [from, to] of [
		[file, kept],
		[kept, file],
	] as const) {
		renameSync(from, to);
		const { code, stderr } = await replace();
		assert.equal(code, 1);
		assert.ok(stderr.includes(`it is in ${to}`), stderr);
	}
	assert.deepEqual(await keysOf(), before);
});

test('the embedded store makes its own new key, and a crash before the commit leaves a key that the repeat uses', async (t) => {
	const { folder, query, replace } = await makeStoreWithLostKey(t, 'SQLite');
	const file = join(folder, 'master.key');
	const verify = await callBursar(folder, ['ledger', 'verify']);
	assert.match(verify.stderr, /master-key replace --lost/);
	assert.ok(!existsSync(file), 'no other command makes a key');
	const key = newKey();
	writeFileSync(file, `${key}\n`, { mode: 0o600 });
	const [before] = (await query('SELECT sealed_auth_key FROM bursar.accounts')) as [{ sealed_auth_key: string }];
	const { code, stdout, stderr } = await replace(['--yes']);
	assert.equal(code, 0, stderr);
	assert.ok(!(stdout + stderr).includes(key), 'the key is printed');
	assert.match(stderr, /Keep a copy/);
	assert.equal(readFileSync(file, 'utf8').trim(), key);
	const [after] = (await query('SELECT sealed_auth_key FROM bursar.accounts')) as [{ sealed_auth_key: string }];
	assert.notEqual(before.sealed_auth_key, after.sealed_auth_key);
});
