import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { testDatabases } from '@bursar/testing/postgres-server';
import { type CommitFate, startCommitProxy } from '../support/commit-proxy.ts';
import { successesAmong } from '../support/load.ts';
import { serveDatabase } from '../support/served-database.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
const RUN_MS = isLong ? 120_000 : 4_000;
const STRUCK_LIMIT_MS = 60_000;
/** Every answer comes within five seconds; the rest is for a slow machine. */
const ANSWER_LIMIT_MS = 7_000;

const databases = await testDatabases();
after(() => databases.remove());

const FATES: readonly CommitFate[] = ['answer_lost', 'never_arrives', 'arrives_late', 'silence'];

test('whatever becomes of a COMMIT, its clients are told the truth about it, in time', async (t) => {
	const url = await databases.createDatabase();
	let badLuck = 0;
	const proxy = await startCommitProxy(t, url, () => {
		if (badLuck === 0 || served.random.next() > badLuck) return 'passed';
		return FATES[served.random.below(FATES.length)] as CommitFate;
	});
	const served = await serveDatabase(t, url, { serversUrl: proxy.url });
	const { workload, effects, urls } = served;
	badLuck = 0.05;
	const load = workload.start(...urls);
	const hasSeenAll = () => successesAmong(load.operations) > 200 && FATES.every((fate) => proxy.fates.has(fate));
	await setTimeout(RUN_MS);
	// A slow machine takes longer until each fate has struck.
	const giveUpAt = performance.now() + STRUCK_LIMIT_MS;
	while (!hasSeenAll() && performance.now() < giveUpAt) await setTimeout(100);
	const operations = await load.stop();
	badLuck = 0;
	// What is on its way arrives, or is ended by the server.
	await setTimeout(1_500);
	const counts = await effects.check(operations);
	await served.assertLedgerInOrder();
	t.diagnostic(`${JSON.stringify(Object.fromEntries(proxy.fates))} ${JSON.stringify(counts)}`);
	for (const fate of FATES) assert.ok(proxy.fates.has(fate), `${fate} has struck`);
	assert.ok(counts.acknowledged > 100);
	const slowest = Math.max(...operations.map(({ tookMs }) => tookMs));
	t.diagnostic(`the slowest answer took ${Math.round(slowest)} ms`);
	assert.ok(slowest < ANSWER_LIMIT_MS, `${slowest} ms`);
});

test('a COMMIT whose answer is lost is resolved: its clients hear 200, and that was done', async (t) => {
	const url = await databases.createDatabase();
	let fate: CommitFate = 'passed';
	const proxy = await startCommitProxy(t, url, () => {
		const next = fate;
		fate = 'passed';
		return next;
	});
	const served = await serveDatabase(t, url, { serversUrl: proxy.url, processes: 1 });
	const [server] = served.urls;
	const told = async (next: CommitFate) => {
		fate = next;
		const operation = await served.workload.send(server as string, 'give');
		assert.equal(operation.reply.kind, 'answered');
		return operation;
	};
	const operations = [
		await told('answer_lost'),
		await told('never_arrives'),
		await told('arrives_late'),
		await told('silence'),
		await told('passed'),
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
