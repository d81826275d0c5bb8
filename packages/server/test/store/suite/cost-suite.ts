import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedSeed, type Random, randomFrom } from '@bursar/testing/random';
import { UNITS_OF_CENT } from '../../../src/domain/metering.ts';
import { usageDayOf } from '../../../src/domain/usage.ts';
import { readBandwidth } from '../../../src/http/dashboard/bandwidth/bandwidth.ts';
import type { Store } from '../../../src/store/store.ts';
import { createReseller, createSubUser, giveBalance, NOON_MS, setPrice } from '../../support/commands.ts';
import { type Engine, record, runAll } from './engine.ts';

const DAY_MS = 86_400_000;
const DAYS = 40;
const TODAY = usageDayOf(NOON_MS);
const RESELLERS = ['acme', 'bolt', 'coil'];
const ROUNDS = process.env.BURSAR_TEST_FAULTS === 'long' ? 10 : 1;

interface Span {
	readonly firstDay: number;
	readonly lastDay: number;
}

/** Tests that each page shows the same cost for the same days (decision 0088). */
export function costSuite(engine: Engine): void {
	test('the same days cost the same on each page, and rows add up to their totals', async (t) => {
		const random = randomFrom(printedSeed(t));
		for (let round = 0; round < ROUNDS; round++) {
			const { store } = await engine.open(t);
			const exact = await useAtRandom(store, random);
			await assertBooked(store, exact);
			for (const days of [1, 7, 30, 1 + random.below(DAYS)]) {
				await assertSpan(store, { firstDay: TODAY - days + 1, lastDay: TODAY });
				const lastDay = TODAY - random.below(10);
				await assertSpan(store, { firstDay: lastDay - days + 1, lastDay });
			}
		}
	});
}

/** Returns what each reseller used since the beginning, in units of 10^-13 of a cent. */
async function useAtRandom(store: Store, random: Random): Promise<ReadonlyMap<string, bigint>> {
	const start = NOON_MS - DAYS * DAY_MS;
	await runAll(
		store,
		RESELLERS.flatMap((name) => [createReseller(name, 1_000_000_000), ...subUsersOf(name)]),
		start,
	);
	const exact = new Map(RESELLERS.map((name) => [name, 0n]));
	const prices = new Map<string, number>();
	for (let day = 0; day <= DAYS; day++) {
		const atMs = start + day * DAY_MS;
		for (const reseller of RESELLERS) {
			if (prices.has(reseller) && random.below(10) > 0) continue;
			prices.set(reseller, 1 + random.below(4_000_000));
			await runAll(store, [setPrice(reseller, prices.get(reseller) as number)], atMs);
		}
		const used = RESELLERS.flatMap((reseller) =>
			[reseller, `${reseller}_one`, `${reseller}_two`]
				.filter(() => random.below(4) > 0)
				// Sometimes much less than a cent.
				.map((username) => ({
					reseller,
					username,
					bytes: 1 + random.below(random.below(2) ? 5_000_000_000 : 2_000_000),
				})),
		);
		const reports = used.map(({ username, bytes }) => {
			return { source: 'costs', id: `${day} ${username}`, username, atMs, bytesUp: bytes, bytesDown: 0 };
		});
		await record(store, reports, atMs);
		for (const { reseller, bytes } of used) {
			exact.set(reseller, (exact.get(reseller) ?? 0n) + BigInt(bytes) * BigInt(prices.get(reseller) ?? 0));
		}
	}
	return exact;
}

function subUsersOf(reseller: string) {
	return ['one', 'two'].flatMap((end) => {
		const username = `${reseller}_${end}`;
		return [createSubUser(reseller, username), giveBalance(reseller, username, 1_000_000)];
	});
}

/** From the first day on, no fraction is lost, and none is counted twice. */
async function assertBooked(store: Store, exact: ReadonlyMap<string, bigint>): Promise<void> {
	for (const reseller of RESELLERS) {
		const days = await store.listCostDays({ reseller, firstDay: 0, lastDay: TODAY });
		assert.equal(sumOf(days), Number((exact.get(reseller) ?? 0n) / BigInt(UNITS_OF_CENT)), reseller);
	}
}

async function assertSpan(store: Store, span: Span): Promise<void> {
	const totals = new Map<string, number>();
	const ofDays = new Map<number, number>();
	for (const reseller of RESELLERS) {
		const days = await store.listCostDays({ reseller, ...span });
		totals.set(reseller, sumOf(days));
		for (const { day, costCents } of days) ofDays.set(day, (ofDays.get(day) ?? 0) + costCents);
		assert.equal(await chartTotal(store, reseller, span), totals.get(reseller), 'the chart of the overview');
		await assertMetering(store, reseller, span, sumOf(days));
		// A day costs the same in any longer time.
		const longer = await store.listCostDays({ reseller, firstDay: span.firstDay - 5, lastDay: span.lastDay });
		assert.deepEqual(
			longer.filter(({ day }) => day >= span.firstDay),
			days,
		);
	}
	const all = sumOf([...totals.values()].map((costCents) => ({ costCents })));
	const ofAll = [...ofDays].map(([day, costCents]) => ({ day, costCents })).toSorted((a, b) => a.day - b.day);
	assert.deepEqual(await store.listIncomeDays(span), ofAll, 'the start page of operators');
	assert.equal(await chartTotal(store, undefined, span), all, 'the chart of the network');
	const { days, resellers, count } = await store.readIncome({ ...span, limit: 10 });
	assert.deepEqual(days, ofAll, 'the bars of the income');
	assert.deepEqual(
		new Map(resellers.map(({ reseller, costCents }) => [reseller, costCents])),
		new Map([...totals].filter(([, cents]) => cents > 0)),
		'the table of the income',
	);
	assert.equal(count, resellers.length);
	assert.equal(sumOf(resellers), all);
}

/** The own account, all sub-users together, and each of them. */
async function assertMetering(store: Store, reseller: string, span: Span, total: number): Promise<void> {
	const { costCents, ownCostCents } = await store.sumSpending({ reseller, ...span });
	assert.equal(costCents + ownCostCents, total, 'how long balances last');
	assert.ok(costCents >= 0 && ownCostCents >= 0);
	for (const row of await store.listRunningOut({ reseller, ...span, limit: 10 })) {
		const days = await store.listCostDays({ reseller, username: row.username, ...span });
		assert.equal(row.costCents, sumOf(days), 'the chart of a sub-user');
	}
}

async function chartTotal(store: Store, reseller: string | undefined, { firstDay, lastDay }: Span): Promise<number> {
	const spans = { unit: 'day', first: firstDay, last: lastDay, goesOn: lastDay === TODAY } as const;
	const bandwidth = await readBandwidth(store, { reseller, spans, owner: 'test' }, NOON_MS);
	return bandwidth.spans.reduce((sum, { cost }) => sum + (cost ?? 0), 0);
}

function sumOf(rows: readonly { readonly costCents: number }[]): number {
	return rows.reduce((sum, { costCents }) => sum + costCents, 0);
}
