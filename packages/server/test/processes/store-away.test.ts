import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFailure, resellerApi } from '@bursar/testing/api';
import { startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { inDatabase } from '@bursar/testing/postgres-books';
import { startPostgres } from '@bursar/testing/postgres-server';
import { openReseller } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { readConfig } from '../../src/config.ts';

const LIMIT_MS = 20_000;

test('the log says when the database is lost, each cause once, and once when it is back', async (t) => {
	const postgres = await startPostgres();
	t.after(() => postgres.remove());
	const environment = {
		BURSAR_DATABASE_URL: await postgres.createDatabase(),
		BURSAR_MASTER_KEY: Buffer.alloc(32).toString('base64'),
	};
	const server = await startServer(t, temporaryFolder(t), { environment });
	const said = (msg: string) => {
		const lines = server.stdout().trim().split('\n');
		return lines.map((line) => JSON.parse(line)).filter((line) => line.msg === msg);
	};
	// In an outage of more than ten seconds, a line without a cause counts failures.
	const causes = () => said('the store cannot be reached').flatMap(({ err }) => (err ? [err.message as string] : []));
	await postgres.stop('immediate');
	await eventually(async () => assert.match(causes().join(), /ECONNREFUSED|ENOENT/), LIMIT_MS);
	assert.equal((await fetch(`${server.opsUrl}/readyz`)).status, 503);
	await postgres.start();
	await eventually(async () => assert.equal(said('the store can be reached again').length, 1), LIMIT_MS);
	assert.equal(new Set(causes()).size, causes().length);
	assert.equal((await fetch(`${server.opsUrl}/readyz`)).status, 200);
});

test('while commits wait for a standby that is away, the service is not ready; then it is ready again by itself', async (t) => {
	const postgres = await startPostgres();
	t.after(() => postgres.remove());
	const url = await postgres.createDatabase();
	const environment = { BURSAR_DATABASE_URL: url, BURSAR_MASTER_KEY: Buffer.alloc(32).toString('base64') };
	const { token } = await openReseller(readConfig(environment), 'acme', 1_000);
	const server = await startServer(t, temporaryFolder(t), { environment });
	const waitFor = (standby: string) =>
		inDatabase(url, async (database) => {
			await database.query(`ALTER SYSTEM SET synchronous_standby_names = '${standby}'`);
			await database.query('SELECT pg_reload_conf()');
		});
	const readyz = async () => (await fetch(`${server.opsUrl}/readyz`)).text();
	await waitFor('away');
	const { create } = resellerApi(server.url, token);
	assertFailure(await create({ username: 'alice' }), 503, 'outcome_unknown');
	await eventually(async () => assert.match(await readyz(), /^not ready: changes cannot be written: /), LIMIT_MS);
	await waitFor('');
	await eventually(async () => assert.equal(await readyz(), 'ready\n'), LIMIT_MS);
	assert.equal((await create({ username: 'bruno' })).status, 200);
});
