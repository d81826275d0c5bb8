import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Bank } from '../../src/bank/bank.ts';
import { askReads } from '../../src/payments/ask-reads.ts';

test('a payment of which the provider tells only the state is read if that has changed', async () => {
	const asked: string[] = [];
	const submit = async ({ payment }: { readonly payment: string }) => {
		asked.push(payment);
		return { ok: true };
	};
	const store = {
		findPaymentsNamed: async ({ paymentId = '' }) => [{ id: paymentId, reseller: 'acme', state: 'open' } as const],
	};
	const names = [
		{ paymentId: 'pay_same', objectIds: [], state: 'open' },
		{ paymentId: 'pay_other', objectIds: [], state: 'settled' },
		{ paymentId: 'pay_untold', objectIds: [] },
	] as const;
	assert.equal(await askReads({ store, bank: { submit } as unknown as Bank }, 'btcpay', names), 2);
	assert.deepEqual(asked, ['pay_other', 'pay_untold']);
});
