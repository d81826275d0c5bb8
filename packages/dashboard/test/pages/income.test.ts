import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bandwidthTexts } from '../../src/features/bandwidth/texts.ts';
import { incomeTexts } from '../../src/features/income/texts.ts';
import { OLGA, open, screen, serviceFor } from '../support/dashboard.ts';

const DATE = '2026-05-03T00:00:00.000Z';

test('operators see what came in, by day and by reseller, with all others, and the rows add up to the total', async (t) => {
	const service = serviceFor(t, OLGA);
	service.answers('/operator/income', {
		as_of: DATE,
		days: [
			{ date: DATE, cost: 1234, fees: 10, top_ups: 5000 },
			{ date: '2026-05-04T00:00:00.000Z', cost: 0, fees: 90, top_ups: 0 },
		],
		resellers: [{ reseller: 'acme', cost: 1200, debt: 56 }],
		others: { count: 7, cost: 34, debt: 44 },
	});
	open(t, '/income');
	await screen.findByRole('slider', { name: bandwidthTexts.costChart });
	await screen.findByRole('link', { name: 'acme' });
	const facts = [...document.querySelectorAll('dd')].map(({ textContent }) => textContent);
	assert.deepEqual(facts, ['$12.34', '$1.00', '$13.34', '$50.00']);
	const rows = screen.getAllByRole('row').slice(1);
	assert.deepEqual(
		rows.map(({ textContent }) => textContent),
		[
			'acme$12.00$0.56',
			`${incomeTexts.others(7)}$0.34$0.44`,
			`${incomeTexts.allFees}$1.00`,
			`${incomeTexts.all}$13.34$1.00`,
		],
	);
});

test('if nothing was charged, the page says where a price is set', async (t) => {
	const service = serviceFor(t, OLGA);
	service.answers('/operator/income', {
		as_of: DATE,
		days: [{ date: DATE, cost: 0, fees: 0, top_ups: 0 }],
		resellers: [],
		others: { count: 0, cost: 0, debt: 0 },
	});
	open(t, '/income');
	await screen.findByText(incomeTexts.none);
});
