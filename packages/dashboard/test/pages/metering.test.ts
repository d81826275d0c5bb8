import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bandwidthTexts } from '../../src/features/bandwidth/texts.ts';
import { daysLeftText, meteringTexts } from '../../src/features/overview/metering-texts.ts';
import { debtTexts, overviewTexts } from '../../src/features/overview/texts.ts';
import { subUserTexts } from '../../src/features/sub-users/texts.ts';
import { termsTexts } from '../../src/features/terms/texts.ts';
import { bandwidthOf } from '../support/bandwidth.ts';
import { ALICE, ANN, NOTHING_USED, OVERVIEW, open, screen, serviceFor } from '../support/dashboard.ts';

const DATE = '2026-05-03T00:00:00.000Z';
const DAYS = bandwidthOf([{ at: DATE, up: 1_000_000_000, down: 0, cost: 350 }]);

test('a metered reseller sees the price, what days cost, how long balances last, and who ran out', async (t) => {
	const service = serviceFor(t, ANN);
	service.answers('/overview', { ...OVERVIEW, balance: 500, price: 3_500_000 });
	service.answers('/metering', {
		as_of: DATE,
		own: { balance: 500, week_cost: 0, days_left: null },
		sub_users: { balance: 900, week_cost: 350, days_left: 18 },
		running_out: [{ username: 'alice', balance: 10, week_cost: 350, days_left: 0.2 }],
		ran_out_count: 2,
		ran_out: [
			{ username: 'bobby', week_cost: 350 },
			{ username: 'carla', week_cost: 0 },
		],
	});
	service.answers('/bandwidth', DAYS);
	open(t, '/');
	await screen.findByText(overviewTexts.paysForBandwidth('$3.50'));
	await screen.findByRole('slider', { name: bandwidthTexts.costChart });
	for (const days of [null, 18, 0.2]) await screen.findAllByText(daysLeftText(days));
	await screen.findByText(meteringTexts.ranOut(2));
	for (const name of ['alice', 'bobby', 'carla']) await screen.findByRole('link', { name });
});

test('without a price, one sentence says what the balance does, and nothing else is read', async (t) => {
	const service = serviceFor(t, ANN);
	service.answers('/overview', { ...OVERVIEW, balance: 500 });
	service.answers('/bandwidth', bandwidthOf([{ at: DATE, up: 1, down: 1 }]));
	open(t, '/');
	await screen.findByText(overviewTexts.paysForNoBandwidth);
	await screen.findByRole('slider', { name: bandwidthTexts.charts.day });
	assert.ok(!screen.queryByRole('slider', { name: bandwidthTexts.costChart }));
	assert.ok(!service.paths().includes('/metering'));
});

test('a reseller that owes something sees how much, what pays it, and whether the proxies refuse its pairs', async (t) => {
	const service = serviceFor(t, ANN);
	const overview = { reseller: 'acme', balance: 0, low_balance: null, price: 3_500_000, pair: 'exhausted' as const };
	service.answers('/overview', { ...overview, debt: 501, debt_line: 500 });
	open(t, '/');
	await screen.findByText(debtTexts.title('$5.01'));
	await screen.findByText(debtTexts.refused('$5.00'));
	await screen.findByText(debtTexts.paidFirst);
	const link = await screen.findByRole('link', { name: debtTexts.causes });
	assert.match(link.getAttribute('href') ?? '', /\/statement\?kind=debt$/);
});

test('a sub-user page says what is left, or that it ran out, and the list marks those', async (t) => {
	const service = serviceFor(t, ANN);
	const details = { ...ALICE, balance: 700, price: 3_500_000 };
	service.answers('/bandwidth', DAYS);
	service.answers('/sub-users/count', { count: 3, before: 0 });
	const nothing = { opens: null, up: 0, down: 0, used: NOTHING_USED, note: '' };
	const listed = { state: 'active' as const, ...nothing, created: DATE };
	service.answers('/sub-user', ({ username }) =>
		username === 'alice' ? details : { ...details, balance: 0, state: 'exhausted' },
	);
	service.answers('/sub-users', {
		sub_users: [
			{ ...listed, username: 'alice', balance: 700 },
			{ ...listed, username: 'bobby', balance: 0, state: 'exhausted' },
			{ ...listed, username: 'carla', balance: 349 },
		],
		next: null,
		previous: null,
		price: 3_500_000,
	});
	open(t, '/sub-users/alice');
	await screen.findByText(subUserTexts.leftFor('2.00 GB'));
	(await screen.findByRole('link', { name: subUserTexts.all })).click();
	await screen.findByText(subUserTexts.listMetered('$3.50'));
	const rows = screen.getAllByRole('row').map(({ textContent }) => textContent);
	const { active, exhausted } = termsTexts.states;
	assert.deepEqual(
		rows.slice(1).map((text) => [active, exhausted, subUserTexts.low].filter((mark) => text?.includes(mark))),
		[[active], [exhausted], [active, subUserTexts.low]],
	);
	(await screen.findByRole('link', { name: 'bobby' })).click();
	await screen.findByText(termsTexts.leads.exhausted);
	assert.equal(screen.queryByText(termsTexts.leads.active), null);
});
