import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_CENTS } from '@bursar/contract';
import { type UsageReport, usageDayOf } from '../../../src/domain/usage.ts';
import type { Store } from '../../../src/store/store.ts';
import { NOON_MS, reading } from '../../support/commands.ts';
import { type Engine, type Lifetime, openSubUsers, record } from './engine.ts';

const DAY_MS = 86_400_000;
const TODAY = usageDayOf(NOON_MS);

function report(id: string, changes: Partial<UsageReport> = {}): UsageReport {
	return { source: 'eu-1', id, username: 'alice', atMs: NOON_MS, bytesUp: 5, bytesDown: 7, ...changes };
}

function day(number: number, bytesUp: number, bytesDown: number, username = 'alice') {
	return { reseller: 'acme', username, day: number, bytesUp, bytesDown };
}

function daysOf(store: Store, username = 'alice', firstDay = 0, lastDay = TODAY + 1) {
	return store.listUsageDays('acme', username, firstDay, lastDay);
}

/** Tests that usage is counted once, and added up by day. */
export function usageSuite(engine: Engine): void {
	const open = (t: Lifetime) => openSubUsers(engine, t);

	test('only the requested days are listed, and only to the reseller of the account', async (t) => {
		const { store } = await open(t);
		const offsets = [0, 1, 88, 89, 90, 119];
		await record(
			store,
			offsets.map((offset) => report(`${offset}`, { atMs: NOON_MS - offset * DAY_MS })),
		);
		assert.deepEqual(
			(await daysOf(store, 'alice', TODAY - 89, TODAY)).map((found) => TODAY - found.day).sort((a, b) => a - b),
			[0, 1, 88, 89],
		);
		assert.deepEqual(await store.listUsageDays('other', 'alice', 0, TODAY), []);
	});

	test('a repeat counts nothing, and other content is a conflict, in any batch and any store', async (t) => {
		const { store, openAnother } = await open(t);
		const conflict = { refused: 'conflict' };
		const other = report('1', { bytesUp: 6 });
		assert.deepEqual(await record(store, [report('1'), report('1'), other]), ['counted', 'repeated', conflict]);
		assert.deepEqual(await record(await openAnother(), [report('1'), other, report('1', { username: 'bruno' })]), [
			'repeated',
			conflict,
			conflict,
		]);
		assert.deepEqual(await daysOf(store), [day(TODAY, 5, 7)]);
		assert.deepEqual(await daysOf(store, 'bruno'), []);
	});

	test('a report sent to several stores at once counts once', async (t) => {
		const { store, openAnother } = await open(t);
		const stores = [store, await openAnother(), await openAnother()];
		const reports = Array.from({ length: 50 }, (_, n) => report(`${n}`));
		const verdicts = await Promise.all(
			stores.map((each, index) => record(each, index % 2 ? reports.toReversed() : reports)),
		);
		assert.equal(verdicts.flat().filter((verdict) => verdict === 'counted').length, 50);
		assert.equal(verdicts.flat().filter((verdict) => verdict === 'repeated').length, 100);
		assert.deepEqual(await daysOf(store), [day(TODAY, 250, 350)]);
	});

	test('every report that arrives is counted by day and verdict, by stores at once too, also if all are refused', async (t) => {
		const { store, openAnother, rows } = await open(t);
		const stores = [store, await openAnother(), await openAnother()];
		await Promise.all(
			stores.map(async (each, index) => {
				for (let batch = 0; batch < 8; batch++) {
					const reports = Array.from({ length: 20 }, (_, n) => report(`${(n * (index + 1)) % 20} ${batch}`));
					await record(each, [...reports, report('x', { username: 'nobody' }), { refused: 'invalid_report' }]);
				}
			}),
		);
		const refused = report('y', { username: 'nobody' });
		await record(store, [refused, report('0 0', { bytesUp: 6 }), refused], NOON_MS + DAY_MS);
		await record(store, [], NOON_MS + 2 * DAY_MS);
		const counts = await rows(
			'SELECT day, verdict, CAST(reports AS TEXT) AS reports FROM usage_verdicts ORDER BY day, verdict',
		);
		assert.deepEqual(
			counts.map((row) => Object.values(row).join(' ')),
			[
				...[`${TODAY} counted 160`, `${TODAY} invalid_report 24`, `${TODAY} repeated ${3 * 8 * 20 - 160}`],
				...[`${TODAY} unknown_username 24`, `${TODAY + 1} conflict 1`, `${TODAY + 1} unknown_username 2`],
			],
		);
	});

	test('counts of verdicts are kept for 400 days, and older ones are removed in steps', async (t) => {
		const { store, insert, rows } = await open(t);
		const old = Array.from({ length: 250 }, (_, n) => ({ day: TODAY - 401 - n, verdict: 'counted', reports: n + 1 }));
		const kept = { day: TODAY - 400, verdict: 'counted', reports: 7 };
		await insert({ usage_verdicts: [...old, kept] });
		const left = [];
		for (let batch = 0; batch < 4; batch++) {
			await record(store, [report(`${batch}`)]);
			left.push((await rows('SELECT day FROM usage_verdicts')).length);
		}
		assert.deepEqual(left, [152, 52, 2, 2]);
		const days = (await rows('SELECT day FROM usage_verdicts ORDER BY day')) as { day: number }[];
		assert.deepEqual(
			days.map(({ day: each }) => each),
			[TODAY - 400, TODAY],
		);
	});

	test('all accounts of a reseller together can use up to 2^53-1 bytes a day', async (t) => {
		const { store } = await open(t);
		const most = { bytesUp: MAX_CENTS - 5, bytesDown: 0 };
		const [first, second] = [report('1', most), report('2', { username: 'bruno', bytesUp: 6, bytesDown: 0 })];
		assert.deepEqual(await record(store, [first]), ['counted']);
		assert.deepEqual(await record(store, [second, { ...second, bytesUp: 5 }]), [
			{ refused: 'counter_overflow' },
			'counted',
		]);
		assert.deepEqual(await daysOf(store, 'bruno'), [day(TODAY, 5, 0, 'bruno')]);
	});

	test('a clock that jumps ahead and back counts no report twice, and refuses only deleted reports', async (t) => {
		const { store, openAnother } = await open(t);
		const first = report('1', { atMs: NOON_MS - DAY_MS });
		const second = report('2');
		assert.deepEqual(await record(store, [first, second]), ['counted', 'counted']);
		const aheadMs = NOON_MS + 130 * DAY_MS;
		await record(store, [report('3', { atMs: aheadMs })], aheadMs);
		const later = report('4', { atMs: NOON_MS + 1 });
		const tooOld = { refused: 'timestamp_too_old' };
		for (const each of [store, await openAnother()]) {
			assert.deepEqual(await record(each, [first, second], NOON_MS + 60_000), [tooOld, tooOld]);
		}
		assert.deepEqual(await record(store, [later], NOON_MS + 60_000), ['counted']);
		assert.deepEqual(await daysOf(store), [day(TODAY - 1, 5, 7), day(TODAY, 10, 14)]);
	});

	test('the last refused reports say whose they are; those that look the same are counted', async (t) => {
		const { store, openAnother } = await open(t);
		const shown = async (sinceMs = 0, limit = 9) =>
			(await store.listRefusedReports(sinceMs, limit)).map(({ source, username, reseller, reason, name, reports }) =>
				[source, username, reseller, reason, name, reports].join(' '),
			);
		const wrong = reading(7, 8, { username: 'nobody' });
		await record(store, [report('1'), wrong, { refused: 'not_json' }]);
		await record(await openAnother(), [report('1', { bytesUp: 9 }), { ...wrong, counter: 'c2' }], NOON_MS + 1);
		await record(store, [report('2', { username: 'nobody' })], NOON_MS + 2);
		const conflict = 'eu-1 alice acme conflict 1 1';
		assert.deepEqual(await shown(), [
			'eu-1 nobody  unknown_username 2 1',
			'eu-1 nobody  unknown_username c2 2',
			conflict,
		]);
		assert.deepEqual(await shown(NOON_MS + 2), ['eu-1 nobody  unknown_username 2 1']);
		const [newest] = await store.listRefusedReports(0, 1);
		assert.deepEqual(newest, {
			...{ kind: 'file', source: 'eu-1', username: 'nobody', reason: 'unknown_username', name: '2', reports: 1 },
			...{ atMs: NOON_MS, bytesUp: 5, bytesDown: 7, arrivedAtMs: NOON_MS + 2, reseller: null },
		});
		const flood = (from: number) =>
			record(
				store,
				Array.from({ length: 30 }, (_, n) => reading(1, 1, { edge: 'eu-9', username: `flood.${from + n}` })),
				NOON_MS + 3 + from,
			);
		for (let from = 0; from < 90; from += 30) await flood(from);
		assert.equal((await shown(0, 99)).length, 20 + 3, 'one source drives out no other');
		assert.deepEqual(await shown(NOON_MS + 3 + 60, 1), ['eu-9 flood.60  unknown_username c1 1']);
	});
}
