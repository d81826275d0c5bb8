import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { eventually } from '@bursar/testing/eventually';
import { inDatabase } from '@bursar/testing/postgres-books';
import { startPostgres } from '@bursar/testing/postgres-server';
import { type EffectCounts, sumOf } from '../support/effects.ts';
import { successesAmong } from '../support/load.ts';
import { serveDatabase } from '../support/served-database.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
const TERMINATE_MS = isLong ? 60_000 : 500;
const ENOUGH_LIMIT_MS = 60_000;
const RESTARTS = isLong ? 40 : 2;
/** Every answer comes within five seconds. The rest allows for a slow machine. */
const ANSWER_LIMIT_MS = 7_000;
const RESUME_LIMIT_MS = 10_000;

const database = await startPostgres();
after(() => database.remove());

test('three processes whose database fails', async (t) => {
	const databaseUrl = await database.createDatabase();
	const served = await serveDatabase(t, databaseUrl);
	const { workload, urls, random } = served;

	await t.test('when the server ends connections at random, nothing is lost or done twice', async (t) => {
		const load = workload.start(...urls);
		const giveUpAtMs = performance.now() + TERMINATE_MS;
		let terminated = 0;
		// A slow machine takes longer to reach both numbers.
		const isEnough = () => terminated > 20 && successesAmong(load.operations) > 200;
		const limitAt = giveUpAtMs + ENOUGH_LIMIT_MS;
		while (performance.now() < giveUpAtMs || (!isEnough() && performance.now() < limitAt)) {
			terminated += await inDatabase(databaseUrl, async (client) => {
				const { rowCount } = await client.query(
					`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
					 WHERE datname = current_database() AND pid <> pg_backend_pid() AND random() < 0.2`,
				);
				return rowCount ?? 0;
			});
			await setTimeout(random.below(100));
		}
		const operations = await load.stop();
		const counts = await served.effects.check(operations);
		await served.assertLedgerInOrder();
		t.diagnostic(`${terminated} connections ended: ${JSON.stringify(counts)}`);
		assert.ok(terminated > 20 && counts.acknowledged > 100);
		assertInTime(operations);
	});

	await t.test(
		'when the server crashes and restarts, answers are true and in time, and service resumes by itself',
		async (t) => {
			const resumedMs: number[] = [];
			const counts: EffectCounts[] = [];
			for (let restart = 0; restart < RESTARTS; restart++) {
				const load = workload.start(...urls);
				await setTimeout(random.below(600));
				await (restart % 2 === 0 ? database.stop('immediate') : database.kill());
				await setTimeout(random.below(restart % 4 === 3 ? 4_000 : 500));
				await database.start();
				const backAtMs = performance.now();
				for (const each of urls) {
					await eventually(async () => {
						const { reply } = await workload.send(each, 'reset');
						assert.ok(reply.kind === 'answered' && reply.status === 200);
					}, RESUME_LIMIT_MS);
				}
				resumedMs.push(performance.now() - backAtMs);
				const operations = await load.stop();
				assertInTime(operations);
				counts.push(await served.effects.check(operations));
			}
			await served.assertLedgerInOrder();
			t.diagnostic(`${RESTARTS} restarts: ${JSON.stringify(sumOf(counts))}`);
			t.diagnostic(`each process served again within ${Math.round(Math.max(...resumedMs))} ms of the restart`);
		},
	);

	await t.test('without a database, every request is answered in time as not done', async () => {
		const [url] = urls as [string];
		await database.stop('immediate');
		// The first request finds the open connections broken.
		await workload.send(url, 'give');
		const operations = await Promise.all(Array.from({ length: 20 }, () => workload.send(url, 'give')));
		for (const { reply, tookMs } of operations) {
			assert.ok(reply.kind === 'answered', JSON.stringify(reply));
			assert.deepEqual([reply.status, reply.errorCode], [503, 'unavailable']);
			assert.ok(tookMs < ANSWER_LIMIT_MS, `${tookMs} ms`);
		}
		const ready = await fetch(`${served.servers[0]?.opsUrl}/readyz`);
		assert.equal(ready.status, 503);
		await database.start();
		await eventually(async () => {
			const { reply } = await workload.send(url, 'give');
			assert.ok(reply.kind === 'answered' && reply.status === 200);
		}, RESUME_LIMIT_MS);
		await served.assertLedgerInOrder();
	});
});

function assertInTime(operations: readonly { readonly tookMs: number }[]): void {
	const slowest = Math.max(...operations.map(({ tookMs }) => tookMs));
	assert.ok(slowest < ANSWER_LIMIT_MS, `the slowest answer took ${slowest} ms`);
}
