import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { assertLedgerInOrder, startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { authKeysCheck } from '../support/auth-keys.ts';
import { type EffectCounts, sumOf } from '../support/effects.ts';
import type { Load } from '../support/load.ts';
import { serveStore } from '../support/served-store.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
const KILLS = isLong ? 300 : 3;

test('after kill -9 under load, acknowledged changes are stored once, and each look tells whether a change was done', async (t) => {
	const served = await serveStore(t);
	const { dataDir, workload, effects, random } = served;
	let { server } = served;
	const authKeys = await authKeysCheck(server.url, workload);
	const readyMs: number[] = [];
	const counts: EffectCounts[] = [];

	for (let kill = 0; kill < KILLS; kill++) {
		const load = workload.start(server.url);
		await acknowledged(load, 2);
		await setTimeout(random.below(400));
		assert.equal((await server.kill('SIGKILL')).signal, 'SIGKILL');
		const operations = await load.stop();

		server = await startServer(t, dataDir);
		readyMs.push(server.readyAfterMs);
		const looks = await workload.look(server.url, operations);
		counts.push(await effects.check(operations, looks));
		await authKeys.check(server.url, operations, looks);
		if (kill % 10 === 9) await assertLedgerInOrder(t, dataDir);
	}
	await assertLedgerInOrder(t, dataDir);

	readyMs.sort((a, b) => a - b);
	const medianMs = readyMs[Math.floor(readyMs.length / 2)] as number;
	const sum = sumOf(counts);
	t.diagnostic(`${KILLS} kills: ${JSON.stringify(sum)}`);
	t.diagnostic(`ready after ${Math.round(medianMs)} ms (median), ${Math.round(readyMs.at(-1) as number)} ms (longest)`);
	assert.ok(sum.acknowledged > KILLS, 'the server was idle when it was killed');
});

/** Waits until so many changes have succeeded. */
async function acknowledged({ operations }: Load, count: number): Promise<void> {
	await eventually(async () => {
		const done = operations.filter(({ reply }) => reply.kind === 'answered' && reply.status === 200);
		assert.ok(done.length >= count, `${done.length} changes have succeeded`);
	}, 60_000);
}
