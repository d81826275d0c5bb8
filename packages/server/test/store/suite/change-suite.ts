import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../../../src/commands/registry.ts';
import { createReseller, createSubUser, giveBalance, NOON_MS, takeBalance } from '../../support/commands.ts';
import { assertSoundLedger, balanceOf, committed, type Engine, endings, run, runAll } from './engine.ts';

const ROUNDS = process.env.BURSAR_TEST_FAULTS === 'long' ? 30 : 8;
const KEPT_MS = 48 * 3_600_000;

const idOf = (number: number) => `change-number-${String(number).padStart(4, '0')}`;
const withId = <C extends Command>(command: C, number: number) => ({ ...command, changeId: idOf(number) });

/** Tests changes with ids (docs/api.md 10.5): each is done once, and what it did can be read. */
export function changeSuite(engine: Engine): void {
	test('a change that is refused without cost, or fails alone, leaves no id and can be tried again', async (t) => {
		const { store, corrupt } = await engine.open(t);
		await runAll(store, [createReseller('acme', 100), createSubUser('acme', 'alice'), createSubUser('acme', 'carla')]);
		// The rules find the name free, and the store cannot write it.
		await corrupt("DELETE FROM usernames WHERE username = 'carla'");
		const answer = await committed(() =>
			store.runCommands(
				[
					withId(giveBalance('acme', 'alice', 1000), 1),
					withId(takeBalance('acme', 'alice', 1), 2),
					withId(createSubUser('acme', 'carla'), 3),
					withId(giveBalance('acme', 'alice', 1), 4),
				],
				NOON_MS,
			),
		);
		assert.deepEqual(endings(answer.results), ['insufficient_balance', 'insufficient_balance', 'rules_failed', 'ok']);
		for (const number of [1, 2, 3]) assert.equal(await store.findChange('acme', idOf(number)), undefined);
		assert.equal((await store.findChange('acme', idOf(4)))?.balanceCents, 1);
		const retried = [
			withId(giveBalance('acme', 'alice', 2), 1),
			withId(takeBalance('acme', 'alice', 1), 2),
			withId(createSubUser('acme', 'bruno'), 3),
		];
		assert.deepEqual(endings(await run(store, [...retried, ...retried])), [
			...Array(3).fill('ok'),
			...Array(3).fill('change_repeated'),
		]);
		assert.equal(await balanceOf(store, 'acme', 'alice'), 2);
		assert.equal(await balanceOf(store, 'acme', 'acme'), 68);
	});

	test('after 48 hours, each recorded change forgets two older ones at most, of any reseller', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme', 1000), createReseller('other', 100)]);
		await runAll(store, [createSubUser('acme', 'alice'), createSubUser('other', 'bruno')]);
		const give = (number: number) => withId(giveBalance('acme', 'alice', 1), number);
		for (let number = 0; number < 6; number++) await runAll(store, [give(number)], NOON_MS + number);
		const kept = async () => {
			const ids = Array.from({ length: 6 }, (_, number) => idOf(number));
			const found = await Promise.all(ids.map((id) => store.findChange('acme', id)));
			return found.flatMap((change, number) => (change ? [number] : []));
		};
		await runAll(store, [withId(giveBalance('other', 'bruno', 1), 7)], NOON_MS + KEPT_MS);
		assert.deepEqual(await kept(), [0, 1, 2, 3, 4, 5], 'they are kept for 48 hours');
		await runAll(store, [giveBalance('other', 'bruno', 1)], NOON_MS + KEPT_MS + 10);
		assert.deepEqual(await kept(), [0, 1, 2, 3, 4, 5], 'a change without an id forgets none');
		await runAll(store, [withId(giveBalance('other', 'bruno', 1), 8)], NOON_MS + KEPT_MS + 3);
		assert.deepEqual(await kept(), [2, 3, 4, 5]);
		await runAll(store, [withId(giveBalance('other', 'bruno', 1), 9)], NOON_MS + KEPT_MS + 3);
		assert.deepEqual(await kept(), [3, 4, 5]);
		await runAll(
			store,
			[giveBalance('other', 'bruno', 1), give(10), withId(giveBalance('other', 'bruno', 1), 10)],
			NOON_MS + KEPT_MS + 10,
		);
		assert.deepEqual(await kept(), []);
		await runAll(store, [give(0)], NOON_MS + KEPT_MS + 11);
		assert.deepEqual(await kept(), [0], 'what is forgotten can be done again');
		assert.ok(await store.findChange('other', idOf(7)));
	});

	test('if several stores get the same ids at once, each change is done exactly once', async (t) => {
		const { store, openAnother } = await engine.open(t);
		const stores = [store, await openAnother(), await openAnother()];
		await runAll(store, [createReseller('acme', 100_000), createSubUser('acme', 'alice')]);
		let given = 0;
		for (let round = 0; round < ROUNDS; round++) {
			const numbers = Array.from({ length: 10 }, (_, index) => round * 10 + index);
			// The store of each change is the only one that gives this amount.
			const outcomes = await Promise.all(
				stores.flatMap((each, index) =>
					[numbers, numbers.toReversed()].map((order) =>
						run(
							each,
							order.map((number) => withId(giveBalance('acme', 'alice', 1 + index), number)),
						),
					),
				),
			);
			const all = endings(outcomes.flat());
			assert.equal(all.filter((ending) => ending === 'ok').length, numbers.length);
			assert.equal(all.filter((ending) => ending === 'change_repeated').length, all.length - numbers.length);
			const found = await Promise.all(numbers.map((number) => store.findChange('acme', idOf(number))));
			given += found.reduce((sum, change) => sum + (change?.amountCents ?? Number.NaN), 0);
			assert.equal(await balanceOf(store, 'acme', 'alice'), given);
		}
		await assertSoundLedger(store);
	});
}
