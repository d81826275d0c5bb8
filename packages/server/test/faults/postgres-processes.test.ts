import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { testDatabases } from '@bursar/testing/postgres-server';
import { authKeysCheck } from '../support/auth-keys.ts';
import { type EffectCounts, sumOf } from '../support/effects.ts';
import { serveDatabase } from '../support/served-database.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
const KILLS = isLong ? 150 : 2;
const STOPS = isLong ? 20 : 1;
/** The database's limit for an idle transaction, and some time for a slow machine. */
const STALL_LIMIT_MS = 4_000;

const databases = await testDatabases();
after(() => databases.remove());

test('three processes on one database', async (t) => {
	const served = await serveDatabase(t, await databases.createDatabase());
	const { workload, effects, random } = served;
	const servers = [...served.servers];
	const urls = () => servers.map(({ url }) => url);

	await t.test(
		'after kill -9 of a process under load, the others go on, and acknowledged changes are stored once',
		async (t) => {
			const authKeys = await authKeysCheck(served.urls[0] as string, workload);
			const counts: EffectCounts[] = [];
			for (let kill = 0; kill < KILLS; kill++) {
				const load = workload.start(...urls());
				await setTimeout(random.below(300));
				const index = random.below(servers.length);
				assert.equal((await servers[index]?.kill('SIGKILL'))?.signal, 'SIGKILL');
				await setTimeout(50);
				const operations = await load.stop();
				servers[index] = await served.startServer();
				const looks = await workload.look(servers[index].url, operations);
				counts.push(await effects.check(operations, looks));
				await authKeys.check(servers[index].url, operations, looks);
			}
			await served.assertLedgerInOrder();
			const sum = sumOf(counts);
			t.diagnostic(`${KILLS} kills: ${JSON.stringify(sum)}`);
			assert.ok(sum.acknowledged > KILLS, 'the servers were idle');
		},
	);

	await t.test('a process that is stopped while it holds locks delays the others only briefly', async (t) => {
		const [stopped, ...others] = servers;
		let longestMs = 0;
		for (let round = 0; round < STOPS; round++) {
			const load = workload.start(...urls());
			await setTimeout(200 + random.below(200));
			stopped?.signal('SIGSTOP');
			const sent = await Promise.all(others.map(({ url }) => workload.send(url, 'give')));
			for (const { reply, tookMs } of sent) {
				assert.ok(reply.kind === 'answered' && reply.status === 200, JSON.stringify(reply));
				longestMs = Math.max(longestMs, tookMs);
			}
			await setTimeout(1_000);
			stopped?.signal('SIGCONT');
			await setTimeout(200);
			await effects.check([...(await load.stop()), ...sent]);
		}
		t.diagnostic(`the longest answer beside a stopped process took ${Math.round(longestMs)} ms`);
		assert.ok(longestMs < STALL_LIMIT_MS);
		await served.assertLedgerInOrder();
	});
});
