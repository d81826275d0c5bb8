import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_BYTES } from '@bursar/contract/limits';
import { printedSeed, randomFrom } from '@bursar/testing/random';
import type { CounterReading, UsageReport } from '../../../src/domain/usage.ts';
import { usageDayOf } from '../../../src/domain/usage.ts';
import { firstKeptHour, startOfHourMs, usageHourOf } from '../../../src/domain/usage-hours.ts';
import type { Store } from '../../../src/store/store.ts';
import type {
	BandwidthPartsQuery,
	BandwidthQuery,
	BandwidthTopQuery,
} from '../../../src/store/tables/usage/bandwidth.ts';
import { NOON_MS, reading, setPrice } from '../../support/commands.ts';
import { type Engine, type Lifetime, openSubUsers, record, restart, runAll, runPeople } from './engine.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOUR = usageHourOf(NOON_MS);
const TODAY = usageDayOf(NOON_MS);
const HOUR_TABLES = ['usage_hours', 'usage_reseller_hours', 'usage_edge_hours'];

const HOURS = { unit: 'hour', first: HOUR - 167, last: HOUR, owner: 'acme' } as const;
const DAYS = { unit: 'day', first: TODAY - 89, last: TODAY, owner: 'acme' } as const;

function imported(id: string, changes: Partial<UsageReport> = {}): UsageReport {
	return { source: 'file', id, username: 'alice', atMs: NOON_MS, bytesUp: 5, bytesDown: 7, ...changes };
}

/** Tests hours, and what edges have reported: with each report, and as the charts read them. */
export function bandwidthSuite(engine: Engine): void {
	const open = (t: Lifetime) => openSubUsers(engine, t);

	async function spansOf(store: Store, query: BandwidthQuery) {
		const rows = await store.listBandwidth(query);
		return rows.map(({ span, bytesUp, bytesDown }) => [span, bytesUp, bytesDown]);
	}

	async function partsOf(store: Store, query: BandwidthPartsQuery) {
		const rows = await store.listBandwidthParts(query);
		return rows.map(({ name, span, bytesUp, bytesDown }) => [name, span, bytesUp, bytesDown]);
	}

	test('reports and readings add to hours, and readings to their edge, across batches, stores and restarts', async (t) => {
		const { store, openAnother } = await open(t);
		const another = await openAnother();
		assert.equal(await store.findHoursSince('acme'), 0, 'a new store knows the hours of all that was ever reported');
		await record(store, [
			imported('1'),
			reading(10, 20, { edge: 'eu-1' }),
			reading(1, 2, { edge: 'us-1', username: 'bruno', atMs: NOON_MS - HOUR_MS }),
		]);
		await record(another, [
			reading(11, 22, { edge: 'eu-1' }),
			reading(100, 200, { edge: 'eu-1', counter: 'c2', username: 'chiara' }),
			reading(3, 0, { edge: 'eu-1', counter: 'c3', username: 'acme' }),
		]);
		const check = async (each: Store) => {
			assert.deepEqual(await spansOf(each, { ...HOURS, reseller: 'acme', username: 'alice' }), [[HOUR, 16, 29]]);
			const ofAcme = [
				[HOUR - 1, 1, 2],
				[HOUR, 19, 29],
			];
			assert.deepEqual(await spansOf(each, { ...HOURS, reseller: 'acme' }), ofAcme);
			assert.deepEqual(await spansOf(each, { ...DAYS, reseller: 'acme' }), [[TODAY, 20, 31]]);
			assert.deepEqual(await spansOf(each, { ...HOURS, reseller: 'acme', edge: 'eu-1' }), [[HOUR, 14, 22]]);
			assert.deepEqual(await spansOf(each, { ...DAYS, reseller: 'acme', edge: 'eu-1' }), [[TODAY, 14, 22]]);
			assert.deepEqual(await spansOf(each, { ...DAYS, edge: 'eu-1' }), [[TODAY, 114, 222]]);
			assert.deepEqual(await spansOf(each, { ...HOURS, edge: 'us-1' }), [[HOUR - 1, 1, 2]]);
			assert.deepEqual(await spansOf(each, HOURS), [
				[HOUR - 1, 1, 2],
				[HOUR, 119, 229],
			]);
			assert.deepEqual(await spansOf(each, DAYS), [[TODAY, 120, 231]]);
		};
		await check(store);
		await check(another);
		await check(await restart(another, openAnother));
	});

	test('those that used most and the sum of all are of one time, and the sum is that of the resellers', async (t) => {
		const { store } = await open(t);
		await runAll(store, [setPrice('acme', 1_000_000)]);
		await record(store, [
			reading(10, 2e9, { counter: 'c1', username: 'alice' }),
			reading(3, 4e9, { counter: 'c2', username: 'chiara' }),
			reading(1, 1e9, { counter: 'c3', username: 'bruno', atMs: NOON_MS - HOUR_MS }),
			reading(5, 5e9, { counter: 'c4', username: 'acme' }),
			reading(5, 5, { counter: 'c5', username: 'chiara', atMs: NOON_MS - 40 * DAY_MS }),
		]);
		const topOf = async (query: BandwidthTopQuery) => {
			const { subUsers, all } = await store.readTopOfBandwidth(query);
			return [
				...subUsers.map((one) => [one.reseller, one.username, one.bytesUp, one.bytesDown, one.costCents]),
				['all', all.subUsers, all.bytesUp, all.bytesDown, all.costCents],
			];
		};
		const WEEK = { ...DAYS, first: TODAY - 6, limit: 2 };
		const others = (await store.listBandwidth({ ...WEEK, owner: 'acme' })).map((day) => [day.bytesUp, day.bytesDown]);
		assert.deepEqual(others, [[19, 12e9]], 'of all resellers');
		assert.deepEqual(await topOf(WEEK), [
			['other', 'chiara', 3, 4e9, 0],
			['acme', 'alice', 10, 2e9, 200],
			['all', 3, 19, 12e9, 700],
		]);
		assert.deepEqual(await topOf({ ...WEEK, reseller: 'acme', limit: 1 }), [
			['acme', 'alice', 10, 2e9, 200],
			['all', 2, 16, 8e9, 700],
		]);
		assert.deepEqual(await topOf({ ...HOURS, limit: 1 }), [
			['other', 'chiara', 3, 4e9, null],
			['all', 3, 19, 12e9, null],
		]);
		assert.deepEqual(await topOf({ ...HOURS, first: HOUR, reseller: 'acme', limit: 5 }), [
			['acme', 'alice', 10, 2e9, null],
			['all', 1, 15, 7e9, null],
		]);
		assert.deepEqual(await topOf({ ...WEEK, last: TODAY - 1 }), [['all', 0, 0, 0, 0]]);
	});

	test('hours, edges and accounts add up to the days of resellers, whatever is counted, repeated or refused, in any store', async (t) => {
		const { store, openAnother, rows } = await open(t);
		const another = await openAnother();
		const random = randomFrom(printedSeed(t));
		const users = ['alice', 'bruno', 'chiara', 'acme', 'nobody'];
		const value = new Map<string, number>();
		const arrived = Array.from({ length: 300 }, (_, n) => {
			const username = users[random.below(users.length)] as string;
			const atMs = NOON_MS - random.below(6 * DAY_MS);
			if (n % 3 === 0) return imported(`${random.below(80)}`, { username, atMs, bytesDown: n });
			const [edge, counter] = [`eu-${random.below(3)}`, `of ${username}`];
			const grown = (value.get(edge + counter) ?? 0) + random.below(1_000);
			value.set(edge + counter, grown);
			return reading(grown, grown * 2, { edge, counter, username, atMs });
		});
		await Promise.all([
			record(store, arrived.slice(0, 180)),
			record(another, arrived.slice(120)),
			record(store, arrived.toReversed()),
		]);
		const sums = (table: string, day: string, condition = 'true') =>
			rows(`SELECT reseller, ${day} AS day, CAST(SUM(bytes_up) AS bigint) AS up, CAST(SUM(bytes_down) AS bigint) AS down
				FROM ${table} WHERE ${condition} GROUP BY reseller, ${day} ORDER BY reseller, ${day}`);
		const days = await sums('usage_reseller_days', 'day');
		assert.ok(days.length >= 10);
		assert.deepEqual(await sums('usage_reseller_hours', 'hour / 24'), days);
		assert.deepEqual(await sums('usage_hours', 'hour / 24'), days);
		assert.deepEqual(await sums('usage_days', 'day'), days);
		const ofEdges = await sums('usage_edge_days', 'day');
		assert.deepEqual(await sums('usage_edge_hours', 'hour / 24'), ofEdges);
		const network = (condition: string) =>
			rows(`SELECT edge, day, CAST(SUM(bytes_up) AS bigint) AS up, CAST(SUM(bytes_down) AS bigint) AS down
				FROM usage_edge_days WHERE ${condition} GROUP BY edge, day ORDER BY edge, day`);
		assert.ok((await network("reseller = ''")).length > 10);
		assert.deepEqual(await network("reseller = ''"), await network("reseller <> ''"));
		const counters = await rows(
			"SELECT CAST(SUM(bytes_up) AS bigint) AS up FROM usage_counters WHERE edge LIKE 'eu-%'",
		);
		assert.deepEqual(
			await rows("SELECT CAST(SUM(bytes_up) AS bigint) AS up FROM usage_edge_days WHERE reseller = ''"),
			counters,
		);
	});

	test('reports of more than 8 days ago add to their day and to no hour', async (t) => {
		const { store, rows } = await open(t);
		const kept = startOfHourMs(firstKeptHour(NOON_MS));
		await record(store, [
			imported('kept', { atMs: kept }),
			imported('late', { atMs: kept - 1 }),
			reading(9, 9, { atMs: kept - 1 }),
		]);
		const [hour, ...others] = await rows('SELECT hour, CAST(bytes_up AS TEXT) AS up FROM usage_hours');
		assert.deepEqual([hour, ...others], [{ hour: firstKeptHour(NOON_MS), up: '5' }]);
		assert.deepEqual(await rows('SELECT edge FROM usage_edge_hours'), []);
		const [first, second] = await store.listBandwidth({ ...DAYS, reseller: 'acme' });
		assert.equal((first?.bytesUp ?? 0) + (second?.bytesUp ?? 0), 19);
		assert.equal((await store.listBandwidth({ ...DAYS, edge: 'eu-1' })).length, 1);
	});

	test('old hours are forgotten, at most twice as many as a batch adds, and days stay', async (t) => {
		const { store, rows } = await open(t);
		const users = ['alice', 'bruno', 'acme'];
		const grown = new Map<string, number>();
		const report = (atMs: number, some = users) =>
			record(
				store,
				some.map((username) => {
					const bytes = (grown.get(username) ?? 0) + 1;
					grown.set(username, bytes);
					return reading(bytes, bytes, { counter: username, username, atMs });
				}),
				atMs,
			);
		for (let hour = 0; hour < 5; hour++) await report(NOON_MS + hour * HOUR_MS);
		const countOf = async (table: string) => {
			const [row] = (await rows(`SELECT CAST(COUNT(*) AS TEXT) AS count FROM ${table}`)) as [{ count: string }];
			return Number(row.count);
		};
		const counts = () => Promise.all([...HOUR_TABLES, 'usage_edge_days'].map(countOf));
		assert.deepEqual(await counts(), [15, 5, 10, 2]);
		const laterMs = NOON_MS + 9 * DAY_MS;
		await report(laterMs, ['alice']);
		assert.deepEqual(await counts(), [15 + 1 - 2, 5 + 1 - 2, 10 + 2 - 4, 4]);
		for (let batch = 0; batch < 8; batch++) await report(laterMs);
		assert.deepEqual(await counts(), [3, 1, 2, 4]);
	});

	test('a sum of hours or edges that gets too large stays at the largest number, and refuses no report', async (t) => {
		const { store } = await open(t);
		const most = { edge: 'eu-1', bytesUp: MAX_BYTES, bytesDown: MAX_BYTES };
		const verdicts = async (...readings: CounterReading[]) => record(store, readings);
		assert.deepEqual(await verdicts(reading(0, 0, { ...most, counter: 'a' })), ['counted']);
		assert.deepEqual(await verdicts(reading(0, 0, { ...most, counter: 'c', username: 'chiara' })), ['counted']);
		assert.deepEqual(await spansOf(store, { ...HOURS, edge: 'eu-1' }), [[HOUR, MAX_BYTES, MAX_BYTES]]);
		const correct = { kind: 'correct_usage', reference: 'r', bytesUp: -MAX_BYTES, bytesDown: -MAX_BYTES } as const;
		const why = { username: 'alice', day: TODAY, reason: 'Too much', madeBy: 'root', requestId: 'cli-1' };
		const [corrected] = await runPeople(store, [{ ...correct, ...why }]);
		assert.ok(corrected?.ok);
		assert.deepEqual(await verdicts(reading(1, 1, { counter: 'b' })), ['counted']);
		assert.deepEqual(await spansOf(store, { ...DAYS, reseller: 'acme' }), [[TODAY, 1, 1]]);
		assert.deepEqual(
			await spansOf(store, { ...HOURS, reseller: 'acme', username: 'alice' }),
			[[HOUR, MAX_BYTES, MAX_BYTES]],
			'a correction changes no hour',
		);
	});

	test('parts are those that used most, by sub-user, edge and reseller, for a reseller and for all', async (t) => {
		const { store } = await open(t);
		await record(store, [
			reading(1, 9, { edge: 'eu-1', counter: '1', username: 'alice' }),
			reading(1, 1, { edge: 'us-1', counter: '2', username: 'bruno' }),
			reading(1, 1, { edge: 'us-1', counter: '3', username: 'bruno', atMs: NOON_MS - HOUR_MS }),
			reading(500, 500, { edge: 'us-1', counter: '4', username: 'acme' }),
			reading(50, 50, { edge: 'asia-1', counter: '5', username: 'chiara', atMs: NOON_MS - DAY_MS }),
		]);
		const acme = { reseller: 'acme', limit: 10 } as const;
		for (const spans of [HOURS, DAYS]) {
			const isHours = spans.unit === 'hour';
			const now = isHours ? HOUR : TODAY;
			const bruno = isHours
				? [
						['bruno', HOUR - 1, 1, 1],
						['bruno', HOUR, 1, 1],
					]
				: [['bruno', TODAY, 2, 2]];
			assert.deepEqual(await partsOf(store, { ...spans, ...acme, by: 'sub_user' }), [['alice', now, 1, 9], ...bruno]);
			assert.deepEqual(await partsOf(store, { ...spans, ...acme, limit: 1, by: 'sub_user' }), [['alice', now, 1, 9]]);
			const most = await partsOf(store, { ...spans, ...acme, limit: 1, by: 'edge' });
			assert.ok(most.length > 0 && most.every(([edge]) => edge === 'us-1'));
			assert.equal((await partsOf(store, { ...spans, ...acme, by: 'edge' })).length, isHours ? 3 : 2);
			const before = isHours ? HOUR - 24 : TODAY - 1;
			const network = await partsOf(store, { ...spans, limit: 10, by: 'edge' });
			assert.deepEqual(network[0], ['asia-1', before, 50, 50]);
			const resellers = await partsOf(store, { ...spans, limit: 10, by: 'reseller' });
			assert.deepEqual(resellers.at(-1), ['other', before, 50, 50]);
			assert.deepEqual([...new Set(resellers.map(([name]) => name))], ['acme', 'other']);
		}
		assert.deepEqual(await partsOf(store, { ...HOURS, first: HOUR, last: HOUR, limit: 1, by: 'reseller' }), [
			['acme', HOUR, 502, 510],
		]);
	});

	test('batches and stores that count at once lose no byte of an hour or a day, and fail no batch', async (t) => {
		const { store, openAnother } = await open(t);
		const stores = [store, store, await openAnother()];
		await Promise.all(
			stores.map(async (each, index) => {
				for (let batch = 1; batch <= 8; batch++) {
					const readings = ['alice', 'bruno', 'chiara'].map((username) =>
						reading(batch, batch, { edge: 'eu-1', counter: `${index} ${username}`, username }),
					);
					const verdicts = await record(each, readings);
					assert.deepEqual(verdicts, ['counted', 'counted', 'counted']);
				}
			}),
		);
		assert.deepEqual(await spansOf(store, { ...HOURS, edge: 'eu-1' }), [[HOUR, 72, 72]]);
		assert.deepEqual(await spansOf(store, { ...HOURS, reseller: 'acme' }), [[HOUR, 48, 48]]);
		assert.deepEqual(await spansOf(store, { ...DAYS, reseller: 'acme' }), [[TODAY, 48, 48]]);
		for (const name of ['alice', 'bruno']) {
			assert.partialDeepStrictEqual(await store.listUsageDays('acme', name, TODAY, TODAY), [{ bytesUp: 24 }], name);
		}
	});
}
