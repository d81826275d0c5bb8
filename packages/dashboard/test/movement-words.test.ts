import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MovementMaker } from '@bursar/contract/dashboard';
import { detailsText, makerText } from '../src/features/statement/texts.ts';

test('a movement names who moved the money, but a reseller sees no e-mail address of an operator', () => {
	const textOf = (by: MovementMaker, amount = 100) => makerText({ by, amount });
	assert.equal(textOf({ kind: 'api', token_tail: null, address: null }), 'API');
	assert.equal(textOf({ kind: 'person', email: 'ann@acme.example' }), 'ann@acme.example');
	assert.equal(textOf({ kind: 'person', email: null }), 'Operator');
	const program = { kind: 'api', token_tail: 'Ab12', address: '198.51.100.7' } as const;
	assert.equal(textOf(program), 'API, token …Ab12, 198.51.100.7');
	assert.equal(textOf({ kind: 'operator', system_user: null, operator_token: null }), 'Operator');
	assert.equal(textOf({ kind: 'operator', system_user: 'root (ann)', operator_token: null }), 'Operator, root (ann)');
	assert.equal(
		textOf({ kind: 'operator', system_user: null, operator_token: 'shop ...x4Kd' }),
		'Operator, shop ...x4Kd',
	);
	assert.equal(textOf({ kind: 'provider', provider: 'stripe' }), 'Stripe');
	assert.equal(textOf({ kind: 'provider', provider: 'btcpay' }, -100), 'Taken back by BTCPay Server');
});

test('a reference stands before its reason, and any may be missing; what people move has a note', () => {
	const none = { reference: '', reason: '', note: '' };
	assert.equal(detailsText({ ...none, reference: 'INV-7', reason: 'May' }), 'INV-7 · May');
	assert.equal(detailsText({ ...none, reference: 'INV-7' }), 'INV-7');
	assert.equal(detailsText({ ...none, note: 'for May' }), 'for May');
	assert.equal(detailsText(none), '');
});
