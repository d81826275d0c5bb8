import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { startPostgres } from '@bursar/testing/postgres-server';
import { temporaryFolder } from '@bursar/testing/temporary-folder';

const LIMIT_MS = 20_000;

test('the log says once when the database is lost, and why, and once when it is back', async (t) => {
	const postgres = await startPostgres();
	t.after(() => postgres.remove());
	const environment = {
		BURSAR_DATABASE_URL: await postgres.createDatabase(),
		BURSAR_MASTER_KEY: Buffer.alloc(32).toString('base64'),
	};
	const server = await startServer(t, temporaryFolder(t), { environment });
	const said = () => {
		const lines = server.stdout().trim().split('\n');
		return lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith('the store can'));
	};
	await postgres.stop('immediate');
	await eventually(async () => assert.equal(said().length, 1), LIMIT_MS);
	const [{ msg, level, err }] = said();
	assert.deepEqual([msg, level], ['the store cannot be reached', 'warn']);
	assert.match(err.message, /ECONNREFUSED|ENOENT|terminat|shut|clos/i);
	assert.equal((await fetch(`${server.opsUrl}/readyz`)).status, 503);
	await postgres.start();
	await eventually(async () => assert.equal(said().length, 2), LIMIT_MS);
	assert.equal(said()[1].msg, 'the store can be reached again');
	assert.equal((await fetch(`${server.opsUrl}/readyz`)).status, 200);
});
