import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTopUpPage } from '../../src/http/top-up-page.ts';

test('the store is not asked for an id that no payment can have, which PostgreSQL could refuse', async () => {
	const store = { findPayment: () => assert.fail('it was asked'), listPayments: () => assert.fail('it was asked') };
	for (const text of ['', '\0', 'pay_1', `pay_${'x'.repeat(22)}\0`, `pay_${'x'.repeat(21)}\ud800`]) {
		const asked = { reseller: 'acme', id: undefined, after: null, limit: 10 };
		assert.deepEqual(await readTopUpPage(store, { ...asked, id: text }), { payments: [], next: null });
		assert.equal(await readTopUpPage(store, { ...asked, after: text }), undefined);
	}
});
