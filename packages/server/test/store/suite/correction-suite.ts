import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_BYTES } from '@bursar/contract/limits';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import type { CorrectUsage } from '../../../src/commands/usage/correct.ts';
import { usageDayOf } from '../../../src/domain/usage.ts';
import type { Store } from '../../../src/store/store.ts';
import { NOON_MS } from '../../support/commands.ts';
import { type Engine, type Lifetime, openSubUsers, record, runPeople } from './engine.ts';

const TODAY = usageDayOf(NOON_MS);
const RUNS = process.env.BURSAR_TEST_FAULTS === 'long' ? 30 : 10;

function correct(
	reference: string,
	bytesUp: number,
	bytesDown: number,
	changes: Partial<CorrectUsage> = {},
): CorrectUsage {
	const usual = { username: 'alice', day: TODAY, reason: 'Counted twice', madeBy: 'root', requestId: 'cli-1' };
	return { kind: 'correct_usage', reference, bytesUp, bytesDown, ...usual, ...changes };
}

/** Tests that operators can mend the bandwidth of a day, exactly once. */
export function correctionSuite(engine: Engine): void {
	const open = (t: Lifetime) => openSubUsers(engine, t);

	function report(store: Store, id: string, bytesUp: number, bytesDown: number, username = 'alice') {
		return record(store, [{ source: 's', id, username, atMs: NOON_MS, bytesUp, bytesDown }]);
	}

	/** How each correction ends: the bytes of the day then, or the error. */
	async function run(store: Store, ...commands: readonly CorrectUsage[]) {
		const outcomes = await runPeople(store, commands);
		return outcomes.map((outcome) => {
			if (!outcome.ok) return outcome.error;
			assert.ok('bytesUp' in outcome);
			return [outcome.bytesUp, outcome.bytesDown, ...(outcome.repeated ? ['repeated'] : [])];
		});
	}

	async function daysOf(store: Store) {
		const days = async (username: string) =>
			(await store.listUsageDays('acme', username, 0, 100_000)).map(({ bytesUp, bytesDown }) => [bytesUp, bytesDown]);
		const ofReseller = await store.listResellerUsageDays('acme', TODAY, TODAY);
		return {
			alice: await days('alice'),
			bruno: await days('bruno'),
			all: ofReseller.map(({ bytesUp, bytesDown }) => [bytesUp, bytesDown]),
		};
	}

	test('a correction changes the day of the account and of its reseller, once, and is recorded', async (t) => {
		const { store, openAnother } = await open(t);
		await report(store, '1', 100, 1_000);
		await report(store, '2', 5, 50, 'bruno');
		const first = correct('fix-1', -60, 9);
		assert.deepEqual(await run(store, first), [[40, 1_009]]);
		assert.deepEqual(await run(await openAnother(), first, correct('fix-2', 0, 1)), [
			[40, 1_009, 'repeated'],
			[40, 1_010],
		]);
		assert.deepEqual(await daysOf(store), { alice: [[40, 1_010]], bruno: [[5, 50]], all: [[45, 1_060]] });
		const { kind: _, ...content } = first;
		const [newest, oldest] = await store.listUsageCorrections({ limit: 9 });
		assert.deepEqual(oldest, { ...content, reseller: 'acme', atMs: NOON_MS });
		assert.equal(newest?.reference, 'fix-2');
		assert.deepEqual(await store.listUsageCorrections({ after: newest, limit: 1 }), [oldest]);
		assert.deepEqual(await store.listUsageCorrections({ reseller: 'acme', username: 'bruno', limit: 9 }), []);
		assert.deepEqual(await store.listUsageCorrections({ reseller: 'other', limit: 9 }), []);
	});

	test('a full day that a correction empties is no day with usage, and takes honest reports again', async (t) => {
		const { store } = await open(t);
		await report(store, '1', MAX_BYTES, 0);
		assert.deepEqual(await report(store, '2', 5, 5), [{ refused: 'counter_overflow' }]);
		assert.deepEqual(await run(store, correct('fix', -MAX_BYTES, 0)), [[0, 0]]);
		assert.deepEqual(await daysOf(store), { alice: [], bruno: [], all: [] });
		assert.deepEqual(await report(store, '2', 5, 5), ['counted']);
		assert.deepEqual(await daysOf(store), { alice: [[5, 5]], bruno: [], all: [[5, 5]] });
	});

	test('what is refused changes nothing', async (t) => {
		const { store, rows } = await open(t);
		await report(store, '1', 10, 10);
		await report(store, '2', 0, MAX_BYTES - 20, 'bruno');
		await run(store, correct('used', 1, 1, { day: TODAY - 1 }));
		const before = [await daysOf(store), await rows('SELECT * FROM usage_corrections')];
		for (const [wrong, error] of [
			[correct('a', -11, 0), 'too_few_bytes'],
			[correct('a', 5, -11), 'too_few_bytes'],
			[correct('a', 0, MAX_BYTES), 'too_many_bytes'],
			[correct('a', 0, 11), 'too_many_bytes'],
			[correct('a', 0, 0), 'invalid_bytes'],
			[correct('a', 0.5, 0), 'invalid_bytes'],
			[correct('a', 1, 1, { username: 'nobody' }), 'unknown_username'],
			[correct('a', 1, 1, { day: TODAY + 1 }), 'day_ahead'],
			[correct('a', 1, 1, { reason: ' ' }), 'invalid_reason'],
			[correct('', 1, 1), 'invalid_reference'],
			[correct('used', 1, 1), 'reference_conflict'],
			[correct('used', 1, 2, { day: TODAY - 1 }), 'reference_conflict'],
			[correct('used', 1, 1, { day: TODAY - 1, username: 'bruno' }), 'reference_conflict'],
		] as const) {
			assert.deepEqual(await run(store, wrong), [error]);
		}
		assert.deepEqual([await daysOf(store), await rows('SELECT * FROM usage_corrections')], before);
	});

	test('corrections and reports at once, from several processes, add up, and no total falls below zero', async (t) => {
		const { store, openAnother } = await open(t);
		const stores = [store, await openAnother()];
		const change = fc.record({
			process: fc.nat(1),
			username: fc.constantFrom('alice', 'bruno'),
			up: fc.integer({ min: -40, max: 40 }),
			down: fc.integer({ min: -40, max: 40 }),
		});
		let run = 0;
		const property = fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
			run++;
			const expected = await sums(store);
			const done = await Promise.all(
				changes.map(async ({ process, username, up, down }, index) => {
					const to = stores[process] ?? store;
					const reference = `${run} ${index}`;
					if (up >= 0 && down >= 0) return (await report(to, reference, up, down, username))[0] === 'counted';
					const [outcome] = await runPeople(to, [correct(reference, up, down, { username })]);
					assert.ok(outcome?.ok || outcome?.error === 'too_few_bytes', JSON.stringify(outcome));
					return outcome.ok;
				}),
			);
			for (const [index, { username, up, down }] of changes.entries()) {
				if (!done[index]) continue;
				for (const name of [username, 'all'] as const) {
					expected[name] = [(expected[name]?.[0] ?? 0) + up, (expected[name]?.[1] ?? 0) + down];
				}
			}
			assert.deepEqual(await sums(store), expected);
		});
		await fc.assert(property, { seed: printedSeed(t), numRuns: RUNS });
	});

	async function sums(store: Store): Promise<Record<string, readonly number[]>> {
		const { alice, bruno, all } = await daysOf(store);
		return { alice: alice[0] ?? [0, 0], bruno: bruno[0] ?? [0, 0], all: all[0] ?? [0, 0] };
	}
}
