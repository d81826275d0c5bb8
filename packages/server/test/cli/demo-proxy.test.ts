import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { listen } from '@bursar/testing/listen';

const DEMO_PROXY = new URL('../../src/cli/demo/proxy.ts', import.meta.url).href;

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

test('if the edge listener cannot be reached, `bursar dev` has no proxy, and says so in one plain line', async (t) => {
	const server = createServer();
	const { port } = await listen(t, server);
	await new Promise((resolve) => server.close(resolve));
	const { status, stdout, stderr } = startedAt(`http://127.0.0.1:${port}`);
	assert.deepEqual([status, stdout], [0, 'undefined\n']);
	const reason = `its edge gets no answer at http://127.0.0.1:${port}`;
	assert.equal(stderr, `bursar: the proxy of the demo does not run: ${reason}\n`);
});
