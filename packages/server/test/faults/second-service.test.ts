import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runBursar, startServer } from '@bursar/testing/bursar-process';
import { temporaryFolder } from '@bursar/testing/temporary-folder';

test('a second service on an embedded store is refused with the process that has it; after kill -9 one starts', async (t) => {
	const dataDir = temporaryFolder(t);
	const server = await startServer(t, dataDir);
	for (const command of ['serve', 'dev']) {
		const { code, stderr } = await runBursar(t, dataDir, [command, '--json']);
		assert.equal(code, 1);
		const { error } = JSON.parse(stderr.trim().split('\n').at(-1) as string);
		assert.equal(error.code, 'store_in_use');
		assert.match(error.message, new RegExp(`process ${server.pid} on `));
	}
	const created = await runBursar(t, dataDir, ['reseller', 'create', 'acme']);
	assert.equal(created.code, 0, created.stderr);
	await server.kill('SIGKILL');
	await (await startServer(t, dataDir)).kill('SIGTERM');
});
