import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_CENTS } from '@bursar/contract';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import { decideUsage, type LoadedUsage } from '../../../src/commands/usage/count.ts';
import {
	type ArrivedReport,
	type CounterReading,
	type ResellerUsageDay,
	type UsageDay,
	usageDayKey,
	usageDayOf,
} from '../../../src/domain/usage.ts';
import { type ReadingDays, readingDaysAt, usageCounterKey } from '../../../src/domain/usage-counter.ts';
import { NOON_MS, reading } from '../../support/commands.ts';

const DAY_MS = 86_400_000;
const TODAY = usageDayOf(NOON_MS);

/** All that a store holds. */
interface Stored extends LoadedUsage {
	readonly days: ReadonlyMap<string, UsageDay>;
	readonly resellerDays: ReadonlyMap<string, ResellerUsageDay>;
}

const EMPTY: Stored = {
	resellers: new Map([
		['alice', 'acme'],
		['acme', 'acme'],
	]),
	reports: new Map(),
	counters: new Map(),
	readingDays: { count: 7, latest: TODAY },
	paces: new Map(),
	days: new Map(),
	resellerDays: new Map(),
	prices: new Map(),
	meters: new Map(),
	horizonMs: 0,
};

/** What the store holds after batches, and the verdicts of the last one. */
function after(batches: readonly (readonly ArrivedReport[])[], { nowMs = NOON_MS, loaded = EMPTY } = {}) {
	let state = loaded;
	let verdicts: ReturnType<typeof decideUsage>['verdicts'] = [];
	for (const batch of batches) {
		const decided = decideUsage(state, batch, nowMs);
		verdicts = decided.verdicts;
		state = {
			...state,
			readingDays: decided.readingDays,
			counters: new Map([
				...state.counters,
				...decided.changedCounters.map(({ after: counter }) => [usageCounterKey(counter), counter] as const),
			]),
			days: withAdded(state.days, decided.addedDays, ({ username }) => username),
			resellerDays: withAdded(state.resellerDays, decided.addedResellerDays, ({ reseller }) => reseller),
		};
	}
	const bytes = [...state.days.values()].map(({ username, day, bytesUp, bytesDown }) => [
		username,
		day - TODAY,
		bytesUp,
		bytesDown,
	]);
	return { state, verdicts, bytes };
}

function withAdded<Day extends ResellerUsageDay>(
	days: ReadonlyMap<string, Day>,
	added: readonly Day[],
	nameOf: (day: Day) => string,
): ReadonlyMap<string, Day> {
	const sums = new Map(days);
	for (const each of added) {
		const key = usageDayKey(nameOf(each), each.day);
		const { bytesUp, bytesDown } = days.get(key) ?? { bytesUp: 0, bytesDown: 0 };
		sums.set(key, { ...each, bytesUp: bytesUp + each.bytesUp, bytesDown: bytesDown + each.bytesDown });
	}
	return sums;
}

test('a reading adds what is above the highest known value of each direction', () => {
	const { bytes, verdicts } = after([[reading(5, 7)], [reading(9, 7)], [reading(3, 20), reading(9, 20)]]);
	assert.deepEqual(bytes, [['alice', 0, 9, 20]]);
	assert.deepEqual(verdicts, ['counted', 'repeated']);
});

test('a first reading of no bytes begins the counter, and makes no day with usage', () => {
	const { bytes, verdicts, state } = after([[reading(0, 0)]]);
	assert.deepEqual([bytes, verdicts, state.counters.size], [[], ['counted'], 1]);
	assert.deepEqual(after([[reading(0, 0)], [reading(0, 0)]]).verdicts, ['repeated']);
});

test('what is new counts on the UTC day of its reading, to the millisecond, also on a leap day', () => {
	const nowMs = Date.UTC(2028, 2, 1, 12);
	const at = (text: string) => ({ atMs: Date.parse(text) });
	const { state } = after(
		[
			[reading(10, 0, at('2028-02-28T23:59:59.999Z')), reading(11, 0, at('2028-02-29T00:00:00.000Z'))],
			[reading(13, 0, at('2028-02-29T23:59:59.999Z')), reading(17, 0, at('2028-03-01T00:00:00.000Z'))],
		],
		{ nowMs },
	);
	assert.deepEqual(
		[...state.days.values()].map(({ day, bytesUp }) => [new Date(day * DAY_MS).toISOString().slice(0, 10), bytesUp]),
		[
			['2028-02-28', 10],
			['2028-02-29', 3],
			['2028-03-01', 4],
		],
	);
});

test('each edge has its own counters, and they count beside imported reports', () => {
	const imported = { source: 'eu-1', id: 'c1', username: 'alice', atMs: NOON_MS, bytesUp: 100, bytesDown: 100 };
	const { bytes } = after([
		[reading(1, 1), reading(1, 1, { edge: 'eu-2' }), reading(1, 1, { counter: 'c2' }), imported],
	]);
	assert.deepEqual(bytes, [['alice', 0, 103, 103]]);
});

test('a counter of another account is a conflict, also within one batch, and changes nothing', () => {
	const stolen = reading(50, 50, { username: 'acme' });
	for (const batches of [[[reading(1, 1)], [stolen]], [[reading(1, 1), stolen]]]) {
		const { bytes, verdicts } = after(batches);
		assert.deepEqual(verdicts.at(-1), { refused: 'conflict' });
		assert.deepEqual(bytes, [['alice', 0, 1, 1]]);
	}
});

test('a refused reading changes nothing, and what it told is counted with the next one', () => {
	for (const [refused, reason] of [
		[reading(50, 50, { atMs: NOON_MS + 5 * 60_000 + 1 }), 'timestamp_ahead'],
		[reading(50, 50, { atMs: NOON_MS - 121 * DAY_MS }), 'timestamp_too_old'],
		[reading(50, 50, { username: 'nobody' }), 'unknown_username'],
	] as const) {
		const { state, verdicts, bytes } = after([[reading(1, 1)], [refused, reading(4, 4)]]);
		assert.deepEqual(verdicts, [{ refused: reason }, 'counted']);
		assert.deepEqual(bytes, [['alice', 0, 4, 4]]);
		assert.equal(state.counters.size, 1);
	}
});

test('a reading that would raise a day over 2^53-1 bytes is refused, and its counter stays as it is', () => {
	const full = reading(MAX_CENTS - 5, 0);
	const { verdicts, bytes, state } = after([
		[full],
		[reading(6, 0, { counter: 'c2' }), reading(5, 0, { counter: 'c2' })],
	]);
	assert.deepEqual(verdicts, [{ refused: 'counter_overflow' }, 'counted']);
	assert.deepEqual(bytes, [['alice', 0, MAX_CENTS, 0]]);
	assert.equal(state.counters.get('eu-1\nc2')?.bytesUp, 5);
	const next = { ...state, readingDays: { count: 8, latest: TODAY + 1 } };
	const later = after([[reading(MAX_CENTS, 0, { atMs: NOON_MS + DAY_MS })]], { loaded: next, nowMs: NOON_MS + DAY_MS });
	assert.deepEqual(later.bytes[1], ['alice', 1, 5, 0], 'a counter itself may reach the limit');
});

test('an edge has reported to the newest time of a reading that was not refused', () => {
	const { reportedToMs } = decideUsage(
		EMPTY,
		[
			reading(1, 1, { atMs: NOON_MS - 5 }),
			reading(1, 1, { atMs: NOON_MS - 9 }),
			reading(9, 9, { atMs: NOON_MS, username: 'nobody' }),
			reading(1, 1, { edge: 'eu-2', atMs: NOON_MS - 60_000, username: 'nobody' }),
		],
		NOON_MS,
	);
	assert.deepEqual([...reportedToMs], [['eu-1', NOON_MS - 5]]);
});

test('a counter is noted as seen once a day with readings, also by a repeat', () => {
	const [first, second] = [after([[reading(1, 1)]]), after([[reading(1, 1)]], { nowMs: NOON_MS + DAY_MS })];
	assert.equal(first.state.counters.get('eu-1\nc1')?.seenDay, 7);
	assert.equal(second.state.counters.get('eu-1\nc1')?.seenDay, 8);
	const again = decideUsage(first.state, [reading(1, 1)], NOON_MS);
	assert.deepEqual([again.verdicts, again.changedCounters], [['repeated'], []]);
	const nextDay = decideUsage(first.state, [reading(1, 1)], NOON_MS + DAY_MS);
	assert.deepEqual([nextDay.verdicts, nextDay.changedCounters.length], [['repeated'], 1]);
	assert.deepEqual(decideUsage(first.state, [], NOON_MS + DAY_MS).readingDays, first.state.readingDays);
});

test('a jump of the clock adds one day at most, and a long error of the clock does not stop the count', () => {
	const at = (days: number, from: ReadingDays) => readingDaysAt(from, NOON_MS + days * DAY_MS);
	const start = { count: 7, latest: TODAY };
	assert.deepEqual(at(0, start), start);
	assert.deepEqual(at(1, start), { count: 8, latest: TODAY + 1 });
	const ahead = at(5_000, start);
	assert.deepEqual(ahead, { count: 8, latest: TODAY + 5_000 });
	const back = at(0, ahead);
	assert.deepEqual(back, { count: 8, latest: TODAY });
	assert.deepEqual(at(1, back), { count: 9, latest: TODAY + 1 });
	const slightly = at(-30, start);
	assert.deepEqual([slightly, at(0, slightly)], [start, start], 'a clock that goes back and forth adds nothing');
});

const history = fc.array(fc.record({ up: fc.nat(50), down: fc.nat(50), afterMs: fc.nat(DAY_MS) }), {
	minLength: 1,
	maxLength: 8,
});

/** Readings of one counter in the order of time, over some days before noon. */
function readingsOf(
	steps: readonly { up: number; down: number; afterMs: number }[],
	counter: string,
	username: string,
) {
	let [up, down, atMs] = [0, 0, NOON_MS - 9 * DAY_MS];
	return steps.map((step): CounterReading => {
		[up, down, atMs] = [up + step.up, down + step.down, atMs + step.afterMs];
		return reading(up, down, { counter, username, atMs });
	});
}

test('any duplication and order of readings, in any batches, gives the same totals', (t) => {
	const histories = fc
		.tuple(history, history, history)
		.map(([a, b, c]) => [
			...readingsOf(a, 'a', 'alice'),
			...readingsOf(b, 'b', 'alice'),
			...readingsOf(c, 'c', 'acme'),
		]);
	const deliveries = histories.chain((all) =>
		fc.record({
			all: fc.constant(all),
			again: fc.shuffledSubarray([...all, ...all]),
			order: fc.shuffledSubarray(all, { minLength: all.length }),
			size: fc.integer({ min: 1, max: 9 }),
		}),
	);
	const property = fc.property(deliveries, ({ all, again, order, size }) => {
		const delivered = [...again, ...order, ...again];
		const batches = Array.from({ length: Math.ceil(delivered.length / size) }, (_, n) =>
			delivered.slice(n * size, (n + 1) * size),
		);
		const inTime = after(all.map((each) => [each]));
		const inAnyOrder = after(batches);
		assert.deepEqual(totals(inAnyOrder.state), totals(inTime.state));
		assert.deepEqual(
			inAnyOrder.state.counters,
			new Map([...inAnyOrder.state.counters.keys()].map((key) => [key, inTime.state.counters.get(key)])),
		);
		// Repeats of what came in time move no byte to another day.
		assert.deepEqual(after([...all.map((each) => [each]), ...batches]).bytes, inTime.bytes);
	});
	fc.assert(property, { seed: printedSeed(t), numRuns: 300 });
});

/** What each account, and all of them, used on all days. */
function totals({ days, resellerDays }: Stored): Record<string, [up: number, down: number]> {
	const sums: Record<string, [number, number]> = {};
	const all = [...days.values(), ...[...resellerDays.values()].map((day) => ({ ...day, username: 'all' }))];
	for (const { username, bytesUp, bytesDown } of all) {
		const [up, down] = sums[username] ?? [0, 0];
		sums[username] = [up + bytesUp, down + bytesDown];
	}
	return Object.fromEntries(Object.entries(sums).sort());
}
