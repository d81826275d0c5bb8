import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { StoreUnavailableError } from '../../../../src/store/store.ts';
import { runAll } from '../../../store/suite/engine.ts';
import { postUsage } from '../../../support/commands.ts';
import { startDashboard } from '../../../support/dashboard.ts';

const DAY_MS = 86_400_000;

test('the overview has the balance, and warns below the bound that a person of the reseller sets', async (t) => {
	const dashboard = await startDashboard(t);
	const acme = await dashboard.resellerWithPerson('acme');
	const bolt = await dashboard.resellerWithPerson('bolt');
	const path = '/overview/low-balance';
	assert.deepEqual(await acme.browser.read('/overview'), {
		reseller: 'acme',
		balance: 1000,
		low_balance: null,
		price: null,
		debt: 0,
		debt_line: 500,
		pair: 'active',
	});
	const bound = {
		reseller: 'acme',
		balance: 1000,
		low_balance: 500,
		price: null,
		debt: 0,
		debt_line: 500,
		pair: 'active',
	};
	assert.deepEqual(await acme.browser.change(path, { low_balance: 500 }), bound);
	assert.deepEqual(await acme.browser.read('/overview'), bound);
	for (const low_balance of [-1, 0.5, 2 ** 53, 1e300]) {
		await acme.browser.refused('invalid_amount', path, { act: randomUUID(), low_balance });
	}
	const act = randomUUID();
	await acme.browser.ok(path, { act, low_balance: 0 });
	await acme.browser.refused('act_repeated', path, { act, low_balance: 7 });
	assert.equal((await acme.browser.read('/overview')).low_balance, 0);
	assert.equal((await acme.browser.change(path, { low_balance: 0 })).low_balance, 0);
	assert.equal((await acme.browser.change(path, { low_balance: null })).low_balance, null);
	assert.equal((await acme.browser.read('/overview')).low_balance, null);
	assert.equal((await bolt.browser.read('/overview')).low_balance, null);
	const { acts } = await acme.browser.read('/account/acts');
	assert.deepEqual(
		acts.slice(0, 3).map(({ kind, target }) => [kind, target]),
		[
			['set_low_balance', ''],
			['set_low_balance', '0'],
			['set_low_balance', '500'],
		],
	);
});

test('the overview has what no balance covered, and its line', async (t) => {
	const { resellerWithPerson, operator: openOperator, store, clock } = await startDashboard(t);
	const acme = await resellerWithPerson('acme');
	const operator = await openOperator();
	await operator.change('/operator/price', { reseller: 'acme', price: 1_000_000, debt_line: 250 });
	const report = { source: 's', id: randomUUID(), username: 'acme', atMs: clock.nowMs(), bytesUp: 15e9, bytesDown: 0 };
	assert.equal((await store.recordUsage([report], clock.nowMs())).kind, 'committed');
	await runAll(store, [postUsage('acme', 'acme')], clock.nowMs());
	const { balance, debt, debt_line } = await acme.browser.read('/overview');
	assert.deepEqual([balance, debt, debt_line], [0, 500, 250]);
});

test('after a change that is done, a store that cannot be read makes its outcome unknown, not undone', async (t) => {
	const dashboard = await startDashboard(t);
	const { browser } = await dashboard.resellerWithPerson('acme');
	dashboard.faults.findLowBalance = () => Promise.reject(new StoreUnavailableError('planted'));
	await browser.refused('outcome_unknown', '/overview/low-balance', { act: randomUUID(), low_balance: 5 });
	await browser.refused('unavailable', '/overview');
	delete dashboard.faults.findLowBalance;
	assert.equal((await browser.read('/overview')).low_balance, 5);
});

test('a metered reseller sees what days cost, what is left, and who runs out; without a price there is nothing to see', async (t) => {
	const { resellerWithPerson, signedIn, operator: openOperator, store, clock } = await startDashboard(t);
	const acme = await resellerWithPerson('acme');
	const operator = await openOperator();
	clock.stop();
	for (const username of ['alice', 'bobby']) await acme.browser.change('/sub-users/create', { username });
	await acme.browser.change('/sub-users/give', { username: 'alice', amount: 400 });
	assert.equal(await acme.browser.read('/metering'), null);
	await operator.change('/operator/price', { reseller: 'acme', price: 1_000_000 });
	const use = async (username: string, bytesUp: number) => {
		const report = { source: 's', id: randomUUID(), username, atMs: clock.nowMs(), bytesUp, bytesDown: 0 };
		assert.equal((await store.recordUsage([report], clock.nowMs())).kind, 'committed');
	};
	await use('alice', 1_000_000_000);
	await use('acme', 2_000_000_000);
	await use('bobby', 1);
	clock.stoppedAtMs = clock.nowMs() + 2 * DAY_MS;
	const ben = await signedIn('ben@acme.example', 'acme');
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
	const other = await openOperator('other@bursar.example');
	const income = await other.read('/operator/income', { days: 7 });
	assert.deepEqual(income.resellers, [{ reseller: 'acme', cost: 300, debt: 0 }]);
	assert.deepEqual(
		income.days.map(({ cost }) => cost),
		[0, 0, 0, 0, 300, 0, 0],
	);
	await other.change('/operator/price', { reseller: 'acme', price: null });
	assert.equal(await ben.read('/metering'), null);
});
