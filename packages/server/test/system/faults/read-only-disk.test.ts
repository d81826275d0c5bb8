import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runBursar, startServer } from '@bursar/testing/bursar-process';
import { mountSmallDisk } from '@bursar/testing/small-disk';

test('on a disk that is mounted read-only, a service does not start, and says why', async (t) => {
	const { folder: dataDir, remount } = mountSmallDisk(t, 16 * 1024 * 1024);
	const created = await runBursar(t, dataDir, ['reseller', 'create', 'acme', '--balance', '5.00']);
	assert.equal(created.code, 0, created.stderr);
	const assertRefused = async () => {
		remount('ro');
		const { code, stderr } = await runBursar(t, dataDir, ['serve']);
		assert.equal(code, 1);
		assert.match(stderr, /read-only file system.*bursar\.db/i);
		remount('rw');
	};
	await assertRefused();

	const server = await startServer(t, dataDir);
	await runBursar(t, dataDir, ['reseller', 'credit', 'acme', '0.05', '--reference', 'one']);
	await server.kill('SIGKILL');
	// SQLite opens a database with a log also if it cannot write.
	assert.ok(statSync(join(dataDir, 'bursar.db-wal')).size > 0);
	await assertRefused();
	await (await startServer(t, dataDir)).kill('SIGTERM');
});
