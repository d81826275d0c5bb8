import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usageDayOf } from '../../../src/domain/usage.ts';
import { OPERATORS } from '../../../src/store/reading.ts';
import type { Store } from '../../../src/store/store.ts';
import type { StoredMovement } from '../../../src/store/tables/ledger/movements.ts';
import {
	createReseller,
	createSubUser,
	creditReseller,
	giveBalance,
	NOON_MS,
	postUsage,
	setPrice,
	takeBalance,
} from '../../support/commands.ts';
import { type Engine, record, runAll } from './engine.ts';

const GB = 1_000_000_000;
const DAY_MS = 86_400_000;
const TODAY = usageDayOf(NOON_MS);

/** Tests what pages read about prices, costs and charges. */
export function meteringReadsSuite(engine: Engine): void {
	let reports = 0;
	function use(store: Store, username: string, bytesUp: number, atMs = NOON_MS) {
		return record(store, [{ source: 'pages', id: `${reports++}`, username, atMs, bytesUp, bytesDown: 0 }], atMs);
	}

	test('the reference and the reason of a payment stand in its own movement, and not in the bandwidth that it posts', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme', 1_000), setPrice('acme', 1_000_000)]);
		await use(store, 'acme', GB);
		const payment = { ...creditReseller('acme', -50, 'r-1'), requestId: 'of the payment' };
		await runAll(store, [payment], NOON_MS + 10);
		const query = { reseller: 'acme', before: Number.MAX_SAFE_INTEGER, limit: 2 };
		const { rows } = await store.listMovements(query);
		const { movements } = await store.findRequest('of the payment');
		for (const found of [rows, movements]) {
			assert.deepEqual(found.map(({ kind, reference, reason }) => [kind, reference, reason]).toSorted(), [
				['adjustment', 'r-1', 'a mistake'],
				['usage', null, null],
			]);
		}
	});

	test('movements of usage find their charges by account and time, many at once, and no others', async (t) => {
		const { store } = await engine.open(t);
		const names = Array.from({ length: 60 }, (_, index) => `user${index}`);
		await runAll(store, [
			createReseller('acme', 10_000),
			createReseller('bolt', 1_000),
			createSubUser('bolt', 'carol'),
			...names.map((name) => createSubUser('acme', name)),
			giveBalance('bolt', 'carol', 100),
			...names.map((name) => giveBalance('acme', name, 50)),
			setPrice('acme', 100_000),
			setPrice('bolt', 100_000),
		]);
		for (const name of [...names, 'carol']) await use(store, name, GB);
		await runAll(store, [postUsage('acme', ...names), postUsage('bolt', 'carol')], NOON_MS + 10);
		await use(store, 'user0', GB, NOON_MS + 20);
		await runAll(store, [setPrice('acme', 1_000_000)], NOON_MS + 30);
		await use(store, 'user0', GB, NOON_MS + 40);
		await runAll(store, [takeBalance('acme', 'user1', 1), postUsage('acme', 'user0')], NOON_MS + 50);
		const { rows } = await store.listMovements({
			reseller: 'acme',
			kind: 'usage',
			before: Number.MAX_SAFE_INTEGER,
			limit: 100,
		});
		assert.equal(rows.length, 61);
		const query = { reseller: 'acme', owner: OPERATORS };
		const charges = await store.listUsageCharges({ ...query, settled: rows.map(settledOf) });
		assert.equal(charges.length, 62);
		assert.deepEqual(new Set(charges.map(({ username }) => username)), new Set(names));
		const newest = await store.listUsageCharges({ ...query, settled: rows.slice(0, 1).map(settledOf) });
		const common = {
			reseller: 'acme',
			username: 'user0',
			bytes: GB,
			atMs: NOON_MS + 50,
			requestId: rows[0]?.requestId,
		};
		assert.deepEqual(newest, [
			{
				...{ ...common, price: 1, microUsdPerGb: 100_000, fromBytes: GB, sinceMs: NOON_MS + 20 },
				cents: 10,
			},
			{
				...{ ...common, price: 2, microUsdPerGb: 1_000_000, fromBytes: 0, sinceMs: NOON_MS + 40 },
				cents: 100,
			},
		]);
		assert.deepEqual(await store.listUsageCharges({ ...query, reseller: 'bolt', settled: rows.map(settledOf) }), []);
	});

	test('what days cost, what is left, and who runs out next or has run out are those of the reseller', async (t) => {
		const { store } = await engine.open(t);
		const span = { reseller: 'acme', firstDay: TODAY - 6, lastDay: TODAY };
		await runAll(
			store,
			[
				...['acme', 'bolt'].flatMap((name) => [createReseller(name, 10_000), setPrice(name, 1_000_000)]),
				...['alice', 'bruno', 'carla', 'daria', 'elena', 'empty'].map((name) => createSubUser('acme', name)),
				createSubUser('bolt', 'other'),
			],
			NOON_MS - 20 * DAY_MS,
		);
		await runAll(
			store,
			[
				giveBalance('acme', 'alice', 1000),
				giveBalance('acme', 'bruno', 200),
				giveBalance('acme', 'carla', 300),
				giveBalance('acme', 'daria', 50),
			],
			NOON_MS - 20 * DAY_MS,
		);
		assert.deepEqual(await store.listRunningOut({ ...span, limit: 10 }), []);
		for (const name of ['alice', 'elena']) await use(store, name, GB, NOON_MS - 7 * DAY_MS);
		await use(store, 'alice', 2 * GB, NOON_MS - DAY_MS);
		// Two halves of a cent are a cent of the second day.
		for (const days of [1, 0]) await use(store, 'bruno', GB / 200, NOON_MS - days * DAY_MS);
		await use(store, 'carla', GB, NOON_MS);
		await use(store, 'daria', GB, NOON_MS);
		await use(store, 'acme', 3 * GB, NOON_MS);
		await use(store, 'other', GB, NOON_MS);
		assert.deepEqual(await store.listCostDays(span), [
			{ day: TODAY - 1, costCents: 200 },
			{ day: TODAY, costCents: 501 },
		]);
		assert.deepEqual(await store.listCostDays({ ...span, username: 'bruno' }), [
			{ day: TODAY - 1, costCents: 0 },
			{ day: TODAY, costCents: 1 },
		]);
		assert.deepEqual(await store.sumSpending(span), {
			balanceCents: 700 + 199 + 200,
			costCents: 200 + 1 + 100 + 100,
			ownCostCents: 300,
		});
		const row = (username: string, balanceCents: number, costCents: number) => ({ username, balanceCents, costCents });
		const next = [row('carla', 200, 100), row('alice', 700, 200), row('bruno', 199, 1)];
		assert.deepEqual(await store.listRunningOut({ ...span, limit: 10 }), next);
		assert.deepEqual(await store.listRunningOut({ ...span, limit: 1 }), next.slice(0, 1));
		// Not `empty`: it has never paid for anything.
		const out = [row('daria', 0, 100), row('elena', 0, 0)].map((each) => ({ ...each, count: 2 }));
		const now = { ...span, atMs: NOON_MS };
		assert.deepEqual(await store.listRanOut({ ...now, limit: 10 }), out);
		assert.deepEqual(await store.listRanOut({ ...now, limit: 1 }), out.slice(0, 1));
		assert.deepEqual(await store.listRanOut({ ...now, reseller: 'nobody', limit: 1 }), []);

		await runAll(store, [postUsage('acme', 'daria')]);
		const days = [
			{ day: TODAY - 1, costCents: 200 },
			{ day: TODAY, costCents: 601 },
		];
		assert.deepEqual(await store.listIncomeDays(span), days);
		const income = [
			{ reseller: 'acme', costCents: 701, debtCents: 0 },
			{ reseller: 'bolt', costCents: 100, debtCents: 0 },
		];
		const all = { count: 2, debtCents: 0 };
		assert.deepEqual(await store.readIncome({ ...span, limit: 10 }), { days, resellers: income, ...all });
		assert.deepEqual(await store.readIncome({ ...span, limit: 1 }), { days, resellers: income.slice(0, 1), ...all });
		const yesterday = { firstDay: TODAY - 1, lastDay: TODAY - 1, limit: 10 };
		assert.deepEqual(await store.readIncome(yesterday), {
			...{ days: days.slice(0, 1), resellers: [{ reseller: 'acme', costCents: 200, debtCents: 0 }] },
			...{ count: 1, debtCents: 0 },
		});
	});
}

/** The account that paid, and when. */
function settledOf({ debit, atMs }: StoredMovement) {
	return { username: debit, atMs };
}
