import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_CENTS } from '@bursar/contract';
import { FEES, FUNDING } from '../../../src/domain/ledger.ts';
import {
	createNothing,
	createReseller,
	createSubUser,
	creditReseller,
	giveBalance,
	NOON_MS,
	takeBalance,
} from '../../support/commands.ts';
import { assertSoundLedger, balanceOf, committed, type Engine, endings, run, runAll } from './engine.ts';

/** Tests what batches change, and what they do not change. */
export function batchSuite(engine: Engine): void {
	test('each transfer is one ledger row, in order, with the balances after it; a refusal adds none', async (t) => {
		const { store, transfers } = await engine.open(t);
		await runAll(store, [createReseller('other', 70)]);
		await run(store, [createReseller('acme', 100), createSubUser('acme', 'alice')], 1000);
		await run(store, [giveBalance('acme', 'alice', 60), giveBalance('acme', 'alice', 60), createNothing('acme')], 2000);
		await run(store, [takeBalance('acme', 'alice', 60), creditReseller('acme', -80, 'mistake-1')], 3000);
		const rows = (await transfers('acme')).map((row) => {
			assert.equal(row.reseller, 'acme');
			assert.equal(row.requestId, 'test-request');
			return [
				row.kind,
				row.debit,
				row.debitBalanceCents,
				row.credit,
				row.creditBalanceCents,
				row.amountCents,
				row.atMs,
			];
		});
		assert.deepEqual(rows, [
			['top_up', FUNDING, null, 'acme', 100, 100, 1000],
			['create_fee', 'acme', 90, FEES, null, 10, 1000],
			['give', 'acme', 30, 'alice', 60, 60, 2000],
			['create_fee', 'acme', 20, FEES, null, 10, 2000],
			['take', 'alice', 0, 'acme', 80, 60, 3000],
			['adjustment', 'acme', 0, FUNDING, null, 80, 3000],
		]);
		assert.equal((await transfers('other')).length, 1);
		await assertSoundLedger(store);
	});

	test('texts with any characters come back unchanged', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('null', 1)]);
		const references = ['NULL', 'null', '"', '\\', '\\"', '{a,b}', "it's", '$1', '%s', 'ü𝄞', '\\n', ',', '""', 'x'];
		await runAll(
			store,
			references.map((reference, index) => creditReseller('null', index + 1, reference)),
		);
		const again = await run(
			store,
			references.map((reference, index) => creditReseller('null', index + 1, reference)),
		);
		assert.ok(again.every((outcome) => outcome.ok && 'repeated' in outcome && outcome.repeated));
		assert.equal((await store.findAccount('null', 'null'))?.username, 'null');
	});

	test('balances and amounts are exact up to 2^53-1, and never exceed it', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme', MAX_CENTS), createSubUser('acme', 'alice')]);
		assert.equal(await balanceOf(store, 'acme', 'acme'), MAX_CENTS - 10);
		const outcomes = await run(store, [
			giveBalance('acme', 'alice', MAX_CENTS - 10),
			creditReseller('acme', MAX_CENTS, 'all of it'),
			giveBalance('acme', 'alice', 11),
			takeBalance('acme', 'alice', 1),
			giveBalance('acme', 'alice', 10),
		]);
		assert.deepEqual(endings(outcomes), ['ok', 'ok', 'balance_limit', 'balance_limit', 'ok']);
		assert.equal(await balanceOf(store, 'acme', 'alice'), MAX_CENTS);
		await assertSoundLedger(store);
	});

	test('a command that cannot be written fails alone and changes nothing; the others take effect in order', async (t) => {
		const { store, transfers } = await engine.open(t);
		await runAll(store, [createReseller('acme', 100), createSubUser('acme', 'alice')]);
		// Another reseller's token hash breaks a constraint of the store, but no rule of the domain.
		const broken = { ...createReseller('beta', 500), tokenHash: 'first token of acme' };
		const answer = await committed(() =>
			store.runCommands(
				[giveBalance('acme', 'alice', 30), broken, giveBalance('acme', 'alice', 60), giveBalance('acme', 'alice', 1)],
				NOON_MS,
			),
		);
		assert.deepEqual(endings(answer.results), ['ok', 'rules_failed', 'ok', 'insufficient_balance']);
		assert.equal(answer.faults.length, 1);
		assert.ok(answer.faults[0] instanceof Error);
		assert.equal(await balanceOf(store, 'acme', 'alice'), 90);
		assert.equal((await store.findToken('first token of acme'))?.reseller, 'acme');
		assert.deepEqual(await transfers('beta'), []);
		assert.deepEqual(endings(await run(store, [createReseller('beta', 5)])), ['ok']);
		await assertSoundLedger(store);
	});

	test('an empty batch is committed, and a large one is one batch', async (t) => {
		const { store } = await engine.open(t);
		assert.deepEqual(await run(store, []), []);
		const names = Array.from({ length: 1000 }, (_, n) => `user${n}`);
		await runAll(store, [createReseller('acme', 10_000), ...names.map((name) => createSubUser('acme', name))]);
		assert.equal(await balanceOf(store, 'acme', 'acme'), 0);
		assert.equal((await store.verifyLedger()).accounts, 1001);
	});
}
