import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { assertLedgerInOrder, startServer } from '@bursar/testing/bursar-process';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { serveStore } from '../support/served-store.ts';

const ROUNDS = process.env.BURSAR_TEST_FAULTS === 'long' ? 40 : 2;
const CONNECTIONS = 32;

test('a service goes on when its terminal is closed, also without nohup', async (t) => {
	const server = await startServer(t, temporaryFolder(t));
	server.signal('SIGHUP');
	assert.equal((await fetch(`${server.opsUrl}/readyz`)).status, 200);
	const { code, signal } = await server.kill('SIGTERM');
	assert.deepEqual([code, signal], [0, null]);
});

test('on SIGTERM under load, each request gets a whole answer or is not accepted, and the process ends cleanly', async (t) => {
	const served = await serveStore(t, { connections: CONNECTIONS });
	const { dataDir, workload, effects, random } = served;
	let { server } = served;
	for (let round = 0; round < ROUNDS; round++) {
		const load = workload.start(server.url);
		// Waits until every connection is accepted. The system would refuse the others, not the server.
		while (new Set(load.operations.map(({ connection }) => connection)).size < CONNECTIONS) await setTimeout(5);
		await setTimeout(random.below(300));
		const startedAtMs = performance.now();
		const { code, signal } = await server.kill(round % 2 === 0 ? 'SIGTERM' : 'SIGINT');
		const tookMs = performance.now() - startedAtMs;
		const operations = await load.stop();

		assert.deepEqual([code, signal], [0, null]);
		assert.ok(tookMs < 10_000, `it took ${tookMs} ms`);
		const kinds = Map.groupBy(operations, ({ reply }) =>
			reply.kind === 'answered' ? String(reply.errorCode ?? reply.status) : reply.kind,
		);
		t.diagnostic(
			`${Math.round(tookMs)} ms: ${Array.from(kinds, ([kind, { length }]) => `${kind} ${length}`).join(', ')}`,
		);
		for (const kind of kinds.keys()) {
			assert.match(kind, /^(200|username_taken|unavailable|refused)$/, 'a request got no whole answer');
		}
		assert.ok(!existsSync(join(dataDir, 'bursar.db-wal')), 'the write-ahead log still exists');
		await effects.check(operations);
		server = await startServer(t, dataDir);
	}
	await assertLedgerInOrder(t, dataDir);
});
