import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { describe, test } from 'node:test';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { spawnBursar } from '@bursar/testing/bursar-process';
import { listen } from '@bursar/testing/listen';
import { temporaryFolder } from '@bursar/testing/temporary-folder';

const DEMO_PROXY = new URL('../../src/cli/demo-proxy.ts', import.meta.url).href;

/** Starts the proxy against this edge listener, in a process of its own, and returns what that process printed. */
function startedAt(edgeUrl: string) {
	const program = `
		import { startDemoProxy } from ${JSON.stringify(DEMO_PROXY)};
		const store = { findAccount: async () => ({ username: 'alice', proxyAuthkey: 'key' }) };
		const bank = { changePerson: async () => ({ ok: true }) };
		const service = { url: 'http://127.0.0.1:1', edgeUrl: ${JSON.stringify(edgeUrl)}, readEdges: async () => {} };
		console.log(await startDemoProxy({ store, bank, config: { logLevel: 'silent' } }, service, 2));
	`;
	return spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
}

describe('the proxy of `bursar dev`', () => {
	test('an edge listener that cannot be reached means no proxy, and one plain line', async (t) => {
		const server = createServer();
		const { port } = await listen(t, server);
		await new Promise((resolve) => server.close(resolve));
		const { status, stdout, stderr } = startedAt(`http://127.0.0.1:${port}`);
		assert.deepEqual([status, stdout], [0, 'undefined\n']);
		const reason = `its edge gets no answer at http://127.0.0.1:${port}`;
		assert.equal(stderr, `bursar: the proxy of the demo does not run: ${reason}\n`);
	});

	test('starts beside the edges of an operator', async (t) => {
		const dataDir = temporaryFolder(t);
		const edges = async () => {
			const { stdout } = await callBursar(dataDir, ['edge', 'list', '--json']);
			return JSON.parse(stdout).edges as { name: string; revoked_at: string | null; created_at: string }[];
		};
		await callBursar(dataDir, ['migrate']);
		assert.equal((await callBursar(dataDir, ['edge', 'create', '--key', 'demo'])).code, 0);
		const before = await edges();
		const dev = spawnBursar(t, dataDir, ['dev', '--json']);
		while (!dev.stdout().includes('\n')) await new Promise((resolve) => setTimeout(resolve, 10));
		dev.signal('SIGTERM');
		const { code, stderr } = await dev.ended;
		assert.equal(code, 0);
		assert.equal(typeof JSON.parse(dev.stdout()).proxy_url, 'string');

		await t.test('its edge is known before it is used, so the log has no refusal', () => {
			assert.ok(!stderr.includes('"status":401'), stderr);
		});

		await t.test(
			'edges that an operator made keep their keys, and the edge of the demo is called bursar-dev',
			async () => {
				const after = await edges();
				assert.deepEqual(after.map(({ name }) => name).sort(), ['bursar-dev', 'demo']);
				assert.deepEqual(
					after.filter(({ name }) => name === 'demo'),
					before,
				);
			},
		);
	});
});
