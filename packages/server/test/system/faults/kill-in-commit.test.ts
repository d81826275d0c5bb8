import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertLedgerInOrder, startServer } from '@bursar/testing/bursar-process';
import { injectFault } from '@bursar/testing/strace';
import { type EffectCounts, sumOf } from '../../support/effects.ts';
import { serveStore } from '../../support/served-store.ts';

const AIMED_KILLS = process.env.BURSAR_TEST_FAULTS === 'long' ? 60 : 8;

test('after kill -9 between two writes of a commit, the commit is stored whole or not at all', async (t) => {
	const served = await serveStore(t);
	const { dataDir, workload, effects, random } = served;
	let { server } = served;
	const counts: EffectCounts[] = [];
	for (let kill = 0; kill < AIMED_KILLS; kill++) {
		// A commit has about 6 to 60 writes, and a flush at its end.
		const isFlush = kill % 4 === 0;
		await injectFault(t, server.pid, dataDir, {
			calls: isFlush ? ['fsync', 'fdatasync'] : ['pwrite64'],
			effect: 'signal=SIGKILL',
			when: String(1 + random.below(isFlush ? 5 : 80)),
			file: 'bursar.db-wal',
		});
		const load = workload.start(server.url);
		assert.equal((await server.ended).signal, 'SIGKILL');
		const operations = await load.stop();
		server = await startServer(t, dataDir);
		counts.push(await effects.check(operations));
	}
	await assertLedgerInOrder(t, dataDir);
	const sum = sumOf(counts);
	t.diagnostic(`${AIMED_KILLS} kills: ${JSON.stringify(sum)}`);
	assert.ok(sum.unknown >= AIMED_KILLS, 'a kill hit no commit');
});
