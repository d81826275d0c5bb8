import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { testDatabases } from '@bursar/testing/postgres-server';
import { startTestService } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { ANN, CODES_SECRET, LINK_SECRET } from '../support/people-rows.ts';
import { makeSealedStore, SUB_USERS } from '../support/sealed-store.ts';

const databases = await testDatabases();
after(() => databases.remove());

test('on SQLite, all secrets are sealed again, and the new master key is stored beside the old one', async (t) => {
	const { folder, key, keysOf, codesUnder, linkUnder, change } = await makeSealedStore(t, {});
	const before = await keysOf();
	assert.equal(before.length, SUB_USERS + 1);
	const oldKey = readFileSync(join(folder, 'master.key'), 'utf8');

	const { code, stdout, stderr } = await change();
	assert.equal(code, 0, stderr);
	assert.deepEqual(JSON.parse(stdout), { sealed: before.length + 4, changed: true });
	assert.deepEqual([await codesUnder(key), await linkUnder(key)], [CODES_SECRET, LINK_SECRET]);
	await assert.rejects(codesUnder(oldKey), /another master key/);
	assert.equal(readFileSync(join(folder, 'master.key'), 'utf8').trim(), key);
	const [kept] = readdirSync(folder).filter((name) => name.startsWith('master.key.until-'));
	assert.equal(readFileSync(join(folder, kept as string), 'utf8'), oldKey);
	assert.deepEqual(await keysOf(), before);

	// The state after a kill between the database and the file.
	writeFileSync(join(folder, 'master.key'), oldKey, { mode: 0o600 });
	assert.equal((await callBursar(folder, ['ledger', 'verify'])).code, 1);
	assert.deepEqual(JSON.parse((await change()).stdout), { sealed: 0, changed: false });
	assert.deepEqual(await keysOf(), before);
});

test('on PostgreSQL, all secrets are sealed again, and then only the new master key opens the store', async (t) => {
	const url = await databases.createDatabase();
	const oldKey = randomBytes(32).toString('base64');
	const environment = { BURSAR_DATABASE_URL: url, BURSAR_MASTER_KEY: oldKey };
	const { folder, key, keysOf, codesUnder, linkUnder, change } = await makeSealedStore(t, environment);
	const before = await keysOf();
	const { code, stdout, stderr } = await change();
	assert.equal(code, 0, stderr);
	assert.deepEqual(JSON.parse(stdout), { sealed: before.length + 4, changed: true });
	assert.deepEqual([await codesUnder(key), await linkUnder(key)], [CODES_SECRET, LINK_SECRET]);
	await assert.rejects(codesUnder(oldKey), /another master key/);
	const refused = await callBursar(folder, ['ledger', 'verify'], { environment });
	assert.equal(refused.code, 1);
	assert.match(refused.stderr, /not the master key/);
	assert.deepEqual(await keysOf({ ...environment, BURSAR_MASTER_KEY: key }), before);
	assert.deepEqual(JSON.parse((await change()).stdout), { sealed: 0, changed: false });
});

test('on the embedded engine, every command refuses a wrong master key, and changes nothing', async (t) => {
	const dataDir = temporaryFolder(t);
	const run = (command: string, environment = {}) =>
		callBursar(dataDir, [...command.split(' '), '--json'], { environment });
	assert.equal((await run('reseller create acme --balance 0.05')).code, 0);
	const wrong = { BURSAR_MASTER_KEY: randomBytes(32).toString('base64') };
	for (const command of [
		'reseller create beta',
		'reseller list',
		'ledger verify',
		`backup ${join(dataDir, 'backup')}`,
	]) {
		const { code, stdout, stderr } = await run(command, wrong);
		assert.deepEqual({ code, stdout }, { code: 1, stdout: '' }, command);
		const message = 'this is not the master key of the store: proxy auth keys in it were sealed under another one';
		assert.deepEqual(JSON.parse(stderr).error, { code: 'failed', message }, command);
	}
	assert.deepEqual(readdirSync(dataDir).sort(), ['bursar.db', 'master.key']);
	const listed = await run('reseller list');
	assert.deepEqual(
		JSON.parse(listed.stdout).resellers.map(({ username, balance_cents }: Record<string, unknown>) => [
			username,
			balance_cents,
		]),
		[['acme', 5]],
	);
});

test('beside a running service, with a wrong present key, or with an invalid new key, nothing is changed', async (t) => {
	for (const environment of [
		{},
		{ BURSAR_DATABASE_URL: await databases.createDatabase(), BURSAR_MASTER_KEY: randomBytes(32).toString('base64') },
	] as Record<string, string>[]) {
		const { folder, token, keyFile, change } = await makeSealedStore(t, environment);
		const server = await startTestService(t, { BURSAR_DATA_DIR: folder, ...environment });
		const beside = await change();
		assert.equal(beside.code, 1);
		assert.match(beside.stderr, /stop it first/);
		assert.equal((await resellerApi(server.url, token).create({ username: 'alice' })).status, 200);
		assert.equal((await resellerApi(server.url, token).viewSingle({ username: 'alice' })).status, 200);
		await server.stop();

		const wrong = await change(keyFile, { ...environment, BURSAR_MASTER_KEY: randomBytes(32).toString('base64') });
		assert.equal(wrong.code, 1);
		assert.match(wrong.stderr, /not the master key of the store/);
		writeFileSync(keyFile, 'too short', { mode: 0o600 });
		const invalid = await change();
		assert.equal(invalid.code, 1);
		assert.equal(JSON.parse(invalid.stderr).error.code, 'invalid_master_key');
		assert.doesNotMatch(invalid.stderr, /too short/);
		assert.equal((await callBursar(folder, ['ledger', 'verify'], { environment })).code, 0);
	}
});

test('if one secret cannot be opened, nothing is sealed again', async (t) => {
	for (const environment of [
		{},
		{ BURSAR_DATABASE_URL: await databases.createDatabase(), BURSAR_MASTER_KEY: randomBytes(32).toString('base64') },
	] as Record<string, string>[]) {
		const { presentKey, keysOf, codesUnder, query, change } = await makeSealedStore(t, environment);
		const before = await keysOf();
		// The last table that is sealed again.
		await query("UPDATE bursar.one_time_codes SET person = 'olga-id'");
		const { code, stdout, stderr } = await change();
		assert.equal(code, 1, stdout);
		assert.ok(!stderr.includes(CODES_SECRET));
		await query(`UPDATE bursar.one_time_codes SET person = '${ANN}'`);
		assert.equal(await codesUnder(presentKey), CODES_SECRET);
		assert.deepEqual(await keysOf(), before);
	}
});
