import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ResellerDetails } from '@bursar/contract/dashboard';
import { resellerTexts } from '../src/features/resellers/texts.ts';
import { button, dialog, OLGA, open, press, screen, serviceFor, type } from './support/dashboard.ts';

const DETAILS: ResellerDetails = {
	reseller: 'acme',
	balance: 1000,
	created: '2026-01-01T00:00:00.000Z',
	tokens: {
		reseller: 'acme',
		api_url: 'http://localhost:8080',
		current: { tail: 'abcd', made: '2026-01-01T00:00:00.000Z', made_by: 'operator', last_used: null },
		previous: null,
	},
	people: [],
};

/** The page of a reseller, for an operator. */
function atReseller(t: TestContext, details: ResellerDetails = DETAILS) {
	const service = serviceFor(t, OLGA);
	service.answers('/operator/reseller', details);
	service.answers('/operator/statement', { movements: [], next_before: null, searched_to: null });
	open(t, '/resellers/acme');
	return service;
}

test('a large top-up is sent only after its amount was typed a second time', async (t) => {
	const service = atReseller(t);
	service.answers('/operator/top-up', { repeated: false, details: DETAILS });
	await press(resellerTexts.payTexts['/operator/top-up']);
	await dialog(resellerTexts.payTitles['/operator/top-up']('acme'));
	await type(resellerTexts.amount, '1000000000000');
	await type(resellerTexts.reference, 'INV-7');
	const pay = (await button(resellerTexts.payNow['/operator/top-up'](100_000_000_000_000))) as HTMLButtonElement;
	assert.ok(pay.disabled);
	await type(resellerTexts.again, '10000000000000');
	await screen.findByText(resellerTexts.againDiffers);
	assert.ok(pay.disabled);
	await type(resellerTexts.again, '1000000000000.00');
	assert.ok(!pay.disabled);
	pay.click();
	await screen.findByText(resellerTexts.paid(DETAILS.balance));
	assert.deepEqual(
		service.calls('/operator/top-up').map(({ amount }) => amount),
		[100_000_000_000_000],
	);
});
