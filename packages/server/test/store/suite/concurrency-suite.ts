import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedSeed, randomFrom } from '@bursar/testing/random';
import type { Store } from '../../../src/store/store.ts';
import { createReseller, createSubUser, giveBalance, NOON_MS, takeBalance } from '../../support/commands.ts';
import { assertSoundLedger, balanceOf, type Engine, endings, run, runAll } from './engine.ts';

const ROUNDS = process.env.BURSAR_TEST_FAULTS === 'long' ? 15 : 8;

/** Tests several stores on the same data, as several processes have. */
export function concurrencySuite(engine: Engine): void {
	test('if several stores give away the same last 100 cents, exactly one succeeds', async (t) => {
		const { store, openAnother } = await engine.open(t);
		const stores = [store, await openAnother(), await openAnother()];
		await runAll(store, [createReseller('acme', 10), createSubUser('acme', 'alice')]);
		for (let round = 0; round < ROUNDS; round++) {
			await runAll(store, [{ ...credit(round), amountCents: 100 }]);
			const outcomes = await Promise.all(
				stores.flatMap((each) => Array.from({ length: 4 }, () => run(each, [giveBalance('acme', 'alice', 100)]))),
			);
			assert.equal(endings(outcomes.flat()).filter((ending) => ending === 'ok').length, 1);
			assert.equal(await balanceOf(store, 'acme', 'acme'), 0);
			assert.equal(await balanceOf(store, 'acme', 'alice'), (round + 1) * 100);
		}
		await assertSoundLedger(store);
	});

	test('a username that several stores want at once becomes one account; the losers pay the fee too', async (t) => {
		const { store, openAnother } = await engine.open(t);
		const stores = [store, await openAnother(), await openAnother()];
		const resellers = ['acme', 'other', 'third'];
		await runAll(
			store,
			resellers.map((name) => createReseller(name, 1000)),
		);
		const names = Array.from({ length: 20 }, (_, n) => `wanted${n}`);
		const winners = new Map<string, string>();
		await Promise.all(
			stores.map(async (each, index) => {
				const reseller = resellers[index] as string;
				// Different orders: locking in the order of the batch would cause a deadlock.
				const ordered = index % 2 ? names.toReversed() : names;
				for (const half of [ordered.slice(0, 10), ordered.slice(10)]) {
					const outcomes = await run(
						each,
						half.map((name) => createSubUser(reseller, name)),
					);
					for (const [at, ending] of endings(outcomes).entries()) {
						if (ending !== 'ok') assert.equal(ending, 'username_taken');
						else {
							assert.equal(winners.has(half[at] as string), false);
							winners.set(half[at] as string, reseller);
						}
					}
				}
			}),
		);
		assert.equal(winners.size, names.length);
		for (const reseller of resellers) {
			assert.equal(await balanceOf(store, reseller, reseller), 1000 - 20 * 10);
			for (const name of names) {
				const expected = winners.get(name) === reseller ? 0 : undefined;
				assert.equal(await balanceOf(store, reseller, name), expected);
			}
		}
		await assertSoundLedger(store);
	});

	test('a reader sees each batch whole or not at all, while two stores write opposite transfers', async (t) => {
		const { store, openAnother } = await engine.open(t);
		const writer = await openAnother();
		const reader = await openAnother();
		await runAll(store, [
			createReseller('acme', 1020),
			createSubUser('acme', 'alice'),
			createSubUser('acme', 'bruno'),
			giveBalance('acme', 'alice', 500),
			giveBalance('acme', 'bruno', 500),
		]);
		let writing = true;
		const move = async (each: Store, from: string, to: string) => {
			for (let i = 0; i < 40; i++) {
				await run(each, [takeBalance('acme', from, 10), giveBalance('acme', to, 10)]);
			}
		};
		const writes = Promise.all([move(store, 'alice', 'bruno'), move(writer, 'bruno', 'alice')]).finally(() => {
			writing = false;
		});
		let reads = 0;
		while (writing) {
			const page = await reader.listSubUsers('acme', '', 10);
			assert.equal(
				page.reduce((cents, { balanceCents }) => cents + balanceCents, 0),
				1000,
			);
			reads++;
			await new Promise(setImmediate);
		}
		await writes;
		assert.ok(reads > 0);
		assert.equal(await balanceOf(store, 'acme', 'acme'), 0);
		await assertSoundLedger(store);
	});

	test('movements of each reseller count up without a gap, and who reads from the oldest on sees each once', async (t) => {
		const { store, openAnother, transfers: transfersOf } = await engine.open(t);
		const stores = [store, await openAnother(), await openAnother()];
		const resellers = ['acme', 'other'] as const;
		const name = (reseller: string) => `of.${reseller}`;
		await runAll(store, [
			...resellers.map((reseller) => createReseller(reseller, 10_000)),
			...resellers.map((reseller) => createSubUser(reseller, name(reseller))),
		]);
		const random = randomFrom(printedSeed(t));
		let isOver = false;
		const followed = new Map<string, number[]>(resellers.map((reseller) => [reseller, []]));
		const readOn = async (reseller: string, reader: Store) => {
			const ids = followed.get(reseller) as number[];
			const step = { reseller, after: ids.at(-1) ?? 0, limit: 1 + random.below(20) };
			const { rows } = await reader.followMovements(step);
			ids.push(...rows.map(({ number }) => number));
			return rows.length;
		};
		const reading = resellers.map(async (reseller, index) => {
			while (!isOver) await readOn(reseller, stores[index] as Store);
		});
		const writing = stores.map(async (each) => {
			for (let round = 0; round < 3 * ROUNDS; round++) {
				// Both resellers in one batch. What is refused takes no id.
				const commands = Array.from({ length: 1 + random.below(8) }, () => {
					const reseller = resellers[random.below(2)] as string;
					const move = random.below(3) === 0 ? takeBalance : giveBalance;
					return move(reseller, name(reseller), random.below(4) === 0 ? 50_000 : 1 + random.below(5));
				});
				await run(each, commands);
			}
		});
		await Promise.all(writing).finally(() => {
			isOver = true;
		});
		await Promise.all(reading);
		for (const reseller of resellers) {
			while ((await readOn(reseller, store)) > 0);
			const ids = followed.get(reseller) as number[];
			const moved = await transfersOf(reseller);
			assert.ok(moved.length > ROUNDS);
			assert.deepEqual(
				ids,
				moved.map((_, index) => index + 1),
			);
			assert.equal((await store.findMovement(reseller, 0))?.newest, moved.length);
		}
		await assertSoundLedger(store);
	});

	test('close waits for the running batch, and its effects are there after the data is opened again', async (t) => {
		const { store, openAnother } = await engine.open(t);
		await runAll(store, [createReseller('acme', 10), createSubUser('acme', 'alice')]);
		const another = await openAnother();
		const writing = another.runCommands([createReseller('late', 5)], NOON_MS);
		await another.close();
		assert.equal((await writing).kind, 'committed');
		assert.equal(await balanceOf(await openAnother(), 'late', 'late'), 5);
	});
}

function credit(round: number) {
	return { kind: 'credit_reseller', requestId: 'test', reseller: 'acme', reference: `round ${round}` } as const;
}
