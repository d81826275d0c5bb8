import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { startPostgres } from '@bursar/testing/postgres-server';
import { temporaryFolder } from '@bursar/testing/temporary-folder';

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
	const causes = () => said('the store cannot be reached').map(({ err }) => err.message as string);
	await postgres.stop('immediate');
	await eventually(async () => assert.match(causes().join(), /ECONNREFUSED|ENOENT/), LIMIT_MS);
	assert.equal((await fetch(`${server.opsUrl}/readyz`)).status, 503);
	await postgres.start();
	await eventually(async () => assert.equal(said('the store can be reached again').length, 1), LIMIT_MS);
	assert.equal(new Set(causes()).size, causes().length);
	assert.equal((await fetch(`${server.opsUrl}/readyz`)).status, 200);
});
