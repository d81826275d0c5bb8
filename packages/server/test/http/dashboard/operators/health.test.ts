import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { newId } from '../../../../src/credentials.ts';
import type { UsageReport } from '../../../../src/domain/usage.ts';
import { openStore } from '../../../../src/engine.ts';
import type { LedgerVerification } from '../../../../src/store/tables/ledger/verifications.ts';
import { startDashboard } from '../../../support/dashboard.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const DAY_MS = 86_400_000;
const OP = 'op@bursar.example';

const dashboard = await startDashboard(wholeFile);
const operator = await dashboard.operator(OP);

test('reports are counted by the day of arrival and by what became of them', async () => {
	const { browser } = await dashboard.resellerWithPerson('acme');
	await browser.change('/sub-users/create', { username: 'alice' });
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

test('the ledger is verified from the page, and its result is there afterwards', async () => {
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

/** From now on, the test ends a verification of the ledger. */
function holdVerification({ faults }: Pick<typeof dashboard, 'faults'>) {
	const held = Promise.withResolvers<LedgerVerification>();
	let report: ((done: number, steps: number) => void) | undefined;
	faults.verifyLedger = (onProgress) => {
		report = onProgress;
		return held.promise;
	};
	return { held, progress: (done: number, steps: number) => report?.(done, steps) };
}

test('while one verification runs, everybody sees its progress, and a second one is refused', async () => {
	const { held, progress } = holdVerification(dashboard);
	const act = randomUUID();
	const begun = await operator.ok('/operator/ledger/verify', { act });
	assert.ok(begun.running);
	progress(3, 7);
	await eventually(async () => {
		const { running } = await operator.read('/operator/ledger');
		assert.deepEqual([running?.done, running?.of], [3, 7]);
	});
	await operator.refused('verification_runs', '/operator/ledger/verify', { act: randomUUID() });
	await operator.refused('act_repeated', '/operator/ledger/verify', { act });
	// It is recorded every few seconds, so it goes on although a minute has passed.
	dashboard.clock.aheadMs += 59_000;
	await operator.refused('verification_runs', '/operator/ledger/verify', { act: randomUUID() });
	const problems = Array.from({ length: 150 }, (_, index) => ({
		name: `user_${index}`,
		problem: '<script>'.repeat(50),
	}));
	held.resolve({ accounts: 5, transfers: 9, problems });
	const result = await eventually(async () => {
		const { running, last } = await operator.read('/operator/ledger');
		assert.equal(running, null);
		return last?.result ?? assert.fail();
	});
	assert.deepEqual(
		[result.accounts, result.transfers, result.problems, result.first_problems.length],
		[5, 9, 150, 100],
	);
	assert.equal(result.first_problems[0]?.name, 'user_0');
});

test('a service that stops records that its verification was not finished, and does not wait for it', async (t) => {
	const stopping = await startDashboard(t);
	const operator = await stopping.operator(OP);
	holdVerification(stopping);
	await operator.change('/operator/ledger/verify', {});
	await stopping.stop();
	const store = await openStore(stopping.config);
	t.after(() => store.close());
	const { newest, ended } = await store.findVerifications();
	assert.deepEqual([newest?.id, newest?.result], [ended?.id, null]);
	assert.ok(ended?.endedAtMs);
});
