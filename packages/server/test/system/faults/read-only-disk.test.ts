import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runBursar, startServer } from '@bursar/testing/bursar-process';
import { mountSmallDisk } from '@bursar/testing/small-disk';

test('on a disk that is mounted read-only, a service does not start, also if a killed one has left its log', async (t) => {
	const { folder: dataDir, remount } = mountSmallDisk(t, 16 * 1024 * 1024);
	const created = await runBursar(t, dataDir, ['reseller', 'create', 'acme', '--balance-cents', '500']);
	assert.equal(created.code, 0, created.stderr);
	const server = await startServer(t, dataDir);
	await runBursar(t, dataDir, ['reseller', 'credit', 'acme', '5', '--reference', 'one']);
	await server.kill('SIGKILL');
	assert.ok(statSync(join(dataDir, 'bursar.db-wal')).size > 0);

	remount('ro');
	const { code, stdout, stderr } = await runBursar(t, dataDir, ['serve']);
	assert.equal(code, 1, stdout);
	assert.match(stderr, /read-only file system.*bursar\.db/i);

	remount('rw');
	await (await startServer(t, dataDir)).kill('SIGTERM');
});
