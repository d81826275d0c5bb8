import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { newId } from '../../../../src/credentials.ts';
import type { UsageReport } from '../../../../src/domain/usage.ts';
import { openStore } from '../../../../src/engine.ts';
import type { LedgerVerification } from '../../../../src/store/reads/operator-reads.ts';
import { startDashboard } from '../../../support/dashboard.ts';

const DAY_MS = 86_400_000;
const OP = 'op@bursar.example';

test('reports are counted by the day of arrival and by what became of them', async (t) => {
	const dashboard = await startDashboard(t);
	await dashboard
		.resellerWithPerson('acme')
		.then(({ browser }) => browser.change('/sub-users/create', { username: 'alice' }));
	const operator = await dashboard.operator(OP);
	assert.deepEqual(await operator.read('/operator/usage'), { days: [], refused: [], corrections: [] });
	const atMs = dashboard.clock.nowMs();
	const report = (username: string, id = newId()): UsageReport => ({
		source: 's',
		id,
		username,
		atMs,
		bytesUp: 1,
		bytesDown: 1,
	});
	await dashboard.store.recordUsage(
		[report('alice', 'one'), report('alice'), report('alice', 'one'), report('nobody')],
		atMs,
	);
	const yesterday = { ...report('alice'), atMs: atMs - DAY_MS };
	await dashboard.store.recordUsage([yesterday, { ...report('nobody'), atMs: atMs - DAY_MS }], atMs - DAY_MS);
	const day = (ms: number) => `${new Date(ms).toISOString().slice(0, 10)}T00:00:00.000Z`;
	const { days, refused, corrections } = await operator.read('/operator/usage');
	assert.deepEqual(
		{ days },
		{
			days: [
				{ date: day(atMs), counted: 2, repeated: 1, refused: { unknown_username: 1 } },
				{ date: day(atMs - DAY_MS), counted: 1, repeated: 0, refused: { unknown_username: 1 } },
			],
		},
	);
	// The report of yesterday was recorded last.
	assert.deepEqual(
		refused.map(({ kind, source, username, reseller, reason, reports, arrived }) => [
			...[kind, source, username, reseller, reason, reports],
			Date.parse(arrived),
		]),
		[['file', 's', 'nobody', null, 'unknown_username', 2, atMs - DAY_MS]],
	);
	assert.deepEqual(corrections, []);
});

test('a corrected day is shown with its correction, to operators and to the people of the reseller', async (t) => {
	const dashboard = await startDashboard(t);
	const acme = await dashboard.resellerWithPerson('acme');
	const bolt = await dashboard.resellerWithPerson('bolt');
	await acme.browser.change('/sub-users/create', { username: 'alice' });
	const operator = await dashboard.operator(OP);
	const atMs = dashboard.clock.nowMs();
	const day = Math.floor(atMs / DAY_MS);
	const command = { kind: 'correct_usage', username: 'alice', bytesUp: 7, bytesDown: 0, reason: 'why' } as const;
	const by = { madeBy: 'root', requestId: 'cli-1' };
	const outcomes = await dashboard.store.runPersonCommands(
		[
			{ ...command, ...by, reference: 'old', day: day - 40 },
			{ ...command, ...by, reference: 'new', day },
		],
		atMs,
	);
	assert.ok(outcomes.kind === 'committed' && outcomes.results.every(({ ok }) => ok));
	const shown = {
		...{ made: new Date(atMs).toISOString(), username: 'alice', up: 7, down: 0, reason: 'why' },
		date: new Date(day * DAY_MS).toISOString(),
	};
	for (const query of [{ range: '7d' }, { range: '7d', username: 'alice' }] as const) {
		const { spans, corrections } = await acme.browser.read('/bandwidth', query);
		assert.equal(spans.at(-1)?.up, 7);
		assert.deepEqual(corrections, [shown]);
	}
	assert.equal((await acme.browser.read('/bandwidth', { range: '90d' })).corrections.length, 2);
	assert.deepEqual((await bolt.browser.read('/bandwidth', { range: '90d' })).corrections, []);
	const { corrections } = await operator.read('/operator/usage');
	assert.deepEqual(
		corrections.find(({ reference }) => reference === 'new'),
		{ ...shown, reseller: 'acme', reference: 'new', by: 'root' },
	);
});

/** A ledger whose verification the test ends. */
async function startHeld(t: Parameters<typeof startDashboard>[0]) {
	const dashboard = await startDashboard(t);
	const operator = await dashboard.operator(OP);
	const held = Promise.withResolvers<LedgerVerification>();
	let report: ((done: number, steps: number) => void) | undefined;
	dashboard.faults.verifyLedger = (onProgress) => {
		report = onProgress;
		return held.promise;
	};
	return { ...dashboard, operator, held, progress: (done: number, steps: number) => report?.(done, steps) };
}

test('the ledger is verified from the page, and its result is there afterwards', async (t) => {
	const dashboard = await startDashboard(t);
	const acme = await dashboard.resellerWithPerson('acme');
	await acme.browser.change('/sub-users/create', { username: 'alice' });
	const operator = await dashboard.operator(OP);
	assert.deepEqual(await operator.read('/operator/ledger'), { running: null, last: null });
	await operator.change('/operator/ledger/verify', {});
	const last = await eventually(async () => {
		const health = await operator.read('/operator/ledger');
		assert.equal(health.running, null);
		return health.last ?? assert.fail();
	});
	assert.equal(last.by, OP);
	assert.ok(Date.parse(last.started) <= Date.parse(last.ended));
	assert.deepEqual(last.result, { accounts: 2, transfers: 2, problems: 0, first_problems: [] });
	const [act] = (await operator.read('/account/acts')).acts;
	assert.equal(act?.kind, 'verify_ledger');
});

test('while one verification runs, everybody sees its progress, and a second one is refused', async (t) => {
	const { operator, held, progress, clock } = await startHeld(t);
	const act = randomUUID();
	const begun = await operator.ok('/operator/ledger/verify', { act });
	assert.ok(begun.running);
	assert.equal(begun.last, null);
	progress(3, 7);
	await eventually(async () => {
		const { running } = await operator.read('/operator/ledger');
		assert.deepEqual([running?.done, running?.of], [3, 7]);
	});
	await operator.refused('verification_runs', '/operator/ledger/verify', { act: randomUUID() });
	await operator.refused('act_repeated', '/operator/ledger/verify', { act });
	// It is noted every few seconds, so it goes on although a minute has passed.
	clock.aheadMs = 59_000;
	await operator.refused('verification_runs', '/operator/ledger/verify', { act: randomUUID() });
	const problems = Array.from({ length: 150 }, (_, index) => ({
		name: `user_${index}`,
		problem: '<script>'.repeat(50),
	}));
	held.resolve({ accounts: 5, transfers: 9, problems });
	const result = await eventually(async () => (await operator.read('/operator/ledger')).last?.result ?? assert.fail());
	assert.deepEqual(
		[result.accounts, result.transfers, result.problems, result.first_problems.length],
		[5, 9, 150, 100],
	);
	assert.equal(result.first_problems[0]?.name, 'user_0');
});

test('a verification that fails has no result, and the next one may begin', async (t) => {
	const { operator, held, faults } = await startHeld(t);
	await operator.change('/operator/ledger/verify', {});
	held.reject(new Error('planted'));
	await eventually(async () => {
		const { running, last } = await operator.read('/operator/ledger');
		assert.deepEqual([running, last?.result, last?.by], [null, null, OP]);
		assert.ok(last);
	});
	delete faults.verifyLedger;
	await operator.change('/operator/ledger/verify', {});
	await eventually(async () => assert.ok((await operator.read('/operator/ledger')).last?.result));
});

test('a verification whose process died counts as ended without a result after a minute', async (t) => {
	const dashboard = await startDashboard(t);
	const operator = await dashboard.operator(OP);
	// What a process leaves that died after it has begun.
	await dashboard.change({ kind: 'begin_verification', id: newId() });
	assert.ok((await operator.read('/operator/ledger')).running);
	await operator.refused('verification_runs', '/operator/ledger/verify', { act: randomUUID() });
	dashboard.clock.aheadMs = 60_000;
	const { running, last } = await operator.read('/operator/ledger');
	assert.deepEqual([running, last?.by, last?.result], [null, 'operator', null]);
	await operator.change('/operator/ledger/verify', {});
	await eventually(async () => {
		const health = await operator.read('/operator/ledger');
		assert.deepEqual([health.running, health.last?.by, health.last?.result?.problems], [null, OP, 0]);
	});
});

test('a service that stops notes that its verification was not finished, and does not wait for it', async (t) => {
	const { operator, stop, config } = await startHeld(t);
	await operator.change('/operator/ledger/verify', {});
	await stop();
	const store = await openStore(config);
	t.after(() => store.close());
	const { newest, ended } = await store.findVerifications();
	assert.deepEqual([newest?.id, newest?.result], [ended?.id, null]);
	assert.ok(ended?.endedAtMs);
});

test('a service that stops ends a verification that reads the store', async (t) => {
	const dashboard = await startDashboard(t);
	const operator = await dashboard.operator(OP);
	await operator.change('/operator/ledger/verify', {});
	await dashboard.stop();
});
