import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_CENTS } from '@bursar/contract/limits';
import {
	isAmountMeant,
	isPaymentExplained,
	LARGE_PAYMENT_CENTS,
	paymentPreview,
	typedOnce,
} from '../src/features/resellers/payment.ts';
import { plainReference } from '../src/forms/plain-reference.ts';

test('the balance after a payment is exact, in both directions', () => {
	assert.deepEqual(paymentPreview('/operator/top-up', 10, '0.20'), { amount: 20, after: 30 });
	assert.deepEqual(paymentPreview('/operator/adjust', 3000, '30'), { amount: 3000, after: 0 });
});

test('money is not taken below zero', () => {
	assert.deepEqual(paymentPreview('/operator/adjust', 2999, '30'), { problem: 'too_much' });
});

test('no balance gets larger than the largest one', () => {
	assert.deepEqual(paymentPreview('/operator/top-up', MAX_CENTS, '0.01'), { problem: 'too_large' });
	assert.deepEqual(paymentPreview('/operator/top-up', MAX_CENTS - 1, '0.01'), { amount: 1, after: MAX_CENTS });
});

test('a text that is no amount, and an empty one, are no payment', () => {
	assert.deepEqual(paymentPreview('/operator/top-up', 10, ' '), { problem: 'no_amount' });
	for (const typed of ['0', '0.00']) {
		assert.deepEqual(paymentPreview('/operator/top-up', 10, typed), { problem: 'zero' }, typed);
	}
	for (const typed of ['-1', '1.234', 'abc', '1e3']) {
		assert.deepEqual(paymentPreview('/operator/top-up', 10, typed), { problem: 'invalid_amount' }, typed);
	}
});

test('a payment needs a reference, and taking money back also a reason', () => {
	const reference = 'INV-7';
	assert.equal(isPaymentExplained('/operator/top-up', { reference, reason: '' }), true);
	assert.equal(isPaymentExplained('/operator/top-up', { reference: ' ', reason: 'why' }), false);
	assert.equal(isPaymentExplained('/operator/adjust', { reference, reason: ' ' }), false);
	assert.equal(isPaymentExplained('/operator/adjust', { reference, reason: 'why' }), true);
});

test('a reference that was copied from a document gets plain spaces and characters', () => {
	assert.equal(plainReference(' INV\u00a07\t of\u2003May '), 'INV 7 of May');
	assert.equal(plainReference('\uff29\uff2e\uff36-7'), 'INV-7');
});

test('a large amount counts only if it was typed twice', () => {
	assert.equal(isAmountMeant(LARGE_PAYMENT_CENTS, '', typedOnce(null)), true);
	const large = LARGE_PAYMENT_CENTS + 1;
	const once = typedOnce(null);
	for (const again of ['', '10000', '10000.10', '10,000,01', '99999999999999']) {
		assert.equal(isAmountMeant(large, again, once), false, again);
	}
	assert.equal(isAmountMeant(large, '10,000.01', once), true);
});

test('more than ten times the largest earlier top-up is typed twice, however small', () => {
	assert.deepEqual(typedOnce(50_00), { cents: 500_00, isOfReseller: true });
	assert.equal(isAmountMeant(500_00, '', typedOnce(50_00)), true);
	assert.equal(isAmountMeant(500_01, '', typedOnce(50_00)), false);
	assert.equal(isAmountMeant(500_01, '500.01', typedOnce(50_00)), true);
	for (const largest of [1_000_00, 5_000_000_00, MAX_CENTS]) {
		assert.deepEqual(typedOnce(largest), typedOnce(null), String(largest));
	}
});
