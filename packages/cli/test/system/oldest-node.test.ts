import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildPublished, npm, PACKAGES, projectWith, run } from '@bursar/testing/packed';
import { startTestService } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';

test('the published package works and fails on the oldest Node that it names', {
	skip: (process.platform !== 'linux' || process.arch !== 'x64') && 'that Node is pinned for Linux on x64',
}, async (t) => {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 15);
	const runtimes = join(temporaryFolder(t), 'runtimes');
	cpSync(join(PACKAGES, 'cli/test/runtimes'), runtimes, { recursive: true });
	const installed = await run(npm('ci', '--ignore-scripts', '--no-audit', '--no-fund'), runtimes);
	assert.equal(installed.code, 0, installed.output);
	const project = await projectWith(t, await buildPublished(t, 'client'), await buildPublished(t, 'cli'));

	const program = [join(runtimes, 'node_modules/.bin/node'), join(project, 'node_modules/.bin/bursarctl')] as const;
	const environment = { BURSAR_URL: service.url, BURSAR_TOKEN: token };
	const bursarctl = (line: string) => run([...program, ...line.split(' '), '--json'], project, environment);
	const created = await bursarctl('sub-user create alice --yes');
	assert.equal(created.code, 0, created.output);
	for (const [line, exitCode, code] of [
		['balance give alice', 2, 'usage'],
		['sub-user show nobody', 4, 'unknown_sub_user'],
		['balance give alice 1.00 --yes', 5, 'insufficient_balance'],
		['account --token-file /nowhere', 2, 'unreadable_file'],
	] as const) {
		const ended = await bursarctl(line);
		assert.equal(ended.code, exitCode, ended.output);
		assert.equal(JSON.parse(ended.output).error.code, code);
	}
});
