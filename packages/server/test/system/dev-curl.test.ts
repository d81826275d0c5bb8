import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { spawnBursar } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { temporaryFolder } from '@bursar/testing/temporary-folder';

test('the curl commands that `bursar dev` prints work in a shell', async (t) => {
	const dev = spawnBursar(t, temporaryFolder(t), ['dev'], { environment: { BURSAR_LOG_LEVEL: 'silent' } });
	const command = (form: RegExp) => eventually(async () => form.exec(dev.stdout())?.[0] ?? assert.fail(), 60_000);
	const run = (line: string) => {
		// Many machines have such a setting, and the page is on this machine.
		const env = { ...process.env, NO_PROXY: '127.0.0.1,localhost' };
		return spawnSync('sh', ['-c', line], { encoding: 'utf8', env });
	};
	const info = run(await command(/^ {2}curl -H .*$/m));
	assert.equal(JSON.parse(info.stdout).data.username, 'demo.reseller', info.stderr);
	const page = run(await command(/^ {2}curl .* -x .*$/m));
	assert.match(page.stdout, /<title>Bursar reseller API<\/title>/, page.stderr);
});
