import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildPublished, projectWith, run } from '@bursar/testing/packed';
import { startTestService } from '@bursar/testing/service';

test('the published package is the whole command line, in an otherwise empty project', async (t) => {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 10_000);
	const project = await projectWith(t, await buildPublished(t, 'client'), await buildPublished(t, 'cli'));
	const bursarctl = (...args: string[]) =>
		run([process.execPath, join(project, 'node_modules/.bin/bursarctl'), ...args], project, {
			BURSAR_URL: service.url,
			BURSAR_TOKEN: token,
		});

	assert.match((await bursarctl('--version')).output, /^\d+\.\d+\.\d+(-rc\.\d+)?\n$/);
	const created = await bursarctl('sub-user', 'create', 'alice', '--yes', '--json');
	assert.equal(created.code, 0, created.output);
	const account = await bursarctl('account', '--json');
	assert.deepEqual(JSON.parse(account.output).balance_usd_cents, 9_990);
	assert.equal((await bursarctl('sub-user', 'show', 'nobody')).code, 4);
});
