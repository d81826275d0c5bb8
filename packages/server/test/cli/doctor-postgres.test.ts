import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { after, describe, type TestContext, test } from 'node:test';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { startServer } from '@bursar/testing/bursar-process';
import { listen } from '@bursar/testing/listen';
import { inDatabase } from '@bursar/testing/postgres-books';
import { startPostgres } from '@bursar/testing/postgres-server';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { parseDatabaseUrl } from '../../src/store/database-url.ts';
import { tlsFinding } from '../../src/store/postgres/database/examination.ts';
import { assertFound, CLOSED_OPS, examine, findings, LIMIT_MS } from '../support/doctor.ts';
import { ownedDatabase, runSql } from '../support/owned-database.ts';

const server = await startPostgres();
after(() => server.remove());

const KEY = { BURSAR_MASTER_KEY: randomBytes(32).toString('base64') };
const SECRET = 'planted-password';

const look = (t: TestContext, url: string, environment: Readonly<Record<string, string>> = {}) =>
	findings(temporaryFolder(t), { ...KEY, ...CLOSED_OPS, BURSAR_DATABASE_URL: url, ...environment });

/** The rows that a service does not write by itself. */
function booksIn(url: string): Promise<unknown> {
	return inDatabase(url, async (database) => {
		const tables = ['migrations', 'accounts', 'transfers', 'acts'];
		const found = await Promise.all(tables.map((table) => database.query(`SELECT * FROM bursar.${table}`)));
		return found.map(({ rows }) => rows);
	});
}

describe('bursar doctor on PostgreSQL', () => {
	test('it finds no problem with a healthy service, changes nothing, and shows no password', async (t) => {
		const { url } = await ownedDatabase(server, SECRET);
		const environment = { ...KEY, BURSAR_DATABASE_URL: url, BURSAR_DASHBOARD: '1' };
		const running = await startServer(t, temporaryFolder(t), { environment });
		const before = await booksIn(url);
		const opsPort = new URL(running.opsUrl).port;
		const settings = { ...environment, BURSAR_OPS_PORT: opsPort, BURSAR_PUBLIC_URL: running.url };
		const { code, problems, lines, output } = await examine(t, temporaryFolder(t), settings);
		assert.deepEqual([code, problems], [0, []], output);
		assertFound(
			lines,
			/^clock ok: .*the database server/,
			/^store ok: The database answers, and is the primary/,
			/^store ok: The role owner_\w+ has the rights that it needs/,
			/^store ok: The database takes \d+ connections; a process opens up to 27/,
			/^store ok: The tables of the store are those of this version/,
			/^master_key ok/,
			/^service ok/,
			/^public_url ok: .*leads to a service of this store/,
			/^forwarding ok: The service is reached without a proxy, and sees this machine as 127\.0\.0\.1/,
		);
		assert.deepEqual(await booksIn(url), before);
		assert.ok(!output.includes(SECRET) && !output.includes(KEY.BURSAR_MASTER_KEY));
	});

	test('an empty database stays empty, and a superuser gets a warning', async (t) => {
		const url = await server.createDatabase();
		const { lines, problems } = await look(t, url);
		assert.deepEqual(problems, []);
		assertFound(
			lines,
			/^store warning: The database has no tables/,
			/^store warning: The role postgres is a superuser/,
		);
		const { rows } = await inDatabase(url, (database) =>
			database.query("SELECT FROM pg_namespace WHERE nspname = 'bursar'"),
		);
		assert.equal(rows.length, 0);
	});

	test('another master key, an older and a newer store are told, and nothing is migrated', async (t) => {
		const { url } = await ownedDatabase(server, SECRET);
		const environment = { ...KEY, BURSAR_DATABASE_URL: url };
		assert.equal((await callBursar(temporaryFolder(t), ['migrate'], { environment })).code, 0);
		const otherKey = { BURSAR_MASTER_KEY: randomBytes(32).toString('base64') };
		assertFound((await look(t, url, otherKey)).problems, /^master_key problem: This is not the master key/);
		await runSql(url, "INSERT INTO bursar.migrations VALUES ('9999_later.sql', now(), true)");
		assertFound((await look(t, url)).problems, /^store problem: A newer version .*9999_later/);
		await runSql(
			url,
			'DELETE FROM bursar.migrations WHERE name IN (SELECT name FROM bursar.migrations ORDER BY name DESC LIMIT 2)',
		);
		const count = async () =>
			(await inDatabase(url, (database) => database.query('SELECT count(*)::int FROM bursar.migrations'))).rows;
		const before = await count();
		assertFound((await look(t, url)).lines, /^store warning: The store is older than this version/);
		assert.deepEqual(await count(), before);
	});

	test('a role without rights is a problem', async (t) => {
		const { url, superuserUrl, name } = await ownedDatabase(server, SECRET);
		await runSql(superuserUrl, `ALTER DATABASE ${name} OWNER TO postgres`);
		assertFound((await look(t, url)).problems, /^store problem: The role owner_\w+ may not create the schema bursar/);
		await runSql(superuserUrl, 'CREATE SCHEMA bursar');
		assertFound((await look(t, url)).problems, /^store problem: The schema bursar belongs to the role postgres/);
	});

	test('rights that the role lacks, and roles that could change what its statements do, are problems', async (t) => {
		const { url, superuserUrl } = await ownedDatabase(server, SECRET);
		const environment = { ...KEY, BURSAR_DATABASE_URL: url };
		assert.equal((await callBursar(temporaryFolder(t), ['migrate'], { environment })).code, 0);
		const role = new URL(url).username;
		const eve = `eve_of_${role}`;
		await runSql(
			superuserUrl,
			`REVOKE INSERT, DELETE ON bursar.accounts FROM ${role}`,
			`REVOKE EXECUTE ON FUNCTION bursar.find_dues FROM PUBLIC, ${role}`,
			`CREATE ROLE ${eve}`,
			`GRANT CREATE ON SCHEMA bursar TO PUBLIC, ${eve}`,
			`GRANT TRIGGER ON bursar.accounts TO ${eve}`,
			`SET ROLE ${eve}`,
			'CREATE DOMAIN bursar.trap AS text',
		);
		const { problems, lines } = await look(t, url);
		assertFound(
			problems,
			/lacks rights.*: INSERT ON bursar\.accounts, DELETE ON bursar\.accounts, EXECUTE ON FUNCTION bursar\.find_dues\.$/,
			new RegExp(`may create functions and operators.*: PUBLIC, ${eve}\\.$`),
			new RegExp(`may put triggers.*: ${eve}\\.$`),
			new RegExp(`belong to other roles: ${eve}\\.$`),
		);
		assert.equal(problems.length, 4);
		assertFound(lines, /^master_key ok/);

		await runSql(superuserUrl, `REVOKE SELECT ON bursar.meta FROM ${role}`);
		const blind = await look(t, url);
		assertFound(blind.problems, /lacks rights.*: .*SELECT ON bursar\.meta/);
		assertFound(blind.lines, /^master_key skipped: The tables cannot be read/);
	});

	test('fsync and full_page_writes that are off, and a standby that is away, are problems', async (t) => {
		const { url } = await ownedDatabase(server, SECRET);
		await server.set({ fsync: 'off', full_page_writes: 'off', synchronous_standby_names: 'standby1' });
		try {
			const { problems } = await look(t, url);
			assertFound(
				problems,
				/^store problem: fsync is off/,
				/full_page_writes is off/,
				/standby is set .*none is connected/,
			);
		} finally {
			await server.set({ fsync: 'on', full_page_writes: 'on', synchronous_standby_names: '' });
		}
	});

	test('a database in another encoding is a problem', async (t) => {
		await runSql(server.url(), "CREATE DATABASE in_latin1 ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
		assertFound((await look(t, server.url('in_latin1'))).problems, /^store problem: The encoding .* is LATIN1/);
	});

	test('a server with few connections gets a warning', async (t) => {
		const small = await startPostgres({ settings: { max_connections: '40' } });
		t.after(() => small.remove());
		const { lines, problems } = await look(t, small.url());
		assert.deepEqual(problems, []);
		assertFound(lines, /^store warning: The database takes 37 connections/);
	});

	test('a wrong password, a database that is away, and one that never answers end in time, without the secret', async (t) => {
		const { url } = await ownedDatabase(server, SECRET);
		const wrong = new URL(url);
		wrong.password = `other-${SECRET}`;
		const silent = await listen(t, createServer());
		const tell = async (target: string, reason: RegExp) => {
			const environment = { ...KEY, ...CLOSED_OPS, BURSAR_DATABASE_URL: target };
			const { code, problems, output, durationMs } = await examine(t, temporaryFolder(t), environment);
			assert.equal(code, 1);
			const [problem = ''] = problems.filter((line) => line.startsWith('store'));
			assert.match(problem, /^store problem: The database .* cannot be used: /);
			assert.match(problem, reason);
			assert.ok(!output.includes(SECRET), output);
			assert.ok(durationMs < LIMIT_MS, `${durationMs} ms`);
		};
		const silentUrl = `postgres://bursar:${SECRET}@127.0.0.1:${silent.port}/bursar`;
		await Promise.all([tell(wrong.href, /password authentication failed/), tell(silentUrl, /127\.0\.0\.1/)]);
		for (const [host, reason] of [
			['127.0.0.1:1', /ECONNREFUSED/],
			['bursar.invalid', /bursar\.invalid/],
		] as const) {
			const { problems } = await look(t, `postgres://bursar:${SECRET}@${host}/bursar`);
			assertFound(problems, /^store problem: The database .* cannot be used: /, reason);
		}
	});

	test('a connection to another machine without TLS gets a warning', () => {
		const stateOf = (url: string, mode?: string) => tlsFinding(parseDatabaseUrl(url), mode).state;
		assert.equal(stateOf('postgres://bursar@db.example/bursar'), 'warning');
		assert.equal(stateOf('postgres://bursar@127.0.0.1,db.example/bursar?sslmode=disable'), 'warning');
		assert.equal(stateOf('postgres://bursar@db.example/bursar?sslmode=verify-full'), 'ok');
		assert.equal(stateOf('postgres://bursar@db.example/bursar', 'verify-full'), 'ok');
		assert.equal(stateOf('postgres://bursar@localhost,127.0.0.1,[::1]/bursar'), 'ok');
		assert.equal(stateOf('postgres:///bursar?host=/run/postgresql'), 'ok');
	});
});
