import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Bandwidth } from '@bursar/contract/dashboard';
import { newId } from '../../../../src/credentials.ts';
import type { UsageReport } from '../../../../src/domain/usage.ts';
import { createTopSubUsers } from '../../../../src/http/dashboard/bandwidth/top-sub-users.ts';
import { StoreUnavailableError } from '../../../../src/store/store.ts';
import { reading } from '../../../support/commands.ts';
import { startDashboard } from '../../../support/dashboard.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
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
	const shown = ({ spans }: Bandwidth) =>
		spans.filter(({ up, down }) => up + down > 0).map(({ at, up, down }) => ({ at, up, down }));
	const week = await acme.browser.read('/bandwidth', { range: '7d' });
	assert.deepEqual(
		week.spans.map(({ at }) => at),
		[6, 5, 4, 3, 2, 1, 0].map(day),
	);
	assert.deepEqual(shown(week), [
		{ at: day(6), up: 3, down: 4 },
		{ at: day(0), up: 11, down: 22 },
	]);
	const month = await acme.browser.read('/bandwidth', { range: '30d', username: 'Bobby' });
	assert.equal(month.spans.length, 30);
	assert.deepEqual(shown(month), [
		{ at: day(29), up: 5, down: 6 },
		{ at: day(0), up: 10, down: 20 },
	]);
	const quarter = await acme.browser.read('/bandwidth', { range: '90d', username: 'alice' });
	assert.equal(quarter.spans.length, 90);
	assert.deepEqual(shown(quarter)[0], { at: day(89), up: 7, down: 8 });
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
		const query = `range=7d&username=${encodeURIComponent(username)}`;
		await acme.browser.refused('unknown_sub_user', `/bandwidth?${query}`);
	}
	assert.deepEqual(shown(await bolt.browser.read('/bandwidth', { range: '7d' })), [
		{ at: day(0), up: 9999, down: 9999 },
	]);
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
	assert.deepEqual(await acme.browser.read('/bandwidth/top', { range: '7d' }), { as_of: asOf, sub_users: week });
	const month = [{ username: 'alice', up: 51, down: 52 }, week[0]];
	assert.deepEqual((await acme.browser.read('/bandwidth/top', { range: '30d' })).sub_users, month);
	assert.deepEqual((await bolt.browser.read('/bandwidth/top', { range: '7d' })).sub_users, [
		{ username: 'carol', up: 9999, down: 9999 },
	]);
	const more = { source: 'test', id: 'more', username: 'alice', atMs: noonMs, bytesUp: 100, bytesDown: 100 };
	await store.recordUsage([more], noonMs);
	clock.aheadMs = FIVE_MINUTES_MS - 1;
	assert.deepEqual(await acme.browser.read('/bandwidth/top', { range: '7d' }), { as_of: asOf, sub_users: week });
	clock.aheadMs = FIVE_MINUTES_MS;
	assert.deepEqual(await acme.browser.read('/bandwidth/top', { range: '7d' }), {
		as_of: new Date(noonMs + FIVE_MINUTES_MS).toISOString(),
		sub_users: [{ username: 'alice', up: 101, down: 102 }, week[0]],
	});
});

test('one top list of a reseller is made at a time, for all who ask, and a failure is kept for a minute', async () => {
	const asked: { readonly reseller: string; readonly days: number; readonly end: (error?: Error) => void }[] = [];
	let nowMs = 1_000 * DAY_MS;
	const days = (count: number) => ({ unit: 'day', first: 1_001 - count, last: 1_000, goesOn: true }) as const;
	const topLists = createTopSubUsers({
		nowMs: () => nowMs,
		store: {
			listBandwidthParts: ({ reseller = '', first, last }) =>
				new Promise((resolve, reject) => {
					const end = (error?: Error) => (error ? reject(error) : resolve([]));
					asked.push({ reseller, days: last - first + 1, end });
				}),
		},
	});
	const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
	const week = [topLists('acme', days(7)), topLists('acme', days(7))];
	const month = topLists('acme', days(30));
	const other = topLists('bolt', days(7));
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
	await assert.rejects(topLists('acme', days(7)), StoreUnavailableError);
	assert.equal(asked.length, 3, 'what failed may be what keeps the store busy');
	nowMs += 60_000;
	const again = topLists('acme', days(7));
	assert.equal(asked.length, 4);
	asked[3]?.end();
	await again;
	await Promise.all([topLists('acme', days(7)), topLists('acme', days(30)), topLists('bolt', days(7))]);
	assert.equal(asked.length, 4);
	for (let number = 0; number < 1_000; number++) {
		const made = topLists(`other${number}`, days(7));
		asked.at(-1)?.end();
		await made;
	}
	void topLists('bolt', days(7)).catch(() => undefined);
	assert.equal(asked.length, 1_005, 'only the newest lists are kept');
});

/** A dashboard whose clock stands half an hour after noon, and a function that reports from edges. */
async function startWithEdges(t: Parameters<typeof startDashboard>[0]) {
	const dashboard = await startWithUsage(t, []);
	const { store, clock, noonMs } = dashboard;
	const nowMs = noonMs + HOUR_MS / 2;
	clock.stoppedAtMs = nowMs;
	const report = async (hoursAgo: number, edge: string, username: string, bytesUp: number, bytesDown = 0) => {
		const counter = newId();
		const change = { edge, counter, username, atMs: nowMs - hoursAgo * HOUR_MS };
		const answer = await store.recordUsage([reading(bytesUp, bytesDown, change)], nowMs);
		assert.ok(answer.kind === 'committed' && answer.results[0] === 'counted');
	};
	const correct = (username: string, bytesUp: number) =>
		store.runPersonCommands(
			[
				{
					...{ kind: 'correct_usage', reference: newId(), username, day: Math.floor(nowMs / DAY_MS), bytesUp },
					...{ bytesDown: 0, reason: 'Why', madeBy: 'root', requestId: 'cli-1' },
				},
			],
			nowMs,
		);
	const hour = (ago: number) => new Date(noonMs - ago * HOUR_MS).toISOString();
	return { ...dashboard, nowMs, report, correct, hour };
}

function used({ spans }: Bandwidth) {
	return spans.filter(({ up, down }) => up + down > 0).map(({ at, up, down }) => [at, up, down]);
}

test('hours of the last day are compared with the day before, without the hour that is not over', async (t) => {
	const { acme, report, hour } = await startWithEdges(t);
	await report(0, 'eu-1', 'alice', 1_000);
	await report(1, 'eu-1', 'alice', 10, 20);
	await report(23, 'us-1', 'bobby', 3);
	await report(24, 'eu-1', 'alice', 5_000);
	await report(25, 'eu-1', 'alice', 11);
	await report(47, 'eu-1', 'alice', 4);
	await report(48, 'eu-1', 'alice', 70_000);
	const answer = await acme.browser.read('/bandwidth', { range: '24h' });
	assert.deepEqual(used(answer), [
		[hour(23), 3, 0],
		[hour(1), 10, 20],
		[hour(0), 1_000, 0],
	]);
	const { unit, spans, goes_on, before, comparison, parts, corrections, hours_since } = answer;
	assert.deepEqual([unit, spans.length, goes_on, spans[0]?.cost], ['hour', 24, true, null]);
	assert.equal(before?.length, 24);
	assert.deepEqual(
		[before?.[0], before?.[22], before?.[23]].map((bytes) => bytes?.up),
		[4, 11, 5_000],
	);
	assert.deepEqual(comparison, { now: 33, before: 15 });
	assert.deepEqual([parts, corrections, hours_since], [[], [], null]);
	const ofAlice = await acme.browser.read('/bandwidth', { range: '24h', username: 'alice' });
	assert.deepEqual(ofAlice.comparison, { now: 30, before: 15 });
	const ofEdge = await acme.browser.read('/bandwidth', { range: '24h', edge: 'us-1' });
	assert.deepEqual([used(ofEdge), ofEdge.comparison], [[[hour(23), 3, 0]], { now: 3, before: 0 }]);
});

test('a week by hour is compared by its days, because hours of the week before are not kept', async (t) => {
	const { acme, report, correct, day } = await startWithEdges(t);
	await report(0, 'eu-1', 'alice', 1_000);
	await report(24, 'eu-1', 'alice', 10);
	await report(24 * 7, 'eu-1', 'alice', 7);
	await report(24 * 12, 'eu-1', 'alice', 600);
	await report(24 * 13, 'eu-1', 'alice', 6);
	await correct('alice', -900);
	const week = await acme.browser.read('/bandwidth', { range: '7d', unit: 'hour' });
	assert.deepEqual([week.spans.length, week.spans[0]?.at, week.before], [6 * 24 + 13, day(6), null]);
	assert.deepEqual(week.comparison, { now: 10, before: 606 });
	assert.equal(week.spans.at(-1)?.up, 1_000, 'hours have no corrections');
	assert.equal(week.corrections.length, 1);
	const byDay = await acme.browser.read('/bandwidth', { range: '7d' });
	assert.equal(byDay.spans.at(-1)?.up, 100);
	assert.deepEqual(byDay.comparison, { now: 10, before: 606 });
	assert.deepEqual(
		byDay.before?.map(({ up }) => up),
		[6, 600, 0, 0, 0, 0, 7],
	);
	const byEdge = await acme.browser.read('/bandwidth', { range: '7d', unit: 'hour', edge: 'eu-1' });
	assert.deepEqual([byEdge.before, byEdge.comparison], [null, null]);
});

test('a free range has its days or hours, and is compared whole if it is over', async (t) => {
	const { acme, report, day } = await startWithEdges(t);
	const date = (ago: number) => day(ago).slice(0, 10);
	for (const [days, bytes] of [
		[1, 10],
		[2, 20],
		[3, 300],
		[4, 400],
	] as const) {
		await report(24 * days, 'eu-1', 'alice', bytes);
	}
	const range = `${date(2)}..${date(1)}` as const;
	const days = await acme.browser.read('/bandwidth', { range });
	assert.deepEqual([days.unit, days.goes_on], ['day', false]);
	assert.deepEqual(used(days), [
		[day(2), 20, 0],
		[day(1), 10, 0],
	]);
	assert.deepEqual(days.comparison, { now: 30, before: 700 });
	const hours = await acme.browser.read('/bandwidth', { range, unit: 'hour' });
	assert.deepEqual([hours.spans.length, hours.before?.length, hours.comparison], [48, 48, { now: 30, before: 700 }]);
	const today = await acme.browser.read('/bandwidth', { range: `${date(0)}..${date(0)}` });
	assert.deepEqual([today.spans.length, today.goes_on, today.comparison], [1, true, null]);
	const all = await acme.browser.read('/bandwidth', { range: `${date(89)}..${date(0)}` });
	assert.equal(all.spans.length, 90);
	await acme.browser.refused('invalid_query', `/bandwidth?range=${date(90)}..${date(0)}`);
	await acme.browser.refused('invalid_query', `/bandwidth?range=${date(7)}..${date(5)}&unit=hour`);
	await acme.browser.refused('invalid_query', `/bandwidth?range=${date(1)}..${date(-1)}`);
});

test('parts are those that used most, and operators see all resellers, edges and the network', async (t) => {
	const { acme, operator: openOperator, report, correct, hour, clock, nowMs } = await startWithEdges(t);
	await report(0, 'eu-1', 'alice', 5);
	await report(1, 'us-1', 'bobby', 10, 10);
	await report(1, 'us-1', 'acme', 100);
	await report(2, 'us-1', 'carol', 7);
	await correct('carol', 70);
	const bySubUser = await acme.browser.read('/bandwidth', { range: '24h', by: 'sub_user' });
	assert.deepEqual(
		bySubUser.parts.map(({ name, up, down, values }) => [name, up, down, values.slice(-2)]),
		[
			['bobby', 10, 10, [20, 0]],
			['alice', 5, 0, [0, 5]],
		],
	);
	assert.equal(bySubUser.spans.at(-2)?.up, 110, 'the account of the reseller is in the whole');
	const edges = async (read: Promise<Bandwidth>) => (await read).parts.map(({ name, up }) => [name, up]);
	assert.deepEqual(await edges(acme.browser.read('/bandwidth', { range: '7d', by: 'edge' })), [
		['us-1', 110],
		['eu-1', 5],
	]);
	const operator = await openOperator();
	const network = (query: object) => operator.read('/operator/bandwidth', { range: '24h', ...query });
	assert.deepEqual(await edges(network({ by: 'edge' })), [
		['us-1', 117],
		['eu-1', 5],
	]);
	assert.deepEqual(await edges(network({ by: 'reseller' })), [
		['acme', 115],
		['bolt', 7],
	]);
	assert.deepEqual(used(await network({ edge: 'us-1' })), [
		[hour(2), 7, 0],
		[hour(1), 110, 10],
	]);
	assert.deepEqual(await edges(network({ reseller: 'bolt', by: 'sub_user' })), [['carol', 7]]);
	assert.deepEqual(used(await network({ reseller: 'bolt', username: 'carol' })), [[hour(2), 7, 0]]);
	const days = await network({ range: '7d' });
	assert.deepEqual([days.spans.at(-1)?.up, days.spans.at(-1)?.cost, days.corrections], [192, 0, []]);
	assert.equal(days.as_of, new Date(nowMs).toISOString());
	await report(0, 'eu-1', 'alice', 9);
	assert.equal((await network({ range: '7d' })).spans.at(-1)?.up, 192);
	clock.stoppedAtMs = nowMs + FIVE_MINUTES_MS;
	assert.equal((await network({ range: '7d' })).spans.at(-1)?.up, 201);
	await operator.refused('invalid_query', '/operator/bandwidth?range=7d&by=sub_user');
	await operator.refused('invalid_query', '/operator/bandwidth?range=7d&username=alice');
	await operator.refused('invalid_query', '/operator/bandwidth?range=7d&reseller=acme&by=reseller');
	await operator.refused('unknown_account', '/operator/bandwidth?range=7d&reseller=acme&username=carol');
});

test('a store that was older than its hours says since when they are known, and compares nothing before', async (t) => {
	const { acme, report, hour, nowMs, faults } = await startWithEdges(t);
	await report(0, 'eu-1', 'alice', 5);
	await report(30, 'eu-1', 'alice', 5);
	const sinceMs = nowMs - 10 * HOUR_MS;
	faults.findHoursSince = async () => sinceMs;
	const since = new Date(sinceMs).toISOString();
	const hours = await acme.browser.read('/bandwidth', { range: '24h' });
	assert.deepEqual([hours.hours_since, hours.before], [since, null]);
	const days = await acme.browser.read('/bandwidth', { range: '30d' });
	assert.deepEqual([days.hours_since, days.before?.length], [null, 30]);
	assert.equal((await acme.browser.read('/bandwidth', { range: '30d', by: 'edge' })).hours_since, since);
	assert.equal((await acme.browser.read('/bandwidth', { range: '30d', edge: 'eu-1' })).before, null);
	faults.findHoursSince = async () => Date.parse(hour(60));
	assert.equal((await acme.browser.read('/bandwidth', { range: '24h' })).before?.length, 24);
});
