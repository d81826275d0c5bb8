import { test } from 'node:test';
import { bandwidthTexts } from '../../src/features/bandwidth/texts.ts';
import { incomeTexts } from '../../src/features/income/texts.ts';
import { OLGA, open, screen, serviceFor } from '../support/dashboard.ts';

const DATE = '2026-05-03T00:00:00.000Z';

test('operators see the cost of bandwidth by day, and by reseller with a link to its page', async (t) => {
	const service = serviceFor(t, OLGA);
	service.answers('/operator/income', {
		days: [{ date: DATE, cost: 1234 }],
		resellers: [{ reseller: 'acme', cost: 1234, debt: 56 }],
	});
	open(t, '/income');
	await screen.findByRole('slider', { name: bandwidthTexts.costChart });
	await screen.findByText('$12.34');
	await screen.findByRole('link', { name: 'acme' });
	await screen.findByText('$0.56');
});

test('if nothing was charged, the page says where a price is set', async (t) => {
	const service = serviceFor(t, OLGA);
	service.answers('/operator/income', { days: [{ date: DATE, cost: 0 }], resellers: [] });
	open(t, '/income');
	await screen.findByText(incomeTexts.none);
});
