import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, type TestContext, test } from 'node:test';
import { runBursar } from '@bursar/testing/bursar-process';
import { inDatabase } from '@bursar/testing/postgres-books';
import { startPostgres } from '@bursar/testing/postgres-server';
import { parseDatabaseUrl } from '../../src/store/database-url.ts';
import { openPostgresTarget } from '../../src/store/postgres/database/copy-target.ts';
import { openPostgresTexts } from '../../src/store/postgres/database/sealed-texts.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { changeMasterKey } from '../../src/store/secrets/master-key-change.ts';
import { createReseller, createSubUser, giveBalance } from '../support/commands.ts';
import { filledStore } from '../support/filled-store.ts';
import { ownedDatabase, runSql } from '../support/owned-database.ts';
import { unusualDatabase } from '../support/unusual-database.ts';
import { balanceOf, runAll } from './suite/engine.ts';

const server = await startPostgres();
after(() => server.remove());

const KEY = randomBytes(32);

async function open(t: TestContext, url: string) {
	const store = await openPostgresStore(parseDatabaseUrl(url), KEY);
	let closing: Promise<void> | undefined;
	const close = () => {
		closing ??= store.close();
		return closing;
	};
	t.after(close);
	return { ...store, close };
}

for (const encoding of ['SQL_ASCII', 'LATIN1']) {
	test(`a database in ${encoding} is refused, the error says what to do, and the database stays empty`, async () => {
		const url = new URL(server.url(`in_${encoding.toLowerCase()}`));
		await runSql(
			server.url(),
			`CREATE DATABASE ${url.pathname.slice(1)} ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`,
		);
		const message = new RegExp(`encoding of the database is ${encoding}.*ENCODING 'UTF8'`);
		await assert.rejects(openPostgresStore(parseDatabaseUrl(url.href), KEY), message);
		await assert.rejects(openPostgresTarget(parseDatabaseUrl(url.href)), message);
		const { rows } = await inDatabase(url.href, (database) =>
			database.query("SELECT FROM pg_namespace WHERE nspname = 'bursar'"),
		);
		assert.equal(rows.length, 0);
	});
}

test('a role that may not create a schema can use one that was created for it', async (t) => {
	const { url, superuserUrl, role } = await ownedDatabase(server);
	const name = new URL(url).pathname.slice(1);
	await runSql(superuserUrl, `ALTER DATABASE ${name} OWNER TO postgres`);
	await assert.rejects(openPostgresStore(parseDatabaseUrl(url), KEY), /permission denied for database/);
	await runSql(superuserUrl, `CREATE SCHEMA bursar AUTHORIZATION ${role}`);
	const store = await open(t, url);
	await runAll(store, [createReseller('acme', 100), createSubUser('acme', 'alice')]);
});

test('a changed search path leads to the same store', async (t) => {
	const { url, superuserUrl, role } = await ownedDatabase(server);
	const store = await open(t, url);
	await runAll(store, [createReseller('acme', 100)]);
	await store.close();
	await runSql(url, 'CREATE SCHEMA elsewhere');
	for (const target of [`ROLE ${role}`, `DATABASE ${new URL(url).pathname.slice(1)}`]) {
		await runSql(superuserUrl, `ALTER ${target} SET search_path = elsewhere`);
		const again = await open(t, url);
		assert.equal(await balanceOf(again, 'acme', 'acme'), 100);
		await again.close();
	}
	const { rows } = await inDatabase(superuserUrl, (database) =>
		database.query("SELECT DISTINCT schemaname FROM pg_tables WHERE schemaname !~ '^(pg_|information_schema)'"),
	);
	assert.deepEqual(rows, [{ schemaname: 'bursar' }]);
});

test('a change of the master key and a copy mean the same, whatever the settings of the role are', async (t) => {
	const database = await unusualDatabase(server);
	const { dataDir } = await filledStore(t);
	const environment = { BURSAR_DATABASE_URL: database.url };
	const { code, stderr } = await runBursar(t, '/nowhere', ['store', 'copy', '--from', dataDir], { environment });
	assert.equal(code, 0, stderr);

	const other = await unusualDatabase(server);
	const store = await open(t, other.url);
	await runAll(store, [
		createReseller('acme', 1_000),
		createSubUser('acme', 'alice'),
		giveBalance('acme', 'alice', 100),
	]);
	await store.close();
	const act = { id: 'a', kind: 'change_master_key', target: '', requestId: 'r', systemUser: 'root' };
	const work = { act, onProgress() {} };
	const texts = await openPostgresTexts(parseDatabaseUrl(other.url), KEY);
	assert.equal((await changeMasterKey(texts, randomBytes(32), work)).secrets, 2);
});
