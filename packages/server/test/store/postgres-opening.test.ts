import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { runBursar } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { inDatabase } from '@bursar/testing/postgres-books';
import { startPostgres } from '@bursar/testing/postgres-server';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { parseDatabaseUrl } from '../../src/store/database-url.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { createReseller, createSubUser, giveBalance, keyOf, resetAuthKey } from '../support/commands.ts';
import { endings, run, runAll } from './suite/engine.ts';

const server = await startPostgres();
after(() => server.remove());

const KEY = randomBytes(32);
/** Some tests copy its tables: to migrate each database would take longer. */
const migrated = await server.createDatabase();
await (await openPostgresStore(parseDatabaseUrl(migrated), KEY)).close();

const PROCESSES = process.env.BURSAR_TEST_FAULTS === 'long' ? 10 : 4;

test('processes that start at once on an empty database migrate it once', async (t) => {
	const environment = { BURSAR_DATABASE_URL: await server.createDatabase(), BURSAR_MASTER_KEY: KEY.toString('base64') };
	const folder = temporaryFolder(t);
	const endings = await Promise.all(
		Array.from({ length: PROCESSES }, () => runBursar(t, folder, ['migrate', '--json'], { environment })),
	);
	for (const { code, stderr } of endings) assert.equal(code, 0, stderr);
	const applied = endings
		.map(({ stdout }) => JSON.parse(stdout).applied as string[])
		.filter(({ length }) => length > 0);
	assert.equal(applied.length, 1);
	const { rows } = await inDatabase(environment.BURSAR_DATABASE_URL, (database) =>
		database.query('SELECT name FROM bursar.migrations ORDER BY name'),
	);
	assert.deepEqual(
		rows.map(({ name }) => name),
		applied[0],
	);
});

test('a failed migration leaves nothing in the database', async () => {
	const url = await server.createDatabase();
	await inDatabase(url, (database) => database.query('CREATE SCHEMA bursar; CREATE TABLE bursar.usage_days ()'));
	await assert.rejects(openPostgresStore(parseDatabaseUrl(url), KEY), /usage_days/);
	const { rows } = await inDatabase(url, (database) =>
		database.query("SELECT count(*) AS tables FROM pg_tables WHERE schemaname IN ('public', 'bursar')"),
	);
	assert.deepEqual(rows, [{ tables: 1 }]);
});

test('another master key is refused, and so is a database that has lost its check value; the right key opens the auth keys', async () => {
	const url = await server.createDatabase(migrated);
	const first = await openPostgresStore(parseDatabaseUrl(url), KEY);
	await runAll(first, [createReseller('acme', 100), createSubUser('acme', 'alice')]);
	await first.close();
	await assert.rejects(openPostgresStore(parseDatabaseUrl(url), randomBytes(32)), /not the master key/);
	const again = await openPostgresStore(parseDatabaseUrl(url), KEY);
	assert.equal((await again.findAccount('acme', 'alice'))?.proxyAuthkey, keyOf('alice'));
	await again.close();
	await inDatabase(url, (database) => database.query("DELETE FROM bursar.meta WHERE name = 'master_key_check'"));
	await assert.rejects(openPostgresStore(parseDatabaseUrl(url), KEY), /restore a backup/);
});

test('a server with fsync = off is refused', async () => {
	const url = await server.createDatabase();
	await server.set({ fsync: 'off' });
	try {
		await assert.rejects(openPostgresStore(parseDatabaseUrl(url), KEY), /fsync = off/);
	} finally {
		await server.set({ fsync: 'on' });
	}
});

test('transactions use their own settings, whatever the defaults of the database are', async () => {
	const url = await server.createDatabase();
	const name = new URL(url).pathname.slice(1);
	for (const setting of [
		'synchronous_commit = off',
		"default_transaction_isolation = 'repeatable read'",
		"statement_timeout = '30s'",
		"lock_timeout = '1ms'",
	]) {
		await inDatabase(url, (database) => database.query(`ALTER DATABASE ${name} SET ${setting}`));
	}
	const store = await openPostgresStore(parseDatabaseUrl(url), KEY);
	await inDatabase(url, (database) =>
		database.query(`
			CREATE TABLE public.seen (setting text);
			CREATE FUNCTION public.look() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
				INSERT INTO public.seen SELECT current_setting(name) FROM unnest(ARRAY['synchronous_commit',
					'transaction_isolation', 'statement_timeout', 'lock_timeout']) AS name;
				RETURN NULL;
			END $$;
			CREATE TRIGGER look AFTER INSERT ON bursar.transfers FOR EACH STATEMENT EXECUTE FUNCTION public.look()`),
	);
	await runAll(store, [createReseller('acme', 100)]);
	const { rows } = await inDatabase(url, (database) => database.query('SELECT setting FROM public.seen'));
	assert.deepEqual(
		rows.map(({ setting }) => setting),
		['on', 'read committed', '0', '700ms'],
	);
	await store.close();
});

test('a client that fails to sign in leaves no connection open on the server', async (t) => {
	const url = new URL(await server.createDatabase());
	url.password = '';
	const environment = { BURSAR_DATABASE_URL: url.href, BURSAR_MASTER_KEY: KEY.toString('base64') };
	const { code, stderr } = await runBursar(t, temporaryFolder(t), ['migrate'], { environment });
	assert.equal(code, 1);
	assert.match(stderr, /password/);
	await eventually(async () => {
		const [{ count }] = await inDatabase(server.url(), async (database) => {
			const answer = await database.query(
				"SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'",
			);
			return answer.rows as [{ count: number }];
		});
		assert.equal(count, 1);
	});
});

test('a process with the previous master key seals nothing with it, and stops', async () => {
	const url = await server.createDatabase(migrated);
	const store = await openPostgresStore(parseDatabaseUrl(url), KEY);
	await runAll(store, [createReseller('acme', 100), createSubUser('acme', 'alice')]);
	await inDatabase(url, (database) =>
		database.query("UPDATE bursar.meta SET value = 'another' WHERE name = 'master_key_check'"),
	);
	const commands = [createSubUser('acme', 'bruno'), resetAuthKey('acme', 'alice'), giveBalance('acme', 'alice', 1)];
	assert.deepEqual(endings(await run(store, commands, store.nowMs())), ['rules_failed', 'rules_failed', 'ok']);
	assert.equal((await store.findAccount('acme', 'alice'))?.proxyAuthkey, keyOf('alice'));
	await store.readCredentialsVersion();
	assert.match(String(await store.lost), /master key of the store was changed/);
	await store.close();
});
