import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { spawnBursar } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { temporaryFolder } from '@bursar/testing/temporary-folder';

test('the curl command that `bursar dev` prints works in a shell', async (t) => {
	const dev = spawnBursar(t, temporaryFolder(t), ['dev'], { environment: { BURSAR_LOG_LEVEL: 'silent' } });
	const [command] = await eventually(async () => /^ {2}curl .*$/m.exec(dev.stdout()) ?? assert.fail(), 30_000);
	const { stdout, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
	assert.equal(JSON.parse(stdout).data.username, 'demo.reseller', stderr);
});
