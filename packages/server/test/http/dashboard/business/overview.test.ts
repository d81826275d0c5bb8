import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { newId } from '../../../../src/credentials.ts';
import type { UsageReport } from '../../../../src/domain/usage.ts';
import { createTopLists } from '../../../../src/http/dashboard/business/top-lists.ts';
import { StoreUnavailableError } from '../../../../src/store/store.ts';
import { startDashboard } from '../../../support/dashboard.ts';

const DAY_MS = 86_400_000;
const FIVE_MINUTES_MS = 5 * 60_000;

/** A dashboard whose clock stands at noon, with a report for each entry: the days before today, the name, bytes. */
async function startWithUsage(
	t: Parameters<typeof startDashboard>[0],
	used: readonly (readonly [daysAgo: number, username: string, up: number, down: number])[],
) {
	const dashboard = await startDashboard(t);
	dashboard.clock.stop();
	const noonMs = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
	dashboard.clock.stoppedAtMs = noonMs;
	const acme = await dashboard.resellerWithPerson('acme');
	const bolt = await dashboard.resellerWithPerson('bolt');
	for (const username of ['alice', 'bobby']) await acme.browser.change('/sub-users/create', { username });
	await bolt.browser.change('/sub-users/create', { username: 'carol' });
	const reports = used.map(
		([daysAgo, username, bytesUp, bytesDown]): UsageReport => ({
			source: 'test',
			id: newId(),
			username,
			atMs: noonMs - daysAgo * DAY_MS,
			bytesUp,
			bytesDown,
		}),
	);
	const answer = await dashboard.store.recordUsage(reports, noonMs);
	assert.ok(answer.kind === 'committed' && answer.results.every((verdict) => verdict === 'counted'));
	const day = (daysAgo: number) => new Date(noonMs - DAY_MS / 2 - daysAgo * DAY_MS).toISOString();
	return { ...dashboard, acme, bolt, day, noonMs };
}

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
	});
	const bound = { reseller: 'acme', balance: 1000, low_balance: 500, price: null };
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

test('after a change that is done, a store that cannot be read makes its outcome unknown, not undone', async (t) => {
	const dashboard = await startDashboard(t);
	const { browser } = await dashboard.resellerWithPerson('acme');
	dashboard.faults.findLowBalance = () => Promise.reject(new StoreUnavailableError('planted'));
	await browser.refused('outcome_unknown', '/overview/low-balance', { act: randomUUID(), low_balance: 5 });
	await browser.refused('unavailable', '/overview');
	delete dashboard.faults.findLowBalance;
	assert.equal((await browser.read('/overview')).low_balance, 5);
});

test('bandwidth has one entry for each UTC day, of all sub-users or of one', async (t) => {
	const { acme, bolt, day } = await startWithUsage(t, [
		[0, 'alice', 1, 2],
		[0, 'bobby', 10, 20],
		[6, 'alice', 3, 4],
		[7, 'alice', 100, 100],
		[29, 'bobby', 5, 6],
		[89, 'alice', 7, 8],
		[90, 'alice', 1000, 1000],
		[0, 'carol', 9999, 9999],
	]);
	const shown = ({ days }: { readonly days: readonly { date: string; up: number; down: number }[] }) =>
		days.filter(({ up, down }) => up + down > 0).map(({ date, up, down }) => ({ date, up, down }));
	const week = await acme.browser.read('/bandwidth', { days: 7 });
	assert.deepEqual(
		week.days.map(({ date }) => date),
		[6, 5, 4, 3, 2, 1, 0].map(day),
	);
	assert.deepEqual(shown(week), [
		{ date: day(6), up: 3, down: 4 },
		{ date: day(0), up: 11, down: 22 },
	]);
	const month = await acme.browser.read('/bandwidth', { days: 30, username: 'Bobby' });
	assert.equal(month.days.length, 30);
	assert.deepEqual(shown(month), [
		{ date: day(29), up: 5, down: 6 },
		{ date: day(0), up: 10, down: 20 },
	]);
	const quarter = await acme.browser.read('/bandwidth', { days: 90, username: 'alice' });
	assert.equal(quarter.days.length, 90);
	assert.deepEqual(shown(quarter)[0], { date: day(89), up: 7, down: 8 });
	for (const username of [
		'carol',
		'nobody',
		'acme',
		'bolt',
		'',
		'a',
		'<script>',
		'=1+1',
		'\u202ealice',
		'x'.repeat(5000),
	]) {
		const query = `days=7&username=${encodeURIComponent(username)}`;
		await acme.browser.refused('unknown_sub_user', `/bandwidth?${query}`);
	}
	assert.deepEqual(shown(await bolt.browser.read('/bandwidth', { days: 7 })), [{ date: day(0), up: 9999, down: 9999 }]);
});

test('the top list is five minutes old at most, and says since when', async (t) => {
	const { acme, bolt, clock, noonMs, store } = await startWithUsage(t, [
		[0, 'alice', 1, 2],
		[1, 'bobby', 10, 20],
		[8, 'alice', 50, 50],
		[0, 'carol', 9999, 9999],
	]);
	const week = [
		{ username: 'bobby', up: 10, down: 20 },
		{ username: 'alice', up: 1, down: 2 },
	];
	const asOf = new Date(noonMs).toISOString();
	assert.deepEqual(await acme.browser.read('/bandwidth/top', { days: 7 }), { as_of: asOf, sub_users: week });
	const month = [{ username: 'alice', up: 51, down: 52 }, week[0]];
	assert.deepEqual((await acme.browser.read('/bandwidth/top', { days: 30 })).sub_users, month);
	assert.deepEqual((await bolt.browser.read('/bandwidth/top', { days: 7 })).sub_users, [
		{ username: 'carol', up: 9999, down: 9999 },
	]);
	const more = { source: 'test', id: 'more', username: 'alice', atMs: noonMs, bytesUp: 100, bytesDown: 100 };
	await store.recordUsage([more], noonMs);
	clock.aheadMs = FIVE_MINUTES_MS - 1;
	assert.deepEqual(await acme.browser.read('/bandwidth/top', { days: 7 }), { as_of: asOf, sub_users: week });
	clock.aheadMs = FIVE_MINUTES_MS;
	assert.deepEqual(await acme.browser.read('/bandwidth/top', { days: 7 }), {
		as_of: new Date(noonMs + FIVE_MINUTES_MS).toISOString(),
		sub_users: [{ username: 'alice', up: 101, down: 102 }, week[0]],
	});
});

test('one top list of a reseller is made at a time, for all who ask, and a failure is kept for a minute', async () => {
	const asked: { readonly reseller: string; readonly days: number; readonly end: (error?: Error) => void }[] = [];
	let nowMs = 1_000 * DAY_MS;
	const topLists = createTopLists({
		nowMs: () => nowMs,
		store: {
			listTopSubUsers: ({ reseller, firstDay, lastDay }) =>
				new Promise((resolve, reject) => {
					const end = (error?: Error) => (error ? reject(error) : resolve([]));
					asked.push({ reseller, days: lastDay - firstDay + 1, end });
				}),
		},
	});
	const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
	const week = [topLists('acme', 7), topLists('acme', 7)];
	const month = topLists('acme', 30);
	const other = topLists('bolt', 7);
	assert.deepEqual(
		asked.map(({ reseller, days }) => [reseller, days]),
		[
			['acme', 7],
			['bolt', 7],
		],
	);
	asked[0]?.end(new StoreUnavailableError('planted'));
	for (const list of week) await assert.rejects(list, StoreUnavailableError);
	await turn();
	assert.deepEqual([asked[2]?.reseller, asked[2]?.days], ['acme', 30]);
	for (const { end } of asked) end();
	await Promise.all([month, other]);
	await assert.rejects(topLists('acme', 7), StoreUnavailableError);
	assert.equal(asked.length, 3, 'what failed may be what keeps the store busy');
	nowMs += 60_000;
	const again = topLists('acme', 7);
	assert.equal(asked.length, 4);
	asked[3]?.end();
	await again;
	await Promise.all([topLists('acme', 7), topLists('acme', 30), topLists('bolt', 7)]);
	assert.equal(asked.length, 4);
	for (let number = 0; number < 1_000; number++) {
		const made = topLists(`other${number}`, 7);
		asked.at(-1)?.end();
		await made;
	}
	void topLists('bolt', 7).catch(() => undefined);
	assert.equal(asked.length, 1_005, 'only the newest lists are kept');
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
		(await ben.read('/bandwidth', { days: 7, ...query })).days.map(({ cost }) => cost);
	assert.deepEqual(await costs({}), [0, 0, 0, 0, 300, 0, 0]);
	assert.deepEqual(await costs({ username: 'alice' }), [0, 0, 0, 0, 100, 0, 0]);
	const { price, balance } = await ben.read('/sub-user', { username: 'alice' });
	assert.deepEqual([price, balance], [1_000_000, 300]);
	assert.equal((await ben.read('/sub-users')).price, 1_000_000);
	const file = await (await ben.download('/bandwidth.csv', { username: 'alice' })).text();
	assert.match(file, /,1000000000,0,1\.00\r\n/);
	await (await openOperator('other@bursar.example')).change('/operator/price', { reseller: 'acme', price: null });
	assert.equal(await ben.read('/metering'), null);
});
