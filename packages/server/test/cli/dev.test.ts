import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { endpoints } from '@bursar/contract';
import { resellerApi } from '@bursar/testing/api';
import { runBursar, spawnBursar } from '@bursar/testing/bursar-process';
import { listen } from '@bursar/testing/listen';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import type { TestProcess } from '@bursar/testing/test-process';

const SERVE_COMMAND = new URL('../../src/cli/commands/serve.ts', import.meta.url).href;
const STOP_LIMIT_MS = 10_000;

async function started(t: TestContext, dataDir: string): Promise<TestProcess> {
	const dev = spawnBursar(t, dataDir, ['dev'], { environment: { BURSAR_LOG_LEVEL: 'silent' } });
	while (!/my_info|Tokens are shown once/.test(dev.stdout())) await setTimeout(10);
	return dev;
}

async function stopped(dev: TestProcess): Promise<void> {
	const startedAt = performance.now();
	dev.signal('SIGINT');
	const { code, stderr } = await dev.ended;
	assert.equal(code, 0);
	assert.equal(stderr, '');
	assert.ok(performance.now() - startedAt < STOP_LIMIT_MS);
}

describe('bursar dev', () => {
	test('an empty data directory gets a demo reseller, and dev prints a curl command with its token', async (t) => {
		const dataDir = temporaryFolder(t);
		const first = await started(t, dataDir);
		const curl = /^ {2}curl -H 'Authorization: Bearer (brs_\w+)' (http:\S+)\/reseller\/my_info$/m.exec(first.stdout());
		assert.ok(curl);
		const [, token, url] = curl as unknown as [string, string, string];
		const api = resellerApi(url, token);
		assert.equal((await api.myInfo()).data.username, 'demo.reseller');
		const subUsers = (await api.viewAll()).data;
		assert.equal(subUsers.length, 3);
		assert.ok(subUsers.every(({ balance }: { balance: number }) => balance > 0));
		assert.equal((await api.viewTxs({ username: subUsers[0].username })).data.length, 90);
		for (const document of [endpoints.myInfo.path, '/docs', '/openapi.json']) {
			assert.notEqual((await fetch(url + document)).status, 404);
		}
		await stopped(first);

		const second = await started(t, dataDir);
		assert.match(second.stdout(), /For a new one: npx bursar reseller revoke-token demo\.reseller/);
		assert.doesNotMatch(second.stdout(), /brs_/);
		await stopped(second);
	});

	test('with --json, stdout is one object', async (t) => {
		const dev = spawnBursar(t, temporaryFolder(t), ['dev', '--json']);
		while (!dev.stdout().includes('\n')) await setTimeout(10);
		const { url, ops_url: opsUrl, reseller, token } = JSON.parse(dev.stdout());
		assert.equal((await resellerApi(url, token).myInfo()).data.username, reseller);
		assert.equal((await fetch(`${opsUrl}/livez`)).status, 200);
		dev.signal('SIGTERM');
		const { code, stdout } = await dev.ended;
		assert.equal(code, 0);
		assert.equal(stdout.split('\n').length, 2);
	});

	test('a signal during the start message stops the service cleanly', () => {
		const program = `
			import { showUntilStopped } from ${JSON.stringify(SERVE_COMMAND)};
			setInterval(() => {}, 60_000);
			const service = { failed: new Promise(() => {}), stop: async () => console.log('stopped') };
			await showUntilStopped(service, { info() {} }, async () => process.kill(process.pid, 'SIGTERM'));
		`;
		const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
			encoding: 'utf8',
		});
		assert.equal(status, 0);
		assert.equal(stdout, 'stopped\n');
	});

	test('a port in use is an error of one line, and no demo reseller is made', async (t) => {
		const dataDir = temporaryFolder(t);
		const { port } = await listen(t, createServer());
		for (const name of ['BURSAR_PORT', 'BURSAR_OPS_PORT']) {
			const environment = { BURSAR_LOG_LEVEL: 'silent', [name]: String(port) };
			const { code, stdout, stderr } = await runBursar(t, dataDir, ['dev'], { environment });
			assert.equal(code, 1);
			assert.equal(stdout, '');
			assert.match(stderr, new RegExp(`^bursar: port ${port} of 127.0.0.1 is in use: [^\n]+\n$`));
		}
		const list = await runBursar(t, dataDir, ['reseller', 'list', '--json']);
		assert.deepEqual(JSON.parse(list.stdout), { resellers: [] });
	});
});
