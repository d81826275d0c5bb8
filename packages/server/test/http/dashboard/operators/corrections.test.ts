import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { createSubUser, deleteSubUser, setPrice } from '../../../support/commands.ts';
import { startDashboard } from '../../../support/dashboard.ts';

const DAY_MS = 86_400_000;
const OP = 'op@bursar.example';

/** Two resellers, each with a sub-user that used 100 bytes up and 1,000 down today. */
async function start(t: Parameters<typeof startDashboard>[0]) {
	const dashboard = await startDashboard(t);
	const { clock, store } = dashboard;
	clock.stop();
	const operator = await dashboard.operator(OP);
	const acme = await dashboard.resellerWithPerson('acme');
	await dashboard.openReseller('bolt', 1000);
	const nowMs = clock.nowMs();
	const commands = [createSubUser('acme', 'alice'), createSubUser('bolt', 'olga'), setPrice('acme', 1_000_000_000)];
	assert.equal((await store.runCommands(commands, nowMs)).kind, 'committed');
	const report = (username: string) => ({
		source: 's',
		id: username,
		username,
		atMs: nowMs,
		bytesUp: 100,
		bytesDown: 1000,
	});
	assert.equal((await store.recordUsage([report('alice'), report('olga')], nowMs)).kind, 'committed');
	const dayText = (daysAgo = 0) => new Date(nowMs - daysAgo * DAY_MS).toISOString().slice(0, 10);
	const usual = { reseller: 'acme', username: 'alice', day: dayText(), reference: 'C-1', reason: 'Counted twice' };
	return { ...dashboard, operator, acme, dayText, usual };
}

test('an operator corrects a day once, with a proof, under a reference; it moves no money', async (t) => {
	const { operator, acme, usual, clock, dayText } = await start(t);
	const day = { reseller: 'acme', username: 'alice', day: usual.day };
	assert.deepEqual(await operator.read('/operator/usage/day', day), { up: 100, down: 1000 });
	const before = await acme.browser.read('/overview');
	const act = randomUUID();
	const correction = { ...usual, act, up: -60, down: 9 };
	assert.deepEqual(await operator.ok('/operator/usage/correct', correction), { repeated: false, up: 40, down: 1009 });
	await operator.refused('act_repeated', '/operator/usage/correct', correction);
	const again = { ...correction, act: randomUUID() };
	assert.deepEqual(await operator.ok('/operator/usage/correct', again), { repeated: true, up: 40, down: 1009 });
	await operator.refused('reference_conflict', '/operator/usage/correct', { ...again, act: randomUUID(), up: -61 });
	assert.deepEqual(await operator.read('/operator/usage/day', day), { up: 40, down: 1009 });
	assert.equal((await acme.browser.read('/overview')).balance, before.balance);

	const made = { made: new Date(clock.nowMs()).toISOString(), username: 'alice', up: -60, down: 9 };
	const shown = { ...made, reason: 'Counted twice', date: `${dayText()}T00:00:00.000Z` };
	assert.deepEqual((await acme.browser.read('/bandwidth', { range: '7d', username: 'alice' })).corrections, [shown]);
	assert.deepEqual((await operator.read('/operator/usage')).corrections, [
		{ ...shown, reseller: 'acme', reference: 'C-1', by: OP },
	]);
	const acts = (await operator.read('/operator/acts')).acts.filter(({ kind }) => kind === 'correct_usage');
	assert.deepEqual(
		acts.map(({ target, email }) => [target, email]),
		[[`alice ${dayText()}`, OP]],
		'a repeat changes nothing, and is no act',
	);

	clock.aheadMs = 5 * 60_000;
	await operator.refused('proof_required', '/operator/usage/correct', {
		...again,
		act: randomUUID(),
		reference: 'C-2',
	});
});

test('a day of the account of another reseller is neither shown nor corrected', async (t) => {
	const { operator, usual, store, acme } = await start(t);
	for (const [reseller, username] of [
		['acme', 'olga'],
		['bolt', 'alice'],
		['acme', 'nobody.here'],
		['acme', ''],
		['', 'alice'],
		['<script>', 'alice'],
	]) {
		const named = { ...usual, reseller, username };
		await operator.refused('unknown_account', '/operator/usage/correct', {
			...named,
			act: randomUUID(),
			up: 1,
			down: 0,
		});
		const query = new URLSearchParams({ reseller: reseller ?? '', username: username ?? '', day: usual.day });
		await operator.refused('unknown_account', `/operator/usage/day?${query}`);
	}
	assert.deepEqual(await store.listUsageCorrections({ limit: 9 }), []);
	await acme.browser.refused('only_for_operators', '/operator/usage/correct', {
		...{ ...usual, act: randomUUID(), up: 1, down: 0 },
	});
});

test('the own account of a reseller and a deleted sub-user are corrected, too', async (t) => {
	const { operator, usual, store, clock } = await start(t);
	assert.equal((await store.runCommands([deleteSubUser('acme', 'alice')], clock.nowMs())).kind, 'committed');
	const correct = (change: object) =>
		operator.ok('/operator/usage/correct', { ...usual, act: randomUUID(), ...change });
	assert.deepEqual(await correct({ up: -100, down: -1000 }), { repeated: false, up: 0, down: 0 });
	const own = { username: 'ACME', reference: 'C-2', up: 5, down: 6 };
	assert.deepEqual(await correct(own), { repeated: false, up: 5, down: 6 });
});

test('what no day can be is refused, and nothing is changed', async (t) => {
	const { operator, usual, store, dayText } = await start(t);
	for (const [code, change] of [
		['invalid_bytes', { up: 0, down: 0 }],
		['invalid_bytes', { up: 0.5, down: 1 }],
		['invalid_bytes', { up: 1e300, down: 1 }],
		['too_few_bytes', { up: -101, down: 0 }],
		['too_many_bytes', { up: Number.MAX_SAFE_INTEGER, down: 0 }],
		['day_ahead', { day: dayText(-1) }],
		['invalid_reference', { reference: ' ' }],
		['invalid_reason', { reason: '' }],
		['invalid_reason', { reason: 'x'.repeat(201) }],
	] as const) {
		const body = { ...usual, act: randomUUID(), up: 1, down: 0, ...change };
		await operator.refused(code, '/operator/usage/correct', body);
	}
	for (const day of ['2026-02-30', '', '26-1-1', '1969-12-31']) {
		const body = { ...usual, act: randomUUID(), up: 1, down: 0, day };
		await operator.refused('invalid_request', '/operator/usage/correct', body);
	}
	assert.deepEqual(await store.listUsageCorrections({ limit: 9 }), []);
});
