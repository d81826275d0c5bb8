import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bandwidthTexts } from '../../src/features/bandwidth/texts.ts';
import { topRows } from '../../src/features/bandwidth/top-rows.ts';
import { overviewTexts } from '../../src/features/overview/texts.ts';
import { termsTexts } from '../../src/features/terms/texts.ts';
import { NO_TOP } from '../support/bandwidth.ts';
import { ANN, NO_STATES, OLGA, open, screen, serviceFor } from '../support/dashboard.ts';

const GB = 1e9;
const ALICE = { reseller: 'acme', username: 'alice', up: GB, down: 2 * GB, cost: 300 };
const TOP = { ...NO_TOP, sub_users: [ALICE], others: { up: 0, down: 9 * GB, cost: 900, sub_users: 7 } };

test('the start page of a reseller says who cannot work now and why, and each reason leads to its sub-users', async (t) => {
	const service = serviceFor(t, ANN);
	service.answers('/sub-users/states', { ...NO_STATES, active: 5, exhausted: 3, limit_reached: 1 });
	open(t, '/');
	await screen.findByRole('heading', { name: overviewTexts.refused });
	await screen.findByText(overviewTexts.refusedLead(4));
	for (const [state, count] of [
		['exhausted', '3'],
		['limit_reached', '1'],
	] as const) {
		await screen.findByText(termsTexts.leads[state]);
		const link = await screen.findByRole('link', { name: count });
		assert.equal(link.getAttribute('href'), `/dashboard/sub-users?state=${state}`);
	}
});

test('operators see those that use most with their resellers, and all others in a last row', async (t) => {
	const service = serviceFor(t, OLGA);
	service.answers('/operator/bandwidth/top', TOP);
	open(t, '/bandwidth?range=30d');
	const alice = await screen.findByRole('link', { name: 'alice' });
	assert.equal(alice.getAttribute('href'), '/dashboard/resellers/acme/sub-users/alice');
	const reseller = await screen.findByRole('link', { name: 'acme' });
	assert.equal(reseller.getAttribute('href'), '/dashboard/resellers/acme');
	await screen.findByText(bandwidthTexts.otherSubUsers(7));
	for (const text of ['25.0%', '75.0%', '$9.00']) await screen.findByText(text);
	assert.deepEqual(service.calls('/operator/bandwidth/top'), [{ range: '30d' }]);
});

test('the shares of all rows are the whole, and others that used nothing have no row', () => {
	const third = { ...ALICE, up: 1, down: 0 };
	const thirds = { ...TOP, sub_users: [third, third], others: { ...TOP.others, up: 1, down: 0 } };
	assert.deepEqual(
		topRows(thirds).map(({ share }) => share),
		[0.333, 0.333, 0.334],
	);
	const nobody = { up: 0, down: 0, cost: null, sub_users: 0 };
	assert.deepEqual(
		topRows({ ...thirds, others: nobody }).map(({ share }) => share),
		[0.5, 0.5],
	);
});
