import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_CENTS } from '@bursar/contract';
import {
	createReseller,
	createSubUser,
	creditReseller,
	giveBalance,
	NOON_MS,
	takeBalance,
} from '../../support/commands.ts';
import { peopleRows } from '../../support/people-rows.ts';
import { type Engine, runAll } from './engine.ts';

const NO_SEAL = { seal: (text: string) => `sealed ${text.length}` };

/** Tests the verification: it accepts a sound ledger, and finds each corruption. */
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

	test('a sound ledger has no problems, and all accounts and transfers are counted', async (t) => {
		const { store, insert } = await open(t);
		await insert(peopleRows('acme', NO_SEAL, NOON_MS));
		assert.deepEqual(await store.verifyLedger(), { accounts: 5, transfers: 9, problems: [] });
	});

	test('a ledger without anything, and one with more than 2^63 cents in total, is sound', async (t) => {
		const { store } = await engine.open(t);
		assert.deepEqual(await store.verifyLedger(), { accounts: 0, transfers: 0, problems: [] });
		const names = Array.from({ length: 1030 }, (_, n) => `reseller${n}`);
		await runAll(
			store,
			names.map((name) => createReseller(name, MAX_CENTS)),
		);
		assert.deepEqual(await store.verifyLedger(), { accounts: 1030, transfers: 1030, problems: [] });
	});

	test('the tables accept an entry of an unknown kind; the verification reports only the kind', async (t) => {
		const { store, corrupt } = await open(t);
		await corrupt(`UPDATE transfers SET kind = 'refund' WHERE ${lastEntryOf('alice')}`);
		assert.deepEqual((await store.verifyLedger()).problems, [
			{ name: 'acme', problem: 'a ledger entry is of a kind that this version does not know: refund' },
		]);
	});

	test('the verification names a person of a reseller that does not exist; a sub-user is no reseller', async (t) => {
		const { store, insert } = await open(t);
		for (const reseller of ['nobody', 'alice']) {
			const [ann] = peopleRows(reseller, NO_SEAL, NOON_MS).people ?? [];
			await insert({ people: [{ ...ann, id: reseller, email: `ann@${reseller}` }] });
		}
		const problem = 'the person belongs to a reseller that does not exist';
		assert.deepEqual(
			new Set((await store.verifyLedger()).problems),
			new Set(['nobody', 'alice'].map((reseller) => ({ name: `ann@${reseller}`, problem: `${problem}: ${reseller}` }))),
		);
	});

	test('the verification names payments without a ledger entry, and bounds of no reseller', async (t) => {
		const { store, insert } = await open(t);
		const paid = { reseller: 'acme', amount_cents: 1000, balance_cents: 1000, reason: '' };
		await insert({
			top_ups: [
				{ ...paid, reference: 'kept', request_id: 'test-request' },
				{ ...paid, reference: 'lost', request_id: 'another request' },
				{ ...paid, reference: 'less', request_id: 'test-request', amount_cents: 999 },
				{ ...paid, reference: 'of other', request_id: 'test-request', reseller: 'other' },
				{ ...paid, reference: 'taken', request_id: 'test-request', amount_cents: -1000 },
			],
			low_balances: ['acme', 'alice', 'nobody'].map((reseller) => ({ reseller, low_balance_cents: 5 })),
		});
		const payment = 'a payment has no ledger entry';
		const bound = 'no reseller has this name, but a bound of its balance is set';
		assert.deepEqual(
			new Set((await store.verifyLedger()).problems),
			new Set([
				...['lost', 'less', 'taken'].map((reference) => ({ name: 'acme', problem: `${payment}: ${reference}` })),
				{ name: 'other', problem: `${payment}: of other` },
				{ name: 'alice', problem: bound },
				{ name: 'nobody', problem: bound },
			]),
		);
	});

	test('the verification finds each row of a person who does not exist', async (t) => {
		const { store, insert } = await open(t);
		const { people, removed_people, sign_in_tries, used_challenges, outbox, mail_choices, ...ofPeople } = peopleRows(
			'acme',
			NO_SEAL,
			NOON_MS,
		);
		const rows = Object.entries(ofPeople);
		assert.equal(rows.length, 6);
		const found = [];
		for (const [table, all] of rows) {
			await insert({ [table]: all });
			const { problems } = await store.verifyLedger();
			assert.equal(problems.length, found.length + 1, table);
			found.push(problems.at(-1));
		}
		assert.deepEqual(
			found.map((each) => each?.name),
			rows.map(([, all]) => all[0]?.person),
		);
		assert.equal(new Set(found.map((each) => each?.problem)).size, rows.length);
		await insert({ people: people ?? [] });
		assert.deepEqual((await store.verifyLedger()).problems, []);
	});

	const SUM = 'the balance is not the sum of its ledger entries';
	const STEP = 'a ledger entry does not lead from the balance before to the balance after';
	const ACCOUNT = 'a ledger entry names an account that does not exist';
	const MONEY =
		'the money that came in is not the balances of the accounts of this reseller plus their fees and bandwidth';
	const NEGATIVE = 'the balance is below zero';
	const NEWEST = 'the id of its newest movement is not that of its ledger entries';
	const REGISTER = 'the account and the register of usernames do not agree';
	for (const [how, username, ofAccount, sql] of [
		['a balance that is a cent too high', 'alice', [SUM], balance('alice', 151)],
		['a balance that is a cent too low', 'bruno', [SUM], balance('bruno', 99)],
		['a balance below zero', 'chiara', [SUM, NEGATIVE], balance('chiara', -1)],
		["a reseller's balance", 'acme', [SUM, MONEY], balance('acme', 0)],
		['a changed entry', 'alice', [SUM, STEP], `UPDATE transfers SET amount_cents = 49 WHERE ${lastEntryOf('alice')}`],
		[
			'an entry whose balance is missing',
			'alice',
			[STEP],
			`UPDATE transfers SET debit_balance_cents = NULL WHERE ${lastEntryOf('alice')}`,
		],
		[
			'a removed entry in the middle',
			'alice',
			[SUM, STEP],
			`DELETE FROM transfers WHERE credit = 'alice' AND kind = 'give'`,
		],
		['a counter of movements that is ahead', 'acme', [NEWEST], counter('acme', 99)],
		['a counter of movements that is behind', 'acme', [NEWEST], counter('acme', 1)],
		['a counter of movements of a sub-user', 'alice', [NEWEST], counter('alice', 1)],
		['a removed entry', 'bruno', [SUM], `DELETE FROM transfers WHERE ${lastEntryOf('bruno')}`],
		[
			'a removed account that had a balance',
			'bruno',
			[ACCOUNT, REGISTER],
			"DELETE FROM accounts WHERE username = 'bruno'",
		],
		[
			'a removed account that never had a balance',
			'chiara',
			[REGISTER],
			"DELETE FROM accounts WHERE username = 'chiara'",
		],
		['a free name whose account exists', 'alice', [REGISTER], "DELETE FROM usernames WHERE username = 'alice'"],
	] as const) {
		test(`the verification finds ${how}, names the account, and says what is wrong`, async (t) => {
			const { store, corrupt } = await open(t);
			await corrupt(sql);
			const { problems } = await store.verifyLedger();
			const named = new Set(problems.map(({ name }) => name));
			const found = problems.filter(({ name }) => name === username).map(({ problem }) => problem);
			assert.deepEqual(new Set(found), new Set(ofAccount), JSON.stringify(problems));
			// A wrong account can also make its reseller wrong, as its sum or as the other side of its entry. No other account.
			const others = [...named].filter((name) => ![username, username === 'chiara' ? 'other' : 'acme'].includes(name));
			assert.deepEqual(others, [], JSON.stringify(problems));
		});
	}
}

function counter(username: string, newest: number): string {
	return `UPDATE accounts SET newest_movement = ${newest} WHERE username = '${username}'`;
}

function balance(username: string, cents: number): string {
	return `UPDATE accounts SET balance_cents = ${cents} WHERE username = '${username}'`;
}

function lastEntryOf(username: string): string {
	const isSide = `'${username}' IN (debit, credit)`;
	return `reseller = 'acme' AND id = (SELECT MAX(id) FROM transfers WHERE reseller = 'acme' AND ${isSide})`;
}
