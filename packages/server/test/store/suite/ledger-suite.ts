import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_CENTS } from '@bursar/contract';
import { createReseller, createSubUser, creditReseller, giveBalance, takeBalance } from '../../support/commands.ts';
import { type Corruption, type Engine, runAll } from './engine.ts';

/** The verification: silent on sound books, and never fooled by unsound ones. */
export function ledgerSuite(engine: Engine): void {
	async function open(t: Parameters<Engine['open']>[0]) {
		const opened = await engine.open(t);
		await runAll(opened.store, [
			createReseller('acme', 1000),
			createReseller('other', 300),
			createSubUser('acme', 'alice'),
			createSubUser('acme', 'bruno'),
			createSubUser('other', 'chiara'),
			giveBalance('acme', 'alice', 200),
			giveBalance('acme', 'bruno', 100),
			takeBalance('acme', 'alice', 50),
			creditReseller('other', -90, 'mistake-1'),
		]);
		return opened;
	}

	test('sound books have no problem, and all accounts and movements are counted', async (t) => {
		const { store } = await open(t);
		assert.deepEqual(await store.verifyLedger(), { accounts: 5, transfers: 9, problems: [] });
	});

	test('an empty store is sound', async (t) => {
		const { store } = await engine.open(t);
		assert.deepEqual(await store.verifyLedger(), { accounts: 0, transfers: 0, problems: [] });
	});

	test('books are sound also where they hold more than 2^63 cents together', async (t) => {
		const { store } = await engine.open(t);
		const names = Array.from({ length: 1030 }, (_, n) => `reseller${n}`);
		await runAll(
			store,
			names.map((name) => createReseller(name, MAX_CENTS)),
		);
		assert.deepEqual(await store.verifyLedger(), { accounts: 1030, transfers: 1030, problems: [] });
	});

	test('the tables take an entry of a new kind; a version that does not know it names the kind, and finds nothing else', async (t) => {
		const { store, corrupt } = await open(t);
		await corrupt({ kind: 'last_entry_kind', username: 'alice', entryKind: 'usage' });
		assert.deepEqual((await store.verifyLedger()).problems, [
			{ username: 'acme', problem: 'a ledger entry is of a kind that this version does not know: usage' },
		]);
	});

	const corruptions: readonly (Corruption & { readonly how: string })[] = [
		{ how: 'a balance that is a cent too high', kind: 'balance', username: 'alice', balanceCents: 151 },
		{ how: 'a balance that is a cent too low', kind: 'balance', username: 'bruno', balanceCents: 99 },
		{ how: 'a balance below zero', kind: 'balance', username: 'chiara', balanceCents: -1 },
		{ how: "a reseller's balance", kind: 'balance', username: 'acme', balanceCents: 0 },
		{ how: 'a changed entry', kind: 'last_entry_amount', username: 'alice', amountCents: 49 },
		{ how: 'a removed entry', kind: 'last_entry_removed', username: 'bruno' },
		{ how: 'a removed account that had money', kind: 'account_removed', username: 'bruno' },
		{ how: 'a removed account that never had any', kind: 'account_removed', username: 'chiara' },
		{ how: 'a name that is free again while its account lives', kind: 'username_removed', username: 'alice' },
	];
	for (const { how, ...corruption } of corruptions) {
		test(`the verification finds ${how}, and names the account`, async (t) => {
			const { store, corrupt } = await open(t);
			await corrupt(corruption);
			const { problems } = await store.verifyLedger();
			const named = new Set(problems.map(({ username }) => username));
			assert.ok(named.has(corruption.username), JSON.stringify(problems));
			// Where one account is off, so may be the sum of its reseller, or the other side of its entry. Nobody else is.
			const reseller = corruption.username === 'chiara' ? 'other' : 'acme';
			assert.ok(
				[...named].every((name) => [corruption.username, reseller].includes(name)),
				JSON.stringify(problems),
			);
		});
	}
}
