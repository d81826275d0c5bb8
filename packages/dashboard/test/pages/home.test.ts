import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Bandwidth, MoneyDay, PlatformMoney, ServiceHealth } from '@bursar/contract/dashboard';
import { failureTexts } from '../../src/calls/failure-texts.ts';
import { backupState, isYoung, ledgerState, refusedTrend } from '../../src/features/home/health.ts';
import { monthSums } from '../../src/features/home/months.ts';
import { barsOf, HEIGHT, pointsOf } from '../../src/features/home/sparkline.ts';
import { homeTexts } from '../../src/features/home/texts.ts';
import { termsTexts } from '../../src/features/terms/texts.ts';
import { pageNames } from '../../src/shell/texts.ts';
import { bandwidthOf } from '../support/bandwidth.ts';
import { OLGA, open, screen, serviceFor } from '../support/dashboard.ts';

const HOUR_MS = 3_600_000;
const NOW = '2026-03-31T12:00:00.000Z';
const NOW_MS = Date.parse(NOW);
const HEALTH: ServiceHealth = {
	store_made: '2026-01-01T00:00:00.000Z',
	edges: { count: 0, silent_count: 0, silent: [] },
	reports: [{ date: '2026-03-31T00:00:00.000Z', accepted: 5, refused: 0 }],
	ledger: { is_running: false, last: null },
	payments: null,
	backup: { is_ours: true, last: null },
};

function day(date: string, changes: Partial<MoneyDay> = {}): MoneyDay {
	return { date: `${date}T00:00:00.000Z`, held: 0, top_ups: 0, adjustments: 0, fees: 0, bandwidth: 0, ...changes };
}

const MONEY: PlatformMoney = {
	as_of: NOW,
	held: 123_456,
	days: [
		day('2026-02-01', { held: 100, top_ups: 1_000, fees: 10, bandwidth: 40 }),
		day('2026-02-28', { held: 200, top_ups: 500 }),
		day('2026-03-01', { held: 300, top_ups: 3_000, bandwidth: 70 }),
		day('2026-03-31', { held: 400, adjustments: 25, fees: 30 }),
	],
	low: { count: 0, resellers: [] },
	refused: { count: 0, by_reason: {}, resellers: [] },
};

const GB = 1_000_000_000;
const NETWORK: Bandwidth = {
	...bandwidthOf([{ at: NOW, up: GB, down: 5 * GB }]),
	comparison: { now: 5 * GB, before: 2 * GB },
	parts: [{ name: 'eu-1', up: GB, down: 3 * GB, values: [4 * GB] }],
};

test('the start page of an operator has the money held, what came this month and before, and links to act', async (t) => {
	const service = serviceFor(t, OLGA);
	service.answers('/operator/health', HEALTH);
	service.answers('/operator/money', MONEY);
	service.answers('/operator/bandwidth', NETWORK);
	open(t, '/');
	await screen.findByRole('heading', { name: pageNames.home });
	await screen.findByText('$1,234.56');
	const income = await screen.findByRole('region', { name: homeTexts.income });
	assert.ok(income.textContent?.includes('$1.00'));
	assert.ok(income.textContent?.includes(homeTexts.change('$0.50', '+100%')));
	assert.ok(income.textContent?.includes(homeTexts.incomeParts('$0.70', '$0.30')));
	const topUps = await screen.findByRole('region', { name: homeTexts.topUps });
	assert.ok(topUps.textContent?.includes('$30.00'));
	assert.ok(topUps.textContent?.includes(homeTexts.change('$15.00', '+100%')));
	assert.ok(topUps.textContent?.includes(homeTexts.takenBack('$0.25')));
	const network = await screen.findByRole('region', { name: homeTexts.network });
	assert.ok(network.textContent?.includes('6.00 GB'));
	assert.ok(network.textContent?.includes(homeTexts.networkChange('2.00 GB', '+150%')));
	await screen.findByRole('cell', { name: '4.00 GB' });
	for (const text of [homeTexts.noEdges, homeTexts.noneRefused, homeTexts.noneLow, homeTexts.noneRefusedNow]) {
		await screen.findByText(text);
	}
	for (const text of [homeTexts.toEdges, homeTexts.toReports, homeTexts.toLedger, homeTexts.toIncome]) {
		await screen.findByRole('link', { name: text });
	}
});

test('what needs an operator is said, with those concerned and how many more there are', async (t) => {
	const service = serviceFor(t, OLGA);
	service.answers('/operator/health', {
		...HEALTH,
		edges: { count: 20, silent_count: 12, silent: [{ name: 'eu-1', last_seen: NOW }] },
		reports: [...Array.from({ length: 7 }, () => 1), 9].map((refused) => ({ date: NOW, accepted: 1, refused })),
		ledger: { is_running: true, last: { ended: NOW, problems: 3 } },
		backup: { is_ours: false },
	});
	const low = { balance: 5, low_balance: null, held: 70, days_left: 2.5 };
	service.answers('/operator/money', {
		...MONEY,
		low: { count: 3, resellers: [{ ...low, reseller: 'acme', reason: 'short' }] },
		refused: {
			count: 30,
			by_reason: { exhausted: 23, limit_reached: 7 },
			resellers: [{ reseller: 'bolt', count: 7, by_reason: { exhausted: 5, limit_reached: 2 } }],
		},
	});
	service.answers('/operator/bandwidth', NETWORK);
	open(t, '/');
	for (const text of [
		...[homeTexts.silent(12, 20), homeTexts.moreSilent(11), homeTexts.refusedGrow(9, '1'), homeTexts.problems(3)],
		...[homeTexts.backupStates.elsewhere, homeTexts.reasons.short, homeTexts.more(2)],
		...['23', '30'],
	]) {
		await screen.findByText(text);
	}
	assert.equal((await screen.findByRole('link', { name: 'acme' })).getAttribute('href'), '/dashboard/resellers/acme');
	const reasons = termsTexts.states;
	for (const [name, state] of [
		[`${reasons.exhausted}: 5`, 'refused'],
		[`${reasons.limit_reached}: 2`, 'limit_reached'],
	] as const) {
		const link = await screen.findByRole('link', { name });
		assert.equal(link.getAttribute('href'), `/dashboard/resellers/bolt/sub-users?state=${state}`);
	}
});

test('if the money cannot be read, the state of the service is shown all the same', async (t) => {
	const service = serviceFor(t, OLGA);
	service.answers('/operator/health', HEALTH);
	service.answers('/operator/bandwidth', NETWORK);
	service.always('/operator/money', 'only_for_operators', 403);
	open(t, '/');
	await screen.findByText(homeTexts.ledgerStates.never);
	await screen.findByRole('cell', { name: '4.00 GB' });
	await screen.findByText(failureTexts.only_for_operators.happened);
});

test('a month is compared with the same days of the one before, and with all of it if that was shorter', () => {
	const cents = (each: MoneyDay) => each.top_ups;
	assert.deepEqual(monthSums(MONEY.days, cents), { current: 3_000, previous: 1_500 });
	const inFebruary = [day('2026-01-31', { top_ups: 9 }), day('2026-01-03', { top_ups: 2 }), day('2026-02-03')];
	assert.deepEqual(monthSums(inFebruary, cents), { current: 0, previous: 2 });
	const inJanuary = [day('2025-12-01', { top_ups: 4 }), day('2026-01-01', { top_ups: 1 })];
	assert.deepEqual(monthSums(inJanuary, cents), { current: 1, previous: 4 });
});

test('the ledger should be verified daily, and problems come before all else', () => {
	const last = (hoursAgo: number, problems: number | null) => ({
		ended: new Date(NOW_MS - hoursAgo * HOUR_MS).toISOString(),
		problems,
	});
	const state = (is_running: boolean, found: ServiceHealth['ledger']['last']) =>
		ledgerState({ is_running, last: found }, NOW_MS);
	assert.equal(state(false, null), 'never');
	assert.equal(state(true, null), 'running');
	assert.equal(state(true, last(1, 2)), 'problems');
	assert.equal(state(false, last(100, 2)), 'problems');
	assert.equal(state(false, last(1, null)), 'unfinished');
	assert.equal(state(false, last(49, 0)), 'right');
	assert.equal(state(false, last(49.1, 0)), 'old');
});

test('a backup is old after a day, if we make it', () => {
	const state = (hoursAgo: number) =>
		backupState({ is_ours: true, last: new Date(NOW_MS - hoursAgo * HOUR_MS).toISOString() }, NOW_MS);
	assert.deepEqual([state(25), state(25.1)], ['right', 'old']);
	assert.equal(backupState({ is_ours: true, last: null }, NOW_MS), 'never');
	assert.equal(backupState({ is_ours: false }, NOW_MS), 'elsewhere');
});

test('a store that is younger than a day needs no backup and no verification yet', () => {
	const young = (hoursAgo: number) =>
		isYoung({ store_made: new Date(NOW_MS - hoursAgo * HOUR_MS).toISOString() }, NOW_MS);
	assert.deepEqual([young(0), young(23.9), young(24)], [true, true, false]);
});

test('refused reports grow if today has more than a usual day of the week before', () => {
	const of = (...refused: readonly number[]) =>
		refusedTrend(refused.map((count) => ({ date: NOW, accepted: 0, refused: count })));
	assert.deepEqual(of(), { today: 0, usual: 0, grows: false, total: 0 });
	assert.deepEqual(of(99, 7, 0, 0, 0, 0, 0, 7, 2), { today: 2, usual: 2, grows: false, total: 115 });
	assert.equal(of(0, 0, 0, 0, 0, 0, 0, 1).grows, true);
});

test('a trend fills its height, and one without change lies in the middle', () => {
	assert.equal(pointsOf([5, 10]), `0,${HEIGHT - 1} 100,1`);
	assert.equal(pointsOf([7, 7, 7]), `0,${HEIGHT / 2} 50,${HEIGHT / 2} 100,${HEIGHT / 2}`);
	const [none, little, most] = barsOf([0, 1, 1_000]);
	assert.deepEqual([none?.height, most?.height, most?.y], [0, HEIGHT, 0]);
	assert.ok((little?.height ?? 0) > 1);
	assert.deepEqual(
		barsOf([0, 0]).map(({ height }) => height),
		[0, 0],
	);
});
