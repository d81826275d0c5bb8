import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import { type CounterReading, usageDayOf } from '../../../src/domain/usage.ts';
import type { Store } from '../../../src/store/store.ts';
import { createReseller, NOON_MS, reading } from '../../support/commands.ts';
import { type Engine, type Lifetime, openSubUsers, record, restart, runAll, runAllPeople } from './engine.ts';

/** Each tenth one looks through a store that was opened anew. */
const RUNS = process.env.BURSAR_TEST_FAULTS === 'long' ? 30 : 10;
const DAY_MS = 86_400_000;
const TODAY = usageDayOf(NOON_MS);
const NOON_AFTER_LEAP_DAY_MS = Date.UTC(2028, 2, 1, 12);

/** Tests that counters which only grow are counted exactly once. */
export function counterSuite(engine: Engine): void {
	const open = (t: Lifetime) => openSubUsers(engine, t);

	async function bytesOf(store: Store, username = 'alice') {
		const days = await store.listUsageDays('acme', username, 0, 100_000);
		return days.map(({ day, bytesUp, bytesDown }) => [day, bytesUp, bytesDown]);
	}

	test('a counter is found again by any name that it may have', async (t) => {
		const { store } = await open(t);
		const names = ['NULL', 'null', ' ', '"', '\\"', "'; --", '{a,b}', '[1]', '\\u0041', '%', 'ключ', '\u2028', '😀'];
		const readings = (bytes: number) => names.map((counter) => reading(bytes, 0, { counter }));
		assert.deepEqual(await record(store, readings(1)), Array(names.length).fill('counted'));
		assert.deepEqual(await record(store, readings(1)), Array(names.length).fill('repeated'));
		assert.deepEqual(await record(store, readings(3)), Array(names.length).fill('counted'));
		assert.deepEqual(await bytesOf(store), [[TODAY, 3 * names.length, 0]]);
	});

	test('readings sent at once, twice to one store and to others, in other orders, count once', async (t) => {
		const { store, openAnother } = await open(t);
		const stores = [store, store, await openAnother(), await openAnother()];
		for (let round = 1; round <= 4; round++) {
			const readings = Array.from({ length: 40 }, (_, n) =>
				reading(round * n, round, { counter: `c${n}`, username: n % 2 ? 'alice' : 'bruno' }),
			);
			const verdicts = await Promise.all(
				stores.map((each, index) => record(each, index % 2 ? readings.toReversed() : readings)),
			);
			assert.equal(verdicts.flat().filter((verdict) => verdict === 'counted').length, 40, `round ${round}`);
		}
		const all = (from: number) => Array.from({ length: 20 }, (_, n) => 4 * (2 * n + from)).reduce((a, b) => a + b);
		assert.deepEqual(await bytesOf(store), [[TODAY, all(1), 80]]);
		assert.deepEqual(await bytesOf(store, 'bruno'), [[TODAY, all(0), 80]]);
	});

	test('any duplication and order of readings, whatever the clock does meanwhile, gives the same totals', async (t) => {
		const { store, openAnother } = await open(t);
		const stores = [store, await openAnother(), await openAnother()];
		const nowMs = NOON_AFTER_LEAP_DAY_MS;
		let run = 0;
		/** Ends on the leap day and around its midnights. */
		const at = fc.oneof(
			fc.integer({ min: nowMs - 4 * DAY_MS, max: nowMs }),
			fc
				.constantFrom('2028-02-28T23:59:59.999Z', '2028-02-29T00:00:00.000Z', '2028-03-01T00:00:00.000Z')
				.map(Date.parse),
		);
		const step = fc.record({ up: fc.nat(1000), down: fc.nat(1000), atMs: at });
		const counters = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 });
		const deliveries = counters.chain((all) => {
			const readings = all.flatMap(readingsOf);
			const batch = fc.record({
				readings: fc.shuffledSubarray([...readings, ...readings]),
				store: fc.nat(2),
				clock: fc.constantFrom(0, 0, 0, 1, 100, 400, -3, -400),
			});
			return fc.record({ readings: fc.constant(readings), batches: fc.array(batch, { maxLength: 6 }) });
		});
		const property = fc.asyncProperty(deliveries, async ({ readings, batches }) => {
			// Each run has counters of its own.
			const edge = `run-${++run}`;
			const own = (sent: readonly CounterReading[]) => sent.map((each) => ({ ...each, edge }));
			const before = sums(await bytesOf(store));
			await Promise.all(
				batches.map(({ readings: sent, store: index, clock }) =>
					record(stores[index] as Store, own(sent), nowMs + clock * DAY_MS),
				),
			);
			await record(store, own(readings), nowMs);
			const highest = Map.groupBy(readings, ({ counter }) => counter);
			const [up, down] = [
				[...highest.values()].reduce((sum, all) => sum + Math.max(...all.map(({ bytesUp }) => bytesUp)), 0),
				[...highest.values()].reduce((sum, all) => sum + Math.max(...all.map(({ bytesDown }) => bytesDown)), 0),
			];
			const totals = [before[0] + up, before[1] + down];
			assert.deepEqual(sums(await bytesOf(await pick(openAnother, run))), totals);
			await record(stores[run % 3] as Store, own(readings.toReversed()), nowMs);
			assert.deepEqual(sums(await bytesOf(store)), totals, 'replays count nothing');
		});
		/** Now and then a store that was opened anew: as after a restart. */
		async function pick(another: () => Promise<Store>, n: number): Promise<Store> {
			return n % 10 === 0 ? restart(await another(), another) : store;
		}
		await fc.assert(property, { seed: printedSeed(t), numRuns: RUNS, endOnFailure: true });
		const ofReseller = await store.listResellerUsageDays('acme', 0, 100_000);
		assert.deepEqual(
			ofReseller.map(({ day, bytesUp, bytesDown }) => [day, bytesUp, bytesDown]),
			await bytesOf(store),
		);
	});

	test('counters that were not read for 130 days with readings are forgotten in steps; their replays are refused', async (t) => {
		const { store, rows } = await open(t);
		const names = async () =>
			((await rows('SELECT counter FROM usage_counters ORDER BY counter')) as { counter: string }[]).map(
				({ counter }) => counter,
			);
		const old = Array.from({ length: 5 }, (_, n) => reading(7, 7, { counter: `old-${n}` }));
		await record(store, old);
		const live = (day: number) => reading(day, 0, { counter: 'live', atMs: NOON_MS + day * DAY_MS });
		for (let day = 1; day <= 130; day++) await record(store, [live(day)], NOON_MS + day * DAY_MS);
		assert.equal((await names()).length, 6);
		const nowMs = NOON_MS + 131 * DAY_MS;
		const left = [];
		for (let batch = 0; batch < 3; batch++) {
			await record(store, [live(131)], nowMs);
			left.push((await names()).length);
		}
		assert.deepEqual(left, [4, 2, 1]);
		assert.deepEqual(await names(), ['live']);
		assert.deepEqual(await record(store, old, nowMs), Array(5).fill({ refused: 'timestamp_too_old' }));
		const [first] = await bytesOf(store);
		assert.deepEqual(first, [TODAY, 35, 35]);
	});

	test('a reading that is too fast changes nothing, and counts once there was time for it, in any process', async (t) => {
		const { store, openAnother } = await open(t);
		const another = await openAnother();
		const MINUTE_MS = 60_000;
		/** One byte takes a millisecond. */
		const at = (minute: number, ...bytes: (readonly [counter: string, bytes: number, changes?: object])[]) => {
			const atMs = NOON_MS + minute * MINUTE_MS;
			const batch = bytes.map(([counter, up, changes]) =>
				reading(up * MINUTE_MS, 0, { counter, atMs, edgeBytesPerMs: 1, ...changes }),
			);
			return record(minute % 2 === 0 ? store : another, batch, atMs);
		};
		const refused = { refused: 'too_fast' };
		const ofBruno = { username: 'bruno' };
		await runAll(store, [createReseller('bolt', 100)]);
		assert.deepEqual(await at(0, ['c1', 100], ['c2', 4, ofBruno], ['c3', 10, { username: 'bolt' }]), [
			refused,
			'counted',
			'counted',
		]);
		assert.deepEqual(await at(1, ['c1', 100], ['c1', 7], ['c4', 10, { edge: 'eu-2' }]), [
			refused,
			'counted',
			'counted',
		]);
		assert.deepEqual(await at(3, ['c2', 5, ofBruno], ['c1', 30]), ['counted', refused]);
		assert.deepEqual(await at(26, ['c1', 30]), ['counted']);
		assert.deepEqual(await bytesOf(store), [[TODAY, 40 * MINUTE_MS, 0]]);
		assert.deepEqual(await bytesOf(store, 'bruno'), [[TODAY, 5 * MINUTE_MS, 0]]);
	});

	test('a batch says how far its edges have reported, and never takes it back', async (t) => {
		const { store, openAnother } = await open(t);
		await runAllPeople(
			store,
			['eu-1', 'eu-2'].map((name) => ({ kind: 'create_edge', name, keyHash: `hash of ${name}`, keyTail: 'tail' })),
		);
		const another = await openAnother();
		const reported = async () => (await another.listEdges()).map(({ name, reportedToMs }) => [name, reportedToMs]);
		assert.deepEqual(await reported(), [
			['eu-1', null],
			['eu-2', null],
		]);
		await record(store, [reading(1, 1, { atMs: NOON_MS - 5 }), reading(1, 1, { edge: 'gone' })]);
		await record(store, [reading(1, 1, { atMs: NOON_MS - 9 }), reading(9, 9, { username: 'nobody' })]);
		assert.deepEqual(await reported(), [
			['eu-1', NOON_MS - 5],
			['eu-2', null],
		]);
		await record(store, [reading(1, 1), reading(1, 1, { edge: 'eu-2' })]);
		assert.deepEqual(await reported(), [
			['eu-1', NOON_MS],
			['eu-2', NOON_MS],
		]);
	});
}

/** The readings of a counter: its values grow in the order of the steps, at any times. */
function readingsOf(steps: readonly { up: number; down: number; atMs: number }[], counter: number): CounterReading[] {
	let [up, down] = [0, 0];
	return steps.map((step) => {
		[up, down] = [up + step.up, down + step.down];
		return reading(up, down, { counter: `${counter}`, atMs: step.atMs });
	});
}

function sums(days: readonly (readonly number[])[]): [up: number, down: number] {
	return days.reduce<[number, number]>(
		([up, down], [, bytesUp = 0, bytesDown = 0]) => [up + bytesUp, down + bytesDown],
		[0, 0],
	);
}
