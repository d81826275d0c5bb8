import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { StoreUnavailableError } from '../../../../src/store/reading.ts';
import { runAll } from '../../../store/suite/engine.ts';
import { postUsage } from '../../../support/commands.ts';
import { startDashboard } from '../../../support/dashboard.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const DAY_MS = 86_400_000;

const { resellerWithPerson, signedIn, operator, store, clock, faults } = await startDashboard(wholeFile);
const olga = await operator();
clock.stop();

async function use(username: string, bytesUp: number): Promise<void> {
	const report = { source: 's', id: randomUUID(), username, atMs: clock.nowMs(), bytesUp, bytesDown: 0 };
	assert.equal((await store.recordUsage([report], clock.nowMs())).kind, 'committed');
}

test('the overview has the balance, the debt, and the bound that a person of the reseller sets', async () => {
	const { browser: ann } = await resellerWithPerson('acme');
	const { browser: bob } = await resellerWithPerson('bolt');
	const path = '/overview/low-balance';
	const overview = { reseller: 'acme', balance: 1000, low_balance: null, price: null, debt: 0, debt_line: 500 };
	assert.deepEqual(await ann.read('/overview'), { ...overview, pair: 'active' });
	const bound = { ...overview, low_balance: 500, pair: 'active' };
	assert.deepEqual(await ann.change(path, { low_balance: 500 }), bound);
	assert.deepEqual(await ann.read('/overview'), bound);
	await ann.refused('invalid_amount', path, { act: randomUUID(), low_balance: 0.5 });
	const act = randomUUID();
	await ann.ok(path, { act, low_balance: 0 });
	await ann.refused('act_repeated', path, { act, low_balance: 7 });
	assert.equal((await ann.change(path, { low_balance: null })).low_balance, null);
	assert.equal((await bob.read('/overview')).low_balance, null);
	const { acts } = await ann.read('/account/acts');
	assert.deepEqual(
		acts.slice(0, 3).map(({ kind, target }) => [kind, target]),
		['', '0', '500'].map((target) => ['set_low_balance', target]),
	);

	faults.findLowBalance = () => Promise.reject(new StoreUnavailableError('planted'));
	await ann.refused('outcome_unknown', path, { act: randomUUID(), low_balance: 5 });
	await ann.refused('unavailable', '/overview');
	delete faults.findLowBalance;
	assert.equal((await ann.read('/overview')).low_balance, 5, 'the change was done');

	await olga.change('/operator/price', { reseller: 'acme', price: 1_000_000, debt_line: 250 });
	await use('acme', 15e9);
	await runAll(store, [postUsage('acme', 'acme')], clock.nowMs());
	const { balance, debt, debt_line } = await ann.read('/overview');
	assert.deepEqual([balance, debt, debt_line], [0, 500, 250], 'what no balance covered');
});

test('a metered reseller sees what days cost, what is left, and who runs out; without a price there is nothing to see', async () => {
	const { browser: ann } = await resellerWithPerson('metered');
	for (const username of ['alice', 'bobby']) await ann.change('/sub-users/create', { username });
	await ann.change('/sub-users/give', { username: 'alice', amount: 400 });
	assert.equal(await ann.read('/metering'), null);
	await olga.change('/operator/price', { reseller: 'metered', price: 1_000_000 });
	await use('alice', 1_000_000_000);
	await use('metered', 2_000_000_000);
	await use('bobby', 1);
	clock.stoppedAtMs = clock.nowMs() + 2 * DAY_MS;
	const ben = await signedIn('ben@metered.example', 'metered');
	const metering = await ben.read('/metering');
	const ofAlice = { balance: 300, week_cost: 100, days_left: 6 };
	assert.deepEqual(metering, {
		as_of: new Date(clock.nowMs()).toISOString(),
		own: { balance: 380, week_cost: 200, days_left: 3.8 },
		sub_users: ofAlice,
		running_out: [{ username: 'alice', ...ofAlice }],
		ran_out_count: 1,
		ran_out: [{ username: 'bobby', week_cost: 0 }],
	});
	const costs = async (query: { readonly username?: string }) =>
		(await ben.read('/bandwidth', { range: '7d', ...query })).spans.map(({ cost }) => cost);
	assert.deepEqual(await costs({}), [0, 0, 0, 0, 300, 0, 0]);
	assert.deepEqual(await costs({ username: 'alice' }), [0, 0, 0, 0, 100, 0, 0]);
	const { price, balance } = await ben.read('/sub-user', { username: 'alice' });
	assert.deepEqual([price, balance], [1_000_000, 300]);
	assert.equal((await ben.read('/sub-users')).price, 1_000_000);
	const file = await (await ben.download('/bandwidth.csv', { range: '7d', username: 'alice', zone: 'UTC' })).text();
	assert.match(file, /,1000000000,0,1\.00\r\n/);
	const other = await operator('other@bursar.example');
	const income = await other.read('/operator/income', { days: 7 });
	assert.deepEqual(income.resellers[0], { reseller: 'acme', cost: 1500, debt: 500 });
	assert.deepEqual(income.resellers[1], { reseller: 'metered', cost: 300, debt: 0 });
	assert.deepEqual(
		income.days.map(({ cost }) => cost),
		[0, 0, 0, 0, 1800, 0, 0],
	);
	await other.change('/operator/price', { reseller: 'metered', price: null });
	assert.equal(await ben.read('/metering'), null);
});
