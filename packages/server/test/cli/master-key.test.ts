import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { runBursar } from '@bursar/testing/bursar-process';
import { inDatabase } from '@bursar/testing/postgres-books';
import { testDatabases } from '@bursar/testing/postgres-server';
import { startTestService } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import Database from 'better-sqlite3';
import { codesContext } from '../../src/store/people/person-rows.ts';
import { createKeySeal } from '../../src/store/secrets/key-seal.ts';
import { ANN, CODES_SECRET, inserts, peopleRows } from '../support/people-rows.ts';

const databases = await testDatabases();
after(() => databases.remove());

const NAMES = Array.from({ length: 8 }, (_, n) => `user${n}`);

type Statement = ReturnType<typeof inserts>[number];

/**
 * A store with a reseller and its people. `keysOf` adds sub-users and returns all auth keys. `codesUnder` opens the
 * secret of Ann's one-time codes under a master key. No service runs on it.
 */
async function makeStore(t: TestContext, environment: Readonly<Record<string, string>>) {
	const folder = temporaryFolder(t);
	const created = await runBursar(t, folder, ['reseller', 'create', 'acme', '--balance-cents', '9000', '--json'], {
		environment,
	});
	const { token } = JSON.parse(created.stdout);
	const presentKey = environment.BURSAR_MASTER_KEY ?? readFileSync(join(folder, 'master.key'), 'utf8');
	const sealUnder = (base64: string) => createKeySeal(Buffer.from(base64, 'base64'));
	const url = environment.BURSAR_DATABASE_URL;
	const runAll = async (statements: readonly Statement[]): Promise<readonly object[]> =>
		url === undefined ? runOnSqlite(join(folder, 'bursar.db'), statements) : runOnPostgres(url, statements);
	const query = (sql: string) => runAll([{ sql, values: [] }]);
	const engine = url === undefined ? 'SQLite' : 'PostgreSQL';
	await runAll(inserts(peopleRows('acme', sealUnder(presentKey), Date.now()), engine));
	const codesUnder = async (base64: string) => {
		const [row] = (await query('SELECT sealed_secret AS sealed FROM bursar.one_time_codes')) as [{ sealed: string }];
		return sealUnder(base64).openOnce(row.sealed, codesContext(ANN));
	};
	const keysOf = async (more: Readonly<Record<string, string>> = environment) => {
		const service = await startTestService(t, { BURSAR_DATA_DIR: folder, ...more });
		const api = resellerApi(service.url, token);
		for (const username of NAMES) await api.create({ username });
		const all = [(await api.myInfo()).data, ...(await api.viewAll()).data];
		await service.stop();
		return all.map(({ username, proxy_authkey }) => `${username} ${proxy_authkey}`);
	};
	const keyFile = join(folder, 'new.key');
	const key = randomBytes(32).toString('base64');
	writeFileSync(keyFile, `${key}\n`);
	const change = async (file = keyFile, more: Readonly<Record<string, string>> = environment) => {
		const ending = await runBursar(t, folder, ['master-key', 'change', '--to-file', file, '--json'], {
			environment: more,
		});
		assert.ok(!(ending.stdout + ending.stderr).includes(key), 'the key is printed');
		return ending;
	};
	return { folder, token, presentKey, key, keyFile, keysOf, codesUnder, query, change };
}

/** Runs the statements in one transaction, because each commit is written to the disk. Returns the rows of the last one. */
function runOnSqlite(file: string, statements: readonly Statement[]): readonly object[] {
	const database = new Database(file);
	const run = ({ sql, values }: Statement) => {
		const statement = database.prepare<unknown[], object>(sql.replaceAll('bursar.', ''));
		return statement.reader ? statement.all(...values) : [statement.run(...values)];
	};
	const rows = database.transaction(() => statements.map(run))();
	database.close();
	return rows.at(-1) ?? [];
}

/** As on SQLite. */
async function runOnPostgres(url: string, statements: readonly Statement[]): Promise<readonly object[]> {
	return inDatabase(url, async (database) => {
		let rows: readonly object[] = [];
		await database.query('BEGIN');
		for (const { sql, values } of statements) ({ rows } = await database.query(sql, [...values]));
		await database.query('COMMIT');
		return rows;
	});
}

test('on SQLite, all secrets are sealed again, and the new master key is stored beside the old one', async (t) => {
	const { folder, key, keysOf, codesUnder, change } = await makeStore(t, {});
	const before = await keysOf();
	assert.equal(before.length, NAMES.length + 1);
	const oldKey = readFileSync(join(folder, 'master.key'), 'utf8');

	const { code, stdout, stderr } = await change();
	assert.equal(code, 0, stderr);
	assert.deepEqual(JSON.parse(stdout), { sealed: before.length + 1, changed: true });
	assert.equal(await codesUnder(key), CODES_SECRET);
	await assert.rejects(codesUnder(oldKey), /another master key/);
	assert.equal(readFileSync(join(folder, 'master.key'), 'utf8').trim(), key);
	const [kept] = readdirSync(folder).filter((name) => name.startsWith('master.key.until-'));
	assert.equal(readFileSync(join(folder, kept as string), 'utf8'), oldKey);
	assert.deepEqual(await keysOf(), before);

	// The state after a kill between the database and the file.
	writeFileSync(join(folder, 'master.key'), oldKey);
	assert.equal((await runBursar(t, folder, ['ledger', 'verify'])).code, 1);
	assert.deepEqual(JSON.parse((await change()).stdout), { sealed: 0, changed: false });
	assert.deepEqual(await keysOf(), before);
});

test('on PostgreSQL, all secrets are sealed again, and then only the new master key opens the store', async (t) => {
	const url = await databases.createDatabase();
	const oldKey = randomBytes(32).toString('base64');
	const environment = { BURSAR_DATABASE_URL: url, BURSAR_MASTER_KEY: oldKey };
	const { folder, key, keysOf, codesUnder, change } = await makeStore(t, environment);
	const before = await keysOf();
	const { code, stdout, stderr } = await change();
	assert.equal(code, 0, stderr);
	assert.deepEqual(JSON.parse(stdout), { sealed: before.length + 1, changed: true });
	assert.equal(await codesUnder(key), CODES_SECRET);
	await assert.rejects(codesUnder(oldKey), /another master key/);
	const refused = await runBursar(t, folder, ['ledger', 'verify'], { environment });
	assert.equal(refused.code, 1);
	assert.match(refused.stderr, /not the master key/);
	assert.deepEqual(await keysOf({ ...environment, BURSAR_MASTER_KEY: key }), before);
	assert.deepEqual(JSON.parse((await change()).stdout), { sealed: 0, changed: false });
});

test('on the embedded engine, every command refuses a wrong master key, and changes nothing', async (t) => {
	const dataDir = temporaryFolder(t);
	const run = (command: string, environment = {}) =>
		runBursar(t, dataDir, [...command.split(' '), '--json'], { environment });
	assert.equal((await run('reseller create acme --balance-cents 5')).code, 0);
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
		JSON.parse(listed.stdout).resellers.map(({ username, balance }: Record<string, unknown>) => [username, balance]),
		[['acme', 5]],
	);
});

test('beside a running service, with a wrong present key, or with an invalid new key, nothing is changed', async (t) => {
	for (const environment of [
		{},
		{ BURSAR_DATABASE_URL: await databases.createDatabase(), BURSAR_MASTER_KEY: randomBytes(32).toString('base64') },
	] as Record<string, string>[]) {
		const { folder, token, keyFile, change } = await makeStore(t, environment);
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
		writeFileSync(keyFile, 'too short');
		const invalid = await change();
		assert.equal(invalid.code, 1);
		assert.equal(JSON.parse(invalid.stderr).error.code, 'invalid_master_key');
		assert.doesNotMatch(invalid.stderr, /too short/);
		assert.equal((await runBursar(t, folder, ['ledger', 'verify'], { environment })).code, 0);
	}
});

test('if one secret cannot be opened, nothing is sealed again', async (t) => {
	for (const environment of [
		{},
		{ BURSAR_DATABASE_URL: await databases.createDatabase(), BURSAR_MASTER_KEY: randomBytes(32).toString('base64') },
	] as Record<string, string>[]) {
		const { presentKey, keysOf, codesUnder, query, change } = await makeStore(t, environment);
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
