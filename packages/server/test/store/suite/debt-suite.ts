import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import type { Command } from '../../../src/commands/registry.ts';
import type { Store } from '../../../src/store/store.ts';
import type { StoredPair } from '../../../src/store/tables/edges/edges.ts';
import type { DueAccount } from '../../../src/store/tables/meters/reads.ts';
import {
	createReseller,
	createSubUser,
	creditReseller,
	deleteSubUser,
	forgiveDebt,
	giveBalance,
	NOON_MS,
	postUsage,
	setPrice,
	takeBalance,
} from '../../support/commands.ts';
import {
	allRows,
	assertSoundLedger,
	balanceOf,
	type Engine,
	type OpenedEngine,
	record,
	run,
	runAll,
} from './engine.ts';

/** What a GB costs: a dollar. So 10 MB are a cent. */
const PRICE = 1_000_000;
const CENT_BYTES = 10_000_000;
const LINE_CENTS = 500;
const LONG_RUNS = process.env.BURSAR_TEST_FAULTS === 'long' ? 100 : 6;

/** Tests that bandwidth which no balance covers is owed by the reseller (docs/decisions/0074-debts.md). */
export function debtSuite(engine: Engine): void {
	/** A reseller with a price, 1000 cents less two fees, and the sub-users alice and bruno. */
	async function open(t: Parameters<Engine['open']>[0]) {
		const opened = await engine.open(t);
		await runAll(opened.store, [
			createReseller('acme', 1020),
			createSubUser('acme', 'alice'),
			createSubUser('acme', 'bruno'),
			setPrice('acme', PRICE),
		]);
		return opened;
	}

	let reports = 0;
	function use(store: Store, username: string, cents: number, nowMs = NOON_MS + 1) {
		const used = { username, atMs: nowMs, bytesUp: cents * CENT_BYTES, bytesDown: 0 };
		return record(store, [{ source: 's', id: `debt${reports++}`, ...used }], nowMs);
	}

	const debtOf = async (store: Store, reseller = 'acme') => (await store.findDebt(reseller))?.cents;
	const leftOf = async (store: Store, username: string) =>
		leftOfPair((await store.readPairs([username])).get(username));

	async function entries({ transfers }: OpenedEngine) {
		return (await transfers('acme')).map(({ kind, debit, credit, amountCents }) => [kind, debit, credit, amountCents]);
	}

	test('give, pass and take back: the bandwidth is owed, and whatever the balance gets pays it first', async (t) => {
		const opened = await open(t);
		const { store } = opened;
		await runAll(store, [giveBalance('acme', 'alice', 1000), takeBalance('acme', 'alice', 1000)]);
		// The money is parked at bruno when the report arrives.
		await runAll(store, [giveBalance('acme', 'bruno', 1000)]);
		await use(store, 'alice', 300);
		assert.deepEqual(await store.findOverdrawn(['alice', 'bruno']), [{ reseller: 'acme', username: 'alice' }]);
		await runAll(store, [postUsage('acme', 'alice')]);
		assert.deepEqual([await balanceOf(store, 'acme', 'acme'), await debtOf(store)], [0, 300]);
		assert.deepEqual(await run(store, [giveBalance('acme', 'alice', 1)]), [
			{ ok: false, error: 'insufficient_balance' },
		]);
		await runAll(store, [takeBalance('acme', 'bruno', 100)]);
		assert.deepEqual([await balanceOf(store, 'acme', 'acme'), await debtOf(store)], [0, 200]);
		const [credited] = await run(store, [creditReseller('acme', 500, 'invoice')]);
		assert.partialDeepStrictEqual(credited, { ok: true, balanceCents: 300 });
		assert.deepEqual([await balanceOf(store, 'acme', 'acme'), await debtOf(store)], [300, 0]);
		assert.equal(await balanceOf(store, 'acme', 'bruno'), 900, 'the balance of a sub-user is never touched');
		const payments = (await entries(opened)).filter(([kind]) => kind === 'debt_payment');
		assert.deepEqual(
			payments.map(([, , , cents]) => cents),
			[100, 200],
			'one payment for each credit',
		);
		await assertSoundLedger(store);
	});

	test('the own pair of a reseller, and a deleted sub-user, are owed likewise', async (t) => {
		const opened = await open(t);
		const { store } = opened;
		await runAll(store, [giveBalance('acme', 'alice', 600), giveBalance('acme', 'bruno', 400)]);
		await use(store, 'acme', 7);
		await use(store, 'bruno', 450);
		await runAll(store, [deleteSubUser('acme', 'bruno')]);
		assert.equal(await debtOf(store), 50, 'a delete settles what was reported');
		await use(store, 'bruno', 20);
		assert.deepEqual(await store.findOverdrawn(['alice', 'bruno', 'acme']), [
			{ reseller: 'acme', username: 'acme' },
			{ reseller: 'acme', username: 'bruno' },
		]);
		await runAll(store, [postUsage('acme', 'acme', 'bruno')]);
		assert.equal(await debtOf(store), 77);
		const { rows } = await store.listMovements({
			...{ reseller: 'acme', kind: 'debt', before: Number.MAX_SAFE_INTEGER, limit: 10 },
		});
		assert.deepEqual(
			rows.map(({ aboutUsername, amountCents }) => [aboutUsername, amountCents]),
			[
				['bruno', 20],
				['acme', 7],
				['bruno', 50],
			],
		);
		await assertSoundLedger(store);
	});

	test('beyond the line all pairs of the reseller are exhausted; below it, and without a price, nobody is', async (t) => {
		const { store } = await open(t);
		await runAll(store, [
			createReseller('other', 100),
			setPrice('other', PRICE),
			giveBalance('acme', 'alice', 400),
			giveBalance('acme', 'bruno', 600),
		]);
		await use(store, 'acme', 3);
		await runAll(store, [postUsage('acme', 'acme')]);
		assert.equal(await leftOf(store, 'alice'), 400 * CENT_BYTES, 'nobody is cut off for three cents');
		await use(store, 'bruno', 600 + LINE_CENTS - 3);
		await runAll(store, [postUsage('acme', 'bruno')]);
		assert.deepEqual(await store.findDebt('acme'), { reseller: 'acme', cents: LINE_CENTS, lineCents: LINE_CENTS });
		assert.equal(await leftOf(store, 'alice'), 400 * CENT_BYTES);
		await use(store, 'acme', 1);
		await runAll(store, [postUsage('acme', 'acme')]);
		for (const name of ['alice', 'bruno', 'acme']) assert.equal(await leftOf(store, name), 0, name);
		assert.equal(await leftOf(store, 'other'), 100 * CENT_BYTES);
		await runAll(store, [setPrice('acme', null)]);
		assert.equal(await leftOf(store, 'alice'), null);
		await runAll(store, [{ ...setPrice('acme', PRICE), debtLineCents: LINE_CENTS + 1 }]);
		assert.equal(await leftOf(store, 'alice'), 400 * CENT_BYTES);
		await runAll(store, [{ ...setPrice('acme', PRICE), debtLineCents: 0 }]);
		assert.equal(await leftOf(store, 'alice'), 0);
		await runAll(store, [creditReseller('acme', LINE_CENTS + 1, 'invoice')]);
		assert.equal(await leftOf(store, 'alice'), 400 * CENT_BYTES);
		assert.deepEqual(await run(store, [{ ...setPrice('acme', PRICE), debtLineCents: -1 }]), [
			{ ok: false, error: 'invalid_debt_line' },
		]);
		await assertSoundLedger(store);
	});

	test('a debt is forgiven with a reason, and never more than it is', async (t) => {
		const opened = await open(t);
		const { store } = opened;
		await runAll(store, [giveBalance('acme', 'alice', 1000)]);
		await use(store, 'acme', 40);
		await runAll(store, [postUsage('acme', 'acme')]);
		const refusals = [
			forgiveDebt('acme', 41),
			forgiveDebt('acme', 0),
			forgiveDebt('acme', 1, ''),
			forgiveDebt('no', 1),
		];
		assert.deepEqual(
			(await run(store, refusals)).map((outcome) => !outcome.ok && outcome.error),
			['more_than_the_debt', 'invalid_amount', 'invalid_reason', 'unknown_reseller'],
		);
		assert.deepEqual(await run(store, [forgiveDebt('acme', 15, 'an outage of ours')]), [
			{ ok: true, username: 'acme', debtCents: 25 },
		]);
		assert.deepEqual((await entries(opened)).at(-1), ['debt_forgiven', 'platform:funding', 'platform:debt', 15]);
		const { rows } = await store.listMovements({ reseller: 'acme', before: Number.MAX_SAFE_INTEGER, limit: 1 });
		assert.equal(rows[0]?.note, 'an outage of ours');
		assert.equal(await debtOf(store), 25);
		await assertSoundLedger(store);
	});

	test('many sub-users that are each used once are found together, at the latest by the look at all accounts', async (t) => {
		const { store } = await open(t);
		const names = Array.from({ length: 250 }, (_, n) => `once${n}`);
		await runAll(store, [creditReseller('acme', 20_000, 'invoice')]);
		for (let from = 0; from < names.length; from += 50) {
			const some = names.slice(from, from + 50);
			const moves = some.flatMap((name) => [giveBalance('acme', name, 1), takeBalance('acme', name, 1)]);
			await runAll(store, [...some.map((name) => createSubUser('acme', name)), ...moves]);
		}
		const used = names.map((username) => ({
			...{ source: 's', id: username, username, atMs: NOON_MS + 1, bytesUp: 2 * CENT_BYTES, bytesDown: 0 },
		}));
		await record(store, used, NOON_MS + 1);
		const page = (after?: DueAccount) => store.listDueAccounts({ dueSinceBeforeMs: 0, after, limit: 100 });
		const found = (await allRows<DueAccount>(100, page)).map(({ username }) => username);
		assert.deepEqual(found, names.toSorted());
		for (let from = 0; from < names.length; from += 100) {
			await runAll(store, [postUsage('acme', ...names.slice(from, from + 100))]);
		}
		assert.equal(await balanceOf(store, 'acme', 'acme'), 1000 + 20_000 - 2_500 - 500);
		await assertSoundLedger(store);
	});

	test('a hostile reseller gets at most the line and what passes in one round for nothing, over any number of rounds', async (t) => {
		const opened = await engine.open(t);
		let runs = 0;
		const round = fc.record({
			moves: fc.array(MOVE, { maxLength: 6 }),
			between: fc.array(MOVE, { maxLength: 6 }),
			order: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
		});
		const property = fc.asyncProperty(fc.array(round, { minLength: 20, maxLength: 40 }), (rounds) =>
			cheat(opened, `cheat${runs++}.`, rounds),
		);
		await fc.assert(property, { seed: printedSeed(t), numRuns: LONG_RUNS });
		await assertSoundLedger(opened.store);
	});

	test('a verification finds a wrong debt, and a debt beside a balance', async (t) => {
		const opened = await open(t);
		const { store } = opened;
		await runAll(store, [giveBalance('acme', 'alice', 1000)]);
		await use(store, 'acme', 40);
		await runAll(store, [postUsage('acme', 'acme')]);
		await assertSoundLedger(store);
		const problems = async () => (await store.verifyLedger()).problems.map(({ problem }) => problem);
		await opened.rows("UPDATE accounts SET debt_cents = 41 WHERE username = 'acme' RETURNING 1");
		assert.deepEqual(await problems(), ['the debt is not the sum of its ledger entries']);
		await opened.rows("UPDATE accounts SET debt_cents = 40, balance_cents = 1 WHERE username = 'acme' RETURNING 1");
		assert.ok((await problems()).includes('the reseller owes something, and has a balance that could pay it'));
	});
}

const EDGES = ['east', 'west'];
/** What a pair can pass at an edge in a round, in cents: more than the balances of the reseller. */
const ROUND_CENTS = 40;

/** A way to hide money from what was used. */
const MOVE = fc.record({
	kind: fc.constantFrom('give', 'take', 'delete', 'create'),
	name: fc.constantFrom('alice', 'bruno'),
	share: fc.constantFrom(1, 0.5, 0.01),
});
type Move = typeof MOVE extends fc.Arbitrary<infer T> ? T : never;

/**
 * Plays rounds of a reseller that moves all its money away from what it uses. In each round, edges let each pair pass what a
 * check promised, while the reseller moves money; then they report in any order, and what is overdrawn is posted.
 */
async function cheat(
	{ store }: OpenedEngine,
	prefix: string,
	rounds: readonly {
		readonly moves: readonly Move[];
		readonly between: readonly Move[];
		readonly order: readonly number[];
	}[],
): Promise<void> {
	const acme = `${prefix}acme`;
	await runAll(store, [createReseller(acme, 300), setPrice(acme, PRICE)]);
	/** The present sub-user for each name: a deleted one is followed by another. */
	const present = new Map(['alice', 'bruno'].map((name) => [name, `${prefix}${name}0`]));
	const all = new Set([acme, ...present.values()]);
	for (const name of present.values()) await run(store, [createSubUser(acme, name)]);
	let count = 0;
	let mostUsed = 0;

	async function move({ kind, name, share }: Move): Promise<void> {
		const subUser = present.get(name) as string;
		const command = async (): Promise<Command> => {
			if (kind === 'delete') return deleteSubUser(acme, subUser);
			if (kind === 'create') return createSubUser(acme, `${prefix}${name}${++count}`);
			const from = kind === 'give' ? acme : subUser;
			const cents = Math.max(1, Math.floor(((await balanceOf(store, acme, from)) ?? 0) * share));
			return kind === 'give' ? giveBalance(acme, subUser, cents) : takeBalance(acme, subUser, cents);
		};
		const given = await command();
		const [outcome] = await run(store, [given]);
		if (given.kind !== 'create_sub_user' || !outcome?.ok) return;
		all.add(given.username as string);
		present.set(name, given.username as string);
	}

	let nowMs = NOON_MS;
	for (const { moves, between, order } of rounds) {
		nowMs += 2000;
		for (const each of moves) await move(each);
		const pairs = await store.readPairs([...all]);
		const used = EDGES.flatMap((edge) =>
			Array.from(pairs, ([username, pair]) => {
				const bytes = Math.min(leftOfPair(pair) ?? 0, ROUND_CENTS * CENT_BYTES);
				return { source: edge, id: `${prefix}${count++}`, username, atMs: nowMs, bytesUp: bytes, bytesDown: 0 };
			}),
		).filter(({ bytesUp }) => bytesUp > 0);
		const usedCents = used.reduce((sum, { bytesUp }) => sum + Math.ceil(bytesUp / CENT_BYTES), 0);
		mostUsed = Math.max(mostUsed, usedCents);
		for (const each of between) await move(each);
		for (const [index, report] of used.toSorted((a, b) => rankOf(a.id, order) - rankOf(b.id, order)).entries()) {
			await record(store, [report], nowMs);
			const steal = between[index];
			if (steal) await move(steal);
		}
		const overdrawn = await store.findOverdrawn([...all]);
		if (overdrawn.length > 0) await runAll(store, [postUsage(acme, ...overdrawn.map(({ username }) => username))]);
		assert.deepEqual(await store.findOverdrawn([...all]), [], 'nothing is left to be found');
		const { cents } = (await store.findDebt(acme)) as { readonly cents: number };
		const most = LINE_CENTS + mostUsed;
		assert.ok(cents <= most, `${cents} cents for nothing, more than ${most}`);
	}
}

function rankOf(id: string, order: readonly number[]): number {
	return order[[...id].reduce((sum, character) => sum + character.charCodeAt(0), 0) % order.length] ?? 0;
}

/** After how many bytes the proxies refuse the pair. `null`: never. */
function leftOfPair(pair: StoredPair | null | undefined): number | null {
	assert.ok(pair);
	return pair.isBeyondDebtLine ? 0 : pair.leftBytes;
}
