import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { testDatabases } from '@bursar/testing/postgres-server';
import { type CommitFate, startCommitProxy } from '../support/commit-proxy.ts';
import { successesAmong } from '../support/load.ts';
import { serveDatabase } from '../support/served-database.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
const RUN_MS = isLong ? 120_000 : 500;
const ALL_FATES_LIMIT_MS = 60_000;
/** Every answer comes within five seconds. The rest allows for a slow machine. */
const ANSWER_LIMIT_MS = 7_000;

const databases = await testDatabases();
after(() => databases.remove());

const FATES: readonly CommitFate[] = ['answer_lost', 'never_arrives', 'arrives_late', 'silence'];

test('whatever happens to a COMMIT, its clients get a true answer in time', async (t) => {
	const url = await databases.createDatabase();
	let faultRate = 0;
	const proxy = await startCommitProxy(t, url, () => {
		if (faultRate === 0 || served.random.next() > faultRate) return 'passed';
		return FATES[served.random.below(FATES.length)] as CommitFate;
	});
	const served = await serveDatabase(t, url, { serversUrl: proxy.url });
	const { workload, effects, urls } = served;
	faultRate = 0.05;
	const load = workload.start(...urls);
	const hasSeenAll = () => successesAmong(load.operations) > 200 && FATES.every((fate) => proxy.fates.has(fate));
	await setTimeout(RUN_MS);
	// A slow machine takes longer to meet each fate.
	const giveUpAtMs = performance.now() + ALL_FATES_LIMIT_MS;
	while (!hasSeenAll() && performance.now() < giveUpAtMs) await setTimeout(100);
	const operations = await load.stop();
	faultRate = 0;
	// Waits until delayed COMMITs arrive or the server ends their transactions.
	await setTimeout(1_500);
	const counts = await effects.check(operations);
	await served.assertLedgerInOrder();
	t.diagnostic(`${JSON.stringify(Object.fromEntries(proxy.fates))} ${JSON.stringify(counts)}`);
	for (const fate of FATES) assert.ok(proxy.fates.has(fate), `no COMMIT met ${fate}`);
	assert.ok(counts.acknowledged > 100);
	const slowest = Math.max(...operations.map(({ tookMs }) => tookMs));
	t.diagnostic(`the slowest answer took ${Math.round(slowest)} ms`);
	assert.ok(slowest < ANSWER_LIMIT_MS, `${slowest} ms`);
});

test('a COMMIT whose answer is lost is resolved: its clients get 200 if it was done', async (t) => {
	const url = await databases.createDatabase();
	let fate: CommitFate = 'passed';
	const proxy = await startCommitProxy(t, url, () => {
		const next = fate;
		fate = 'passed';
		return next;
	});
	const served = await serveDatabase(t, url, { serversUrl: proxy.url, processes: 1 });
	const [server] = served.urls;
	const giveWith = async (next: CommitFate) => {
		fate = next;
		const operation = await served.workload.send(server as string, 'give');
		assert.equal(operation.reply.kind, 'answered');
		return operation;
	};
	const operations = [
		await giveWith('answer_lost'),
		await giveWith('never_arrives'),
		await giveWith('arrives_late'),
		await giveWith('silence'),
		await giveWith('passed'),
	];
	assert.deepEqual(
		operations.map(({ reply }) => reply.kind === 'answered' && [reply.status, reply.errorCode]),
		[
			[200, null],
			[503, 'unavailable'],
			[200, null],
			[200, null],
			[200, null],
		],
	);
	await served.effects.check(operations);
});
