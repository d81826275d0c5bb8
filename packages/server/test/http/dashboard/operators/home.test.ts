import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../../../src/credentials.ts';
import { usageDayOf } from '../../../../src/domain/usage.ts';
import { refusedView } from '../../../../src/http/dashboard/operators/refused-sub-users.ts';
import { runningLow } from '../../../../src/http/dashboard/operators/running-low.ts';
import { StoreUnavailableError } from '../../../../src/store/reading.ts';
import type { Holdings } from '../../../../src/store/tables/accounts/holdings.ts';
import {
	createReseller,
	createSubUser,
	creditReseller,
	giveBalance,
	postUsage,
	setPrice,
} from '../../../support/commands.ts';
import { startDashboard } from '../../../support/dashboard.ts';
import { edgeUse } from '../../../support/records.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const GB = 1_000_000_000;
const DAY_MS = 86_400_000;

const { store, clock, faults, change, operator: newOperator, openReseller } = await startDashboard(wholeFile);
clock.stop();
const operator = await newOperator();
const nowMs = clock.nowMs();
/** What was read once is kept for five minutes. */
const later = () => {
	clock.aheadMs += 5 * 60_000;
};

function report(username: string, bytesUp: number) {
	return { source: 's', id: newId(), username, atMs: nowMs, bytesUp, bytesDown: 0 };
}

test('operators see the money of all resellers by day, and who runs low', async () => {
	const resellers = ['acme', 'bolt'].map((name) => createReseller(name));
	await run(nowMs - 2 * DAY_MS, [...[...resellers, creditReseller('bolt', 700, 'old'), setPrice('acme', 1_000_000)]]);
	await run(nowMs, [
		...['acme', 'bolt'].map((name) => creditReseller(name, 5_000, name)),
		...['alice', 'bruno'].map((name) => createSubUser('acme', name)),
		...[giveBalance('acme', 'alice', 4_000), giveBalance('acme', 'bruno', 100)],
		...[creditReseller('bolt', -100, 'back'), creditReseller('acme', -880, 'all')],
	]);
	await store.recordUsage([report('alice', 10 * GB), report('bruno', GB)], nowMs);
	// The service posts what empties a balance, too.
	await run(nowMs, [postUsage('acme', 'bruno')]);
	const money = await operator.read('/operator/money');

	assert.equal(money.held, 5_000 + 700 - 100 + 3_000);
	assert.deepEqual(money.days.at(-1), {
		...{ date: dayOf(nowMs), held: 5_600 + 4_000, top_ups: 10_000, adjustments: 980, fees: 20, bandwidth: 1_100 },
	});
	assert.deepEqual(
		money.days.slice(-4, -1).map(({ held, top_ups }) => [held, top_ups]),
		[
			[0, 0],
			[700, 700],
			[700, 0],
		],
	);
	const first = new Date(money.days[0]?.date ?? '');
	assert.ok(nowMs - first.getTime() >= 29 * DAY_MS);
	assert.ok(first.getTime() <= Date.UTC(new Date(nowMs).getUTCFullYear(), new Date(nowMs).getUTCMonth() - 1, 1));
	// What is left lasts for less than a week at 11 USD in these two days.
	assert.deepEqual(
		money.low.resellers.map(({ days_left, ...reseller }) => [reseller, Math.floor(days_left ?? -1)]),
		[[{ reseller: 'acme', reason: 'out', balance: 0, low_balance: null, held: 3_000 }, 5]],
	);
	const ofAcme = { count: 1, by_reason: { exhausted: 1 } };
	assert.deepEqual(money.refused, { ...ofAcme, resellers: [{ reseller: 'acme', ...ofAcme }] });

	// The page of income has the same figures of the same days.
	for (const days of ['month', 30] as const) {
		const income = await operator.read('/operator/income', { days });
		const dayCount = days === 'month' ? new Date(nowMs).getUTCDate() : days;
		assert.deepEqual(
			income.days.map(({ date, cost, fees, top_ups }) => [date, cost, fees, top_ups]),
			money.days.slice(-dayCount).map(({ date, bandwidth, fees, top_ups }) => [date, bandwidth, fees, top_ups]),
		);
		assert.deepEqual(income.resellers, [{ reseller: 'acme', cost: 1_100, debt: 0 }]);
		assert.deepEqual(income.others, { count: 0, cost: 0, debt: 0 });
	}
});

test('what was read once is kept for five minutes, and what failed is tried again after one', async () => {
	later();
	faults.listHoldings = async () => {
		throw new StoreUnavailableError('too slow');
	};
	await operator.refused('unavailable', '/operator/money');
	delete faults.listHoldings;
	await operator.refused('unavailable', '/operator/money');
	clock.aheadMs += 61_000;
	const { held } = await operator.read('/operator/money');
	await openReseller('third', 500);
	assert.equal((await operator.read('/operator/money')).held, held);
	later();
	assert.equal((await operator.read('/operator/money')).held, held + 500);
});

test('operators see how edges, reports, the ledger and backups fare', async () => {
	const { store_made, ...unused } = await operator.read('/operator/health');
	assert.ok(Math.abs(Date.parse(store_made) - Date.now()) < DAY_MS);
	assert.deepEqual(
		{ ...unused, reports: unused.reports.length },
		{
			edges: { count: 0, silent_count: 0, silent: [] },
			reports: 30,
			ledger: { is_running: false, last: null },
			payments: null,
			backup: { is_ours: true, last: null },
		},
	);

	for (const name of ['new-1', 'eu-1', 'us-1', 'gone-1']) {
		await change({ kind: 'create_edge', name, keyHash: newId(), keyTail: 'tail' });
	}
	await change({ kind: 'revoke_edge', name: 'gone-1' });
	await store.writeRecords([edgeUse('us-1', nowMs, 5, 2), edgeUse('eu-1', clock.nowMs() + DAY_MS / 3, 5, 2)], nowMs);
	const counted = report('alice', 1);
	await store.recordUsage([counted, counted, report('nobody', 1)], nowMs);
	clock.aheadMs += DAY_MS / 3 + 1;
	const { edges, reports } = await operator.read('/operator/health');
	// One that never asked was never there.
	const silent = [{ name: 'us-1', last_seen: new Date(nowMs).toISOString() }];
	assert.deepEqual(edges, { count: 3, silent_count: 1, silent });
	assert.deepEqual(
		reports.find(({ date }) => date === dayOf(nowMs)),
		{ date: dayOf(nowMs), accepted: 4, refused: 1 },
	);
});

async function run(atMs: number, commands: Parameters<typeof store.runCommands>[0]): Promise<void> {
	const answer = await store.runCommands(commands, atMs);
	assert.ok(answer.kind === 'committed' && answer.results.every(({ ok }) => ok), JSON.stringify(answer));
}

function dayOf(atMs: number): string {
	return `${new Date(atMs).toISOString().slice(0, 10)}T00:00:00.000Z`;
}

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const WEEK = { firstDay: usageDayOf(NOW_MS) - 6, nowMs: NOW_MS };
const METERED_LONG_AGO = NOW_MS - 90 * DAY_MS;

function holdings(changes: Partial<Holdings> & Pick<Holdings, 'reseller'>): Holdings {
	return {
		...{ heldCents: 1_000, ownCents: 1_000, lowBalanceCents: null, costCents: 0 },
		...{ meteredSinceMs: null, suspendedAtMs: null, ...changes },
	};
}

test('a reseller runs low without a balance, below its own bound, or if all lasts for less than a week', () => {
	const low = runningLow(
		[
			holdings({ reseller: 'fine', lowBalanceCents: 1_000, meteredSinceMs: METERED_LONG_AGO, costCents: 900 }),
			holdings({ reseller: 'out', ownCents: 0, lowBalanceCents: 5 }),
			holdings({ reseller: 'below', ownCents: 999, lowBalanceCents: 1_000 }),
			holdings({ reseller: 'short', heldCents: 100, meteredSinceMs: METERED_LONG_AGO, costCents: 200 }),
			// The cost of a week, but of one day only.
			holdings({ reseller: 'new', heldCents: 100, meteredSinceMs: NOW_MS - DAY_MS, costCents: 50 }),
			holdings({ reseller: 'suspended', ownCents: 0, suspendedAtMs: 1 }),
		],
		WEEK,
	);
	assert.deepEqual(
		low.resellers.map(({ reseller, reason, days_left }) => [reseller, reason, days_left]),
		[
			['short', 'short', 3.25],
			['new', 'short', 2],
			['out', 'out', null],
			['below', 'below', null],
		],
	);
	assert.equal(low.count, 4);
});

test('ten resellers are listed, those with most sub-users that are refused first, and all are counted by reason', () => {
	const counts = Array.from({ length: 12 }, (_, index) => [
		{ reseller: `r${index}`, reason: 'exhausted', subUsers: index + 1 } as const,
		{ reseller: `r${index}`, reason: 'expired', subUsers: 1 } as const,
	]).flat();
	const refused = refusedView([...counts, { reseller: 'all', reason: 'reseller_in_debt', subUsers: 500 }]);
	assert.equal(refused.count, 78 + 12 + 500);
	assert.deepEqual(refused.by_reason, { exhausted: 78, expired: 12, reseller_in_debt: 500 });
	assert.deepEqual(refused.resellers.slice(0, 2), [
		{ reseller: 'all', count: 500, by_reason: { reseller_in_debt: 500 } },
		{ reseller: 'r11', count: 13, by_reason: { exhausted: 12, expired: 1 } },
	]);
	assert.equal(refused.resellers.length, 10);
});
