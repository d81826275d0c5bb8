import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedSeed, type Random, randomFrom } from '@bursar/testing/random';
import type { Command } from '../../../src/commands/registry.ts';
import { startOfDayMs, usageDayOf } from '../../../src/domain/usage.ts';
import { createLedgerDays } from '../../../src/http/dashboard/operators/ledger-days.ts';
import type { RowPosition } from '../../../src/store/tables/accounts/sub-users.ts';
import {
	createReseller,
	createSubUser,
	creditReseller,
	deleteSubUser,
	giveBalance,
	judgeUsable,
	NOON_MS,
	postUsage,
	setLimits,
	setPrice,
	suspendReseller,
	suspendSubUser,
	takeBalance,
} from '../../support/commands.ts';
import { type Engine, type OpenedEngine, record, run, runAll } from './engine.ts';

const GB = 1_000_000_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const TODAY = usageDayOf(NOON_MS);
const STEPS = process.env.BURSAR_TEST_FAULTS === 'long' ? 400 : 80;

/** Tests what operators read about the money of all resellers together. */
export function platformSuite(engine: Engine): void {
	test('what was held at the end of each day, and what moved on it, is what the ledger says, also of days that are kept', async (t) => {
		const opened = await engine.open(t);
		const { store } = opened;
		const random = randomFrom(printedSeed(t));
		const firstDay = TODAY;
		const readDays = createLedgerDays(store);
		const another = await opened.openAnother();
		let atMs = startOfDayMs(TODAY);
		await runAll(store, [...['acme', 'bolt'].flatMap((name) => [createReseller(name, 500), setPrice(name, GB)])], atMs);
		for (let step = 0; step < STEPS; step++) {
			// Many are close together, some days lie between others, and the clock may be set back.
			const passedMs = [0, MINUTE_MS, HOUR_MS, 9 * HOUR_MS, 60 * HOUR_MS, -20 * MINUTE_MS][random.below(6)] ?? 0;
			atMs = Math.max(startOfDayMs(firstDay), atMs + passedMs);
			await moveMoney(opened, random, step, atMs);
			if (random.below(4) > 0) continue;
			const today = usageDayOf(atMs);
			const from = Math.min(today - 1, firstDay + random.below(today - firstDay + 1));
			const days = await readDays(from, today);
			assert.deepEqual(days.map(comparable), await expectedDays(opened, from, today));
			const anew = await createLedgerDays(another)(from, today);
			assert.deepEqual(anew.map(comparable), days.map(comparable));
		}
	});

	test('an empty ledger has days without anything', async (t) => {
		const { store } = await engine.open(t);
		const days = await createLedgerDays(store)(TODAY - 2, TODAY);
		assert.deepEqual(
			days,
			[2, 1, 0].map((ago) => ({ day: TODAY - ago, heldCents: 0, sums: [] })),
		);
		assert.deepEqual(await store.listHoldings({ firstDay: TODAY - 6, lastDay: TODAY }), []);
	});

	test('what the accounts of each reseller hold is what is left of their balances', async (t) => {
		const { store, insert } = await engine.open(t);
		await runAll(store, [
			createReseller('acme', 10_000),
			...['alice', 'bruno', 'carla', 'daria'].map((name) => createSubUser('acme', name)),
			giveBalance('acme', 'alice', 1_000),
			giveBalance('acme', 'bruno', 100),
			createReseller('bolt', 700),
			createSubUser('bolt', 'edgar'),
			createReseller('clip', 0),
			suspendReseller('clip'),
			deleteSubUser('acme', 'daria'),
			setPrice('acme', 1_000_000),
			setPrice('bolt', 1_000_000),
		]);
		await runAll(store, [setPrice('bolt', null)], NOON_MS + 1);
		await insert({ low_balances: [{ reseller: 'bolt', low_balance_cents: 800 }] });
		const used = (id: string, username: string, bytesDown: number, daysAgo = 0) => ({
			...{ source: 's', id, username, bytesUp: 0, bytesDown, atMs: NOON_MS + 2 - daysAgo * 24 * HOUR_MS },
		});
		await record(store, [used('1', 'alice', GB), used('2', 'bruno', 3 * GB), used('3', 'acme', GB / 2)], NOON_MS + 2);
		const usual = { lowBalanceCents: null, meteredSinceMs: null, suspendedAtMs: null, costCents: 0 };
		const own = 10_000 - 4 * 10 - 1_100 - 50;
		assert.deepEqual(await store.listHoldings({ firstDay: TODAY - 6, lastDay: TODAY }), [
			{
				...{ ...usual, reseller: 'acme', heldCents: own + 900, ownCents: own },
				...{ meteredSinceMs: NOON_MS, costCents: 450 },
			},
			{ ...usual, reseller: 'bolt', heldCents: 690, ownCents: 690, lowBalanceCents: 800 },
			{ ...usual, reseller: 'clip', heldCents: 0, ownCents: 0, suspendedAtMs: NOON_MS },
		]);
		const [before] = await store.listHoldings({ firstDay: TODAY - 6, lastDay: TODAY - 1 });
		assert.equal(before?.costCents, 0);
	});

	test('whom the proxies refuse is counted by reseller and reason: all of a reseller that is suspended or in debt', async (t) => {
		const { store } = await engine.open(t);
		const names = (reseller: string) => ['a', 'b', 'c'].map((name) => `${reseller}.${name}`);
		await runAll(store, [
			...['acme', 'bolt', 'clip', 'dock'].flatMap((reseller) => [
				createReseller(reseller, 40),
				...names(reseller).map((name) => createSubUser(reseller, name)),
			]),
			giveBalance('acme', 'acme.a', 5),
			suspendSubUser('acme', 'acme.b'),
			setLimits('acme', 'acme.c', { expiresAtMs: NOON_MS }),
			setPrice('acme', 1_000_000),
			suspendSubUser('bolt', 'bolt.a'),
			suspendReseller('bolt'),
			{ ...setPrice('clip', 1_000_000), debtLineCents: 0 },
		]);
		const used = (id: string, username: string, gb: number) => {
			return { source: 's', id, username, bytesUp: 0, bytesDown: gb * GB, atMs: NOON_MS + 2 };
		};
		await record(store, [used('1', 'acme.a', 1), used('2', 'clip.a', 1), used('3', 'dock.a', 2)], NOON_MS + 2);
		await runAll(store, [postUsage('acme', 'acme.a'), postUsage('clip', 'clip.a')], NOON_MS + 3);
		const all = ['acme', 'bolt', 'clip', 'dock'].map((reseller) => judgeUsable(reseller, ...names(reseller)));
		await runAll(store, all, NOON_MS + 4);
		const counts = (await store.listRefused()).map(({ reseller, reason, subUsers }) => [reseller, reason, subUsers]);
		assert.deepEqual(counts.toSorted(), [
			['acme', 'exhausted', 1],
			['acme', 'expired', 1],
			['acme', 'suspended', 1],
			['bolt', 'reseller_suspended', 3],
			['clip', 'reseller_in_debt', 3],
		]);
		const days = { firstDay: TODAY - 29, lastDay: TODAY };
		const figures = await store.readResellerFigures({ resellers: ['dock', 'acme', 'bolt', 'nobody'], ...days });
		const of = (bytes: number, refusedSubUsers: number) => ({ bytes, lastDayBytes: bytes, refusedSubUsers });
		assert.deepEqual(Object.fromEntries(figures), { acme: of(GB, 3), bolt: of(0, 3), dock: of(2 * GB, 0) });
		const sorted = async (by: 'bandwidth' | 'refused', descends: boolean, after?: RowPosition) => {
			const query = { search: '', by, used: days, descends, after, limit: 3 };
			return (await store.listResellersBy(query)).map(({ username, figure }) => [username, figure]);
		};
		assert.deepEqual(await sorted('bandwidth', true), [
			['dock', 2 * GB],
			['clip', GB],
			['acme', GB],
		]);
		assert.deepEqual(await sorted('bandwidth', true, { username: 'acme', value: GB }), [['bolt', 0]]);
		assert.deepEqual(await sorted('refused', false), [
			['dock', 0],
			['acme', 3],
			['bolt', 3],
		]);
	});
}

/** Does something that may move money. What is refused moves none. */
async function moveMoney({ store }: OpenedEngine, random: Random, step: number, atMs: number): Promise<void> {
	const reseller = ['acme', 'bolt'][random.below(2)] ?? 'acme';
	const username = `${reseller}.${random.below(4)}`;
	const cents = 1 + random.below(300);
	const commands: readonly Command[] = [
		creditReseller(reseller, cents, `payment ${step}`),
		creditReseller(reseller, -cents, `payment ${step}`),
		createSubUser(reseller, username),
		giveBalance(reseller, username, cents),
		takeBalance(reseller, username, cents),
		deleteSubUser(reseller, username),
		postUsage(reseller, username),
	];
	const report = { source: 's', id: `${step}`, username, atMs, bytesUp: GB / 100, bytesDown: 0 };
	await record(store, [report], atMs);
	await run(store, [commands[random.below(commands.length)] as Command], atMs);
}

function comparable({ day, heldCents, sums }: Awaited<ReturnType<ReturnType<typeof createLedgerDays>>>[number]) {
	return { day, heldCents, sums: Object.fromEntries(sums.map(({ kind, cents }) => [kind, cents])) };
}

/** By the rows of the ledger: money comes from one side of the platform and goes to another. */
async function expectedDays({ transfers }: OpenedEngine, firstDay: number, lastDay: number) {
	const rows = (await Promise.all(['acme', 'bolt'].map(transfers))).flat();
	return Array.from({ length: lastDay - firstDay + 1 }, (_, index) => {
		const day = firstDay + index;
		const isToday = day === lastDay;
		const until = rows.filter(({ atMs }) => isToday || usageDayOf(atMs) <= day);
		const sums: Record<string, number> = {};
		for (const { kind, amountCents, atMs } of rows) {
			if (usageDayOf(atMs) === day || (isToday && usageDayOf(atMs) > day)) sums[kind] = (sums[kind] ?? 0) + amountCents;
		}
		const isPlatform = (side: string) => side.startsWith('platform:');
		const heldCents = until.reduce((sum, { debit, credit, amountCents }) => {
			return sum + (isPlatform(debit) ? amountCents : 0) - (isPlatform(credit) ? amountCents : 0);
		}, 0);
		return { day, heldCents, sums };
	});
}
