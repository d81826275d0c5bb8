import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_CENTS } from '@bursar/contract';
import type { PeriodSummary } from '@bursar/contract/dashboard';
import { printedSeed, type Random, randomFrom } from '@bursar/testing/random';
import type { Command } from '../../../src/commands/registry.ts';
import { createPeriodSums, type PeriodSums, SETTLED_MS } from '../../../src/http/dashboard/statement/period-sums.ts';
import { readPeriods } from '../../../src/http/dashboard/statement/periods.ts';
import { ROWS_IN_A_STEP } from '../../../src/store/search.ts';
import type { Store } from '../../../src/store/store.ts';
import {
	createReseller,
	createSubUser,
	creditReseller,
	deleteSubUser,
	giveBalance,
	NOON_MS,
	postUsage,
	setPrice,
	takeBalance,
} from '../../support/commands.ts';
import { type Engine, type OpenedEngine, record, run, runAll } from './engine.ts';

const ROUNDS = process.env.BURSAR_TEST_FAULTS === 'long' ? 60 : 12;
const FAR_MS = Date.UTC(9999, 11, 31);
const GB = 1_000_000_000;

interface LedgerRow {
	readonly number: number;
	readonly kind: string;
	readonly debit: string;
	readonly credit: string;
	readonly amount: number;
}

/** Tests that balances and totals of periods agree to the cent, however the ledger grows. */
export function periodSuite(engine: Engine): void {
	test('the totals of each period lead from its first balance to its last one, while the ledger grows', async (t) => {
		const opened = await engine.open(t);
		const { store } = opened;
		const random = randomFrom(printedSeed(t));
		const sums = createPeriodSums(store);
		await runAll(store, [
			...[createReseller('acme', 500_000), createReseller('other', 1_000)],
			...[createSubUser('acme', 'alice'), createSubUser('acme', 'bruno'), createSubUser('other', 'olaf')],
			setPrice('acme', 1_000_000),
		]);
		let atMs = NOON_MS;
		for (let round = 0; round < ROUNDS; round++) {
			// Sometimes the clock is set back.
			atMs += random.below(5) === 0 ? -1_000 : random.below(4) * 500;
			await moveAtRandom(store, random, atMs, round);
			const times = Array.from({ length: 1 + random.below(8) }, () => NOON_MS - 2_000 + random.below(ROUNDS * 1_000));
			const boundsMs = [0, ...new Set(times.toSorted((a, b) => a - b)), FAR_MS];
			// Some of the newest movements are not settled.
			await assertPeriods(opened, sums, { boundsMs, nowMs: atMs + SETTLED_MS - 1_000 });
		}
	});

	test('a sub-user has the totals of its own movements, of its fee too, and also after it was deleted', async (t) => {
		const opened = await engine.open(t);
		const { store } = opened;
		await runAll(store, [
			createReseller('acme', 1_000),
			createSubUser('acme', 'alice'),
			createSubUser('acme', 'bruno'),
		]);
		await runAll(store, [
			setPrice('acme', 1_000_000),
			giveBalance('acme', 'alice', 300),
			giveBalance('acme', 'bruno', 5),
		]);
		await use(store, 'alice', GB, NOON_MS, 'of alice');
		await use(store, 'acme', GB, NOON_MS, 'of acme');
		const own = { reseller: 'acme', username: 'acme', owner: 'acme' };
		assert.deepEqual(await store.findUnposted(own), {
			...{ cents: 100, balanceCents: 1_000 - 20 - 305 - 100, bytes: GB, sinceMs: NOON_MS, newest: 5 },
		});
		assert.equal(await store.findUnposted({ ...own, username: 'nobody' }), undefined);
		await runAll(store, [takeBalance('acme', 'alice', 20), deleteSubUser('acme', 'alice')]);
		const [summary] = await summariesOf(store, createPeriodSums(store), { boundsMs: [0, FAR_MS], username: 'alice' });
		assert.deepEqual(
			[summary?.opening, summary?.closing, plain(summary)],
			[
				null,
				null,
				[
					['create_fee', 'balance', 1, -10],
					['give', 'balance', 1, 300],
					['take', 'balance', 2, -200],
					['usage', 'sub_users', 1, -100],
				],
			],
		);
	});

	test('a sum goes on from the last number: no movement is read twice, and a call takes a bounded number of steps', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme', MAX_CENTS), createSubUser('acme', 'alice')], 1_000);
		const moves = 2 * ROWS_IN_A_STEP + 500;
		for (let done = 0; done < moves; done += 1_500) {
			await runAll(
				store,
				Array.from({ length: 1_500 }, (_, index) => move(done + index)),
				2_000 + done,
			);
		}
		let steps = 0;
		const counted: Parameters<typeof createPeriodSums>[0] = {
			listMovements: (query) => store.listMovements(query),
			sumStatement: (query) => {
				steps++;
				return store.sumStatement(query);
			},
		};
		const sums = createPeriodSums(counted);
		const span = { first: 0, end: await store.findMovementAt({ reseller: 'acme', atMs: FAR_MS, owner: 'acme' }) };
		const of = { reseller: 'acme', owner: 'acme' };
		const call = (left: number) => ({ left, settled: span.end + 1 });
		assert.equal(await sums.sum(of, span, call(2)), undefined);
		assert.equal(steps, 2);
		const whole = await sums.sum(of, span, call(1));
		assert.equal(steps, 3);
		const total = whole?.reduce((count, each) => count + each.count, 0);
		assert.equal(total, 2 + Math.ceil(moves / 1_500) * 1_500);
		await runAll(store, [giveBalance('acme', 'alice', 7)]);
		const later = { first: 0, end: span.end + 1 };
		assert.deepEqual(await sums.sum(of, later, call(0)), undefined, 'there is one more to read');
		const given = (found: Awaited<ReturnType<PeriodSums['sum']>>) => found?.find(({ kind }) => kind === 'give')?.cents;
		assert.equal(given(await sums.sum(of, later, call(1))), (given(whole) as bigint) + 7n);
		assert.equal(steps, 4);
		// More than 2^63 cents were given in one step.
		assert.ok((given(whole) as bigint) > 2n ** 63n);
	});
}

/** Nearly all the money that there can be, there and back. */
function move(index: number): Command {
	const amount = MAX_CENTS - 1_000;
	return index % 2 === 0 ? giveBalance('acme', 'alice', amount) : takeBalance('acme', 'alice', amount);
}

async function use(store: Store, username: string, bytesUp: number, atMs: number, id: string): Promise<void> {
	await record(store, [{ source: 'periods', id, username, atMs, bytesUp, bytesDown: 0 }], atMs);
}

/** Some of these are refused. */
async function moveAtRandom(store: Store, random: Random, atMs: number, round: number): Promise<void> {
	const username = () => (random.below(2) === 0 ? 'alice' : 'bruno');
	await use(store, username(), random.below(3 * GB), atMs, `${round} of a sub-user`);
	await use(store, 'acme', random.below(GB), atMs, `${round} of the reseller`);
	const commands = Array.from({ length: 1 + random.below(10) }, (_, index): Command => {
		switch (random.below(7)) {
			case 0:
				return giveBalance('other', 'olaf', 1);
			case 1:
				return creditReseller('acme', random.below(2) === 0 ? 700 : -3, `period ${round} ${index}`);
			case 2:
				return takeBalance('acme', username(), 1 + random.below(50));
			case 3:
				return postUsage('acme', 'acme', 'alice', 'bruno');
			case 4:
				return createSubUser('acme', 'alice');
			default:
				return giveBalance('acme', username(), 1 + random.below(300));
		}
	});
	await run(
		store,
		commands.map((command, index) => ({ ...command, requestId: `period ${round} ${index}` })),
		atMs,
	);
}

interface Asked {
	readonly boundsMs: readonly number[];
	readonly nowMs?: number;
	readonly username?: string;
}

async function assertPeriods(opened: OpenedEngine, sums: PeriodSums, asked: Asked): Promise<void> {
	const all = await ledgerOf(opened);
	const summaries = await summariesOf(opened.store, sums, asked);
	assert.equal(summaries[0]?.opening, 0);
	assert.equal(summaries.at(-1)?.closing, await ledgerBalance(opened));
	for (const [index, summary] of summaries.entries()) {
		assert.equal(summary.opening, summaries[index - 1]?.closing ?? 0);
		const rows = all.filter(({ number }) => number >= summary.first && number < summary.end);
		assert.deepEqual(plain(summary), totalsOf(rows));
	}
	assert.equal(
		summaries.reduce((count, { totals }) => count + totals.reduce((sum, each) => sum + each.count, 0), 0),
		all.length,
	);
}

async function summariesOf(store: Store, sums: PeriodSums, { boundsMs, nowMs = FAR_MS, username }: Asked) {
	const of = { reseller: 'acme', owner: 'acme', username, boundsMs };
	const reply = await readPeriods(of, { store, sums, nowMs: () => nowMs });
	assert.ok('data' in reply);
	return reply.data.periods.map(({ summary }) => summary ?? assert.fail('a period is not added up'));
}

function plain(summary: PeriodSummary | undefined) {
	return summary?.totals.map(({ kind, of, count, amount }) => [kind, of, count, amount]).sort(byText);
}

/** The same from the rows themselves. */
function totalsOf(rows: readonly LedgerRow[]) {
	const groups = Map.groupBy(
		rows,
		({ kind, debit, credit }) =>
			`${kind} ${debit !== 'acme' && credit !== 'acme' ? (kind.startsWith('debt') ? 'debt' : 'sub_users') : 'balance'}`,
	);
	return [...groups]
		.map(([key, group]) => {
			const [kind = '', of] = key.split(' ');
			const amount = group.reduce(
				(sum, row) => sum + (row.credit === 'acme' || kind === 'debt_forgiven' ? row.amount : -row.amount),
				0,
			);
			return [kind, of, group.length, amount];
		})
		.sort(byText);
}

function byText(one: readonly unknown[], other: readonly unknown[]): number {
	return String(one) < String(other) ? -1 : 1;
}

async function ledgerOf({ rows }: OpenedEngine): Promise<readonly LedgerRow[]> {
	const sql =
		"SELECT id AS number, kind, debit, credit, amount_cents AS amount FROM transfers WHERE reseller = 'acme' ORDER BY id";
	return ((await rows(sql)) as LedgerRow[]).map((row) => ({
		...row,
		number: Number(row.number),
		amount: Number(row.amount),
	}));
}

async function ledgerBalance({ rows }: OpenedEngine): Promise<number> {
	const [row] = await rows("SELECT balance_cents AS cents FROM accounts WHERE reseller = 'acme' AND username = 'acme'");
	return Number((row as { readonly cents: unknown }).cents);
}
