import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Bandwidth } from '@bursar/contract/dashboard';
import { createTopSubUsers } from '../../../../src/http/dashboard/bandwidth/top-sub-users.ts';
import { StoreUnavailableError } from '../../../../src/store/reading.ts';
import { reading } from '../../../support/commands.ts';
import { startDashboard } from '../../../support/dashboard.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FIVE_MINUTES_MS = 5 * 60_000;

const { store, clock, faults, operator: newOperator, resellerWithPerson } = await startDashboard(wholeFile);
const noonMs = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
const nowMs = noonMs + HOUR_MS / 2;
clock.stoppedAtMs = nowMs;
const operator = await newOperator();
const day = (ago: number) => new Date(noonMs - DAY_MS / 2 - ago * DAY_MS).toISOString();
const hour = (ago: number) => new Date(noonMs - ago * HOUR_MS).toISOString();

/** A person of a new reseller with these sub-users. */
async function start(reseller: string, ...usernames: readonly string[]) {
	const { browser } = await resellerWithPerson(reseller);
	for (const username of usernames) await browser.change('/sub-users/create', { username });
	return browser;
}

async function report(hoursAgo: number, edge: string, username: string, bytesUp: number, bytesDown = 0): Promise<void> {
	const change = { edge, counter: randomUUID(), username, atMs: nowMs - hoursAgo * HOUR_MS };
	const answer = await store.recordUsage([reading(bytesUp, bytesDown, change)], nowMs);
	assert.ok(answer.kind === 'committed' && answer.results[0] === 'counted');
}

async function correct(username: string, bytesUp: number): Promise<void> {
	const of = { reference: randomUUID(), username, day: Math.floor(nowMs / DAY_MS), bytesUp, bytesDown: 0 };
	const by = { reason: 'Why', madeBy: 'root', requestId: 'cli-1' };
	await store.runPersonCommands([{ kind: 'correct_usage', ...of, ...by }], nowMs);
}

function used({ spans }: Bandwidth) {
	return spans.filter(({ up, down }) => up + down > 0).map(({ at, up, down }) => [at, up, down]);
}

test('parts are those that used most, and operators see all resellers, edges and the network', async () => {
	const ann = await start('acme', 'alice', 'bobby');
	await start('bolt', 'carol');
	await report(0, 'eu-1', 'alice', 5);
	await report(1, 'us-1', 'bobby', 10, 10);
	await report(1, 'us-1', 'acme', 100);
	await report(2, 'us-1', 'carol', 7);
	await correct('carol', 70);
	const bySubUser = await ann.read('/bandwidth', { range: '24h', by: 'sub_user' });
	assert.deepEqual(
		bySubUser.parts.map(({ name, up, down, values }) => [name, up, down, values.slice(-2)]),
		[
			['bobby', 10, 10, [20, 0]],
			['alice', 5, 0, [0, 5]],
		],
	);
	assert.equal(bySubUser.spans.at(-2)?.up, 110, 'the account of the reseller is in the whole');
	const edges = async (read: Promise<Bandwidth>) => (await read).parts.map(({ name, up }) => [name, up]);
	assert.deepEqual(await edges(ann.read('/bandwidth', { range: '7d', by: 'edge' })), [
		['us-1', 110],
		['eu-1', 5],
	]);
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
	clock.aheadMs += FIVE_MINUTES_MS;
	assert.equal((await network({ range: '7d' })).spans.at(-1)?.up, 201);
	await operator.refused('invalid_query', '/operator/bandwidth?range=7d&by=sub_user');
	await operator.refused('invalid_query', '/operator/bandwidth?range=7d&username=alice');
	await operator.refused('invalid_query', '/operator/bandwidth?range=7d&reseller=acme&by=reseller');
	await operator.refused('unknown_account', '/operator/bandwidth?range=7d&reseller=acme&username=carol');
});

test('bandwidth has one entry for each UTC day, of all sub-users or of one, and none of others', async () => {
	const ann = await start('daily', 'anna', 'bert');
	for (const [daysAgo, username, up, down] of [
		[0, 'anna', 1, 2],
		[0, 'bert', 10, 20],
		[6, 'anna', 3, 4],
		[7, 'anna', 100, 100],
		[89, 'anna', 7, 8],
	] as const) {
		await report(24 * daysAgo, 'eu-1', username, up, down);
	}
	const week = await ann.read('/bandwidth', { range: '7d' });
	assert.deepEqual(
		week.spans.map(({ at }) => at),
		[6, 5, 4, 3, 2, 1, 0].map(day),
	);
	assert.deepEqual(used(week), [
		[day(6), 3, 4],
		[day(0), 11, 22],
	]);
	const month = await ann.read('/bandwidth', { range: '30d', username: 'Bert' });
	assert.deepEqual([month.spans.length, used(month)], [30, [[day(0), 10, 20]]]);
	const quarter = await ann.read('/bandwidth', { range: '90d', username: 'anna' });
	assert.deepEqual([quarter.spans.length, used(quarter)[0]], [90, [day(89), 7, 8]]);
	for (const username of ['carol', 'daily', '', '<script>', '\u202eanna', 'x'.repeat(5000)]) {
		await ann.refused('unknown_sub_user', `/bandwidth?range=7d&username=${encodeURIComponent(username)}`);
	}
});

test('the top list is five minutes old at most, and says since when', async () => {
	const ann = await start('topped', 'first', 'second');
	await report(0, 'eu-1', 'first', 1, 2);
	await report(24, 'eu-1', 'second', 10, 20);
	await report(8 * 24, 'eu-1', 'first', 50, 50);
	// The own pair is not in the list, but in the sum.
	await report(0, 'eu-1', 'topped', 3, 4);
	const second = { username: 'second', up: 10, down: 20 };
	const list = {
		as_of: new Date(clock.nowMs()).toISOString(),
		sub_users: [second, { username: 'first', up: 1, down: 2 }],
		all: { up: 14, down: 26 },
	};
	assert.deepEqual(await ann.read('/bandwidth/top', { range: '7d' }), list);
	const month = await ann.read('/bandwidth/top', { range: '30d' });
	assert.deepEqual(month.sub_users, [{ username: 'first', up: 51, down: 52 }, second]);
	await report(0, 'eu-1', 'first', 100, 100);
	clock.aheadMs += FIVE_MINUTES_MS - 1;
	assert.deepEqual(await ann.read('/bandwidth/top', { range: '7d' }), list);
	clock.aheadMs += 1;
	assert.deepEqual(await ann.read('/bandwidth/top', { range: '7d' }), {
		as_of: new Date(clock.nowMs()).toISOString(),
		sub_users: [{ username: 'first', up: 101, down: 102 }, second],
		all: { up: 114, down: 126 },
	});
});

test('one top list of a reseller is made at a time, for all who ask, and a failure is kept for a minute', async () => {
	const asked: { readonly reseller: string; readonly days: number; readonly end: (error?: Error) => void }[] = [];
	let nowMs = 1_000 * DAY_MS;
	const days = (count: number) => ({ unit: 'day', first: 1_001 - count, last: 1_000, goesOn: true }) as const;
	const topLists = createTopSubUsers({
		nowMs: () => nowMs,
		store: {
			listBandwidth: async () => [],
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

test('hours of the last day are compared with the day before, without the hour that is not over', async () => {
	const ann = await start('hourly', 'adam', 'boris');
	await report(0, 'eu-1', 'adam', 1_000);
	await report(1, 'eu-1', 'adam', 10, 20);
	await report(23, 'us-1', 'boris', 3);
	await report(24, 'eu-1', 'adam', 5_000);
	await report(25, 'eu-1', 'adam', 11);
	await report(47, 'eu-1', 'adam', 4);
	await report(48, 'eu-1', 'adam', 70_000);
	const answer = await ann.read('/bandwidth', { range: '24h' });
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
	const ofAlice = await ann.read('/bandwidth', { range: '24h', username: 'adam' });
	assert.deepEqual(ofAlice.comparison, { now: 30, before: 15 });
	const ofEdge = await ann.read('/bandwidth', { range: '24h', edge: 'us-1' });
	assert.deepEqual([used(ofEdge), ofEdge.comparison], [[[hour(23), 3, 0]], { now: 3, before: 0 }]);
});

test('a week by hour is compared by its days, because hours of the week before are not kept', async () => {
	const ann = await start('weekly', 'agnes', 'berta');
	await report(0, 'eu-1', 'agnes', 1_000);
	await report(24, 'eu-1', 'agnes', 10);
	await report(24 * 7, 'eu-1', 'agnes', 7);
	await report(24 * 12, 'eu-1', 'agnes', 600);
	await report(24 * 13, 'eu-1', 'agnes', 6);
	await correct('agnes', -900);
	const week = await ann.read('/bandwidth', { range: '7d', unit: 'hour' });
	assert.deepEqual([week.spans.length, week.spans[0]?.at, week.before], [6 * 24 + 13, day(6), null]);
	assert.deepEqual(week.comparison, { now: 10, before: 606 });
	assert.equal(week.spans.at(-1)?.up, 1_000, 'hours have no corrections');
	assert.equal(week.corrections.length, 1);
	const byDay = await ann.read('/bandwidth', { range: '7d' });
	assert.equal(byDay.spans.at(-1)?.up, 100);
	assert.deepEqual(byDay.comparison, { now: 10, before: 606 });
	assert.deepEqual(
		byDay.before?.map(({ up }) => up),
		[6, 600, 0, 0, 0, 0, 7],
	);
	const byEdge = await ann.read('/bandwidth', { range: '7d', unit: 'hour', edge: 'eu-1' });
	assert.deepEqual([byEdge.before, byEdge.comparison], [null, null]);
});

test('a free range has its days or hours, and is compared whole if it is over', async () => {
	const ann = await start('ranged', 'alma', 'bruno');
	const date = (ago: number) => day(ago).slice(0, 10);
	for (const [days, bytes] of [
		[1, 10],
		[2, 20],
		[3, 300],
		[4, 400],
	] as const) {
		await report(24 * days, 'eu-1', 'alma', bytes);
	}
	const range = `${date(2)}..${date(1)}` as const;
	const days = await ann.read('/bandwidth', { range });
	assert.deepEqual([days.unit, days.goes_on], ['day', false]);
	assert.deepEqual(used(days), [
		[day(2), 20, 0],
		[day(1), 10, 0],
	]);
	assert.deepEqual(days.comparison, { now: 30, before: 700 });
	const hours = await ann.read('/bandwidth', { range, unit: 'hour' });
	assert.deepEqual([hours.spans.length, hours.before?.length, hours.comparison], [48, 48, { now: 30, before: 700 }]);
	const today = await ann.read('/bandwidth', { range: `${date(0)}..${date(0)}` });
	assert.deepEqual([today.spans.length, today.goes_on, today.comparison], [1, true, null]);
	const all = await ann.read('/bandwidth', { range: `${date(89)}..${date(0)}` });
	assert.equal(all.spans.length, 90);
	await ann.refused('invalid_query', `/bandwidth?range=${date(90)}..${date(0)}`);
	await ann.refused('invalid_query', `/bandwidth?range=${date(7)}..${date(5)}&unit=hour`);
	await ann.refused('invalid_query', `/bandwidth?range=${date(1)}..${date(-1)}`);
});

test('a store that was older than its hours says since when they are known, and compares nothing before', async () => {
	const ann = await start('older', 'anton', 'bela');
	await report(0, 'eu-1', 'anton', 5);
	await report(30, 'eu-1', 'anton', 5);
	const sinceMs = nowMs - 10 * HOUR_MS;
	faults.findHoursSince = async () => sinceMs;
	const since = new Date(sinceMs).toISOString();
	const hours = await ann.read('/bandwidth', { range: '24h' });
	assert.deepEqual([hours.hours_since, hours.before], [since, null]);
	const days = await ann.read('/bandwidth', { range: '30d' });
	assert.deepEqual([days.hours_since, days.before?.length], [null, 30]);
	assert.equal((await ann.read('/bandwidth', { range: '30d', by: 'edge' })).hours_since, since);
	assert.equal((await ann.read('/bandwidth', { range: '30d', edge: 'eu-1' })).before, null);
	faults.findHoursSince = async () => Date.parse(hour(60));
	assert.equal((await ann.read('/bandwidth', { range: '24h' })).before?.length, 24);
	delete faults.findHoursSince;
});
