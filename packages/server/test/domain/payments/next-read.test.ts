import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextReadOf } from '../../../src/domain/payments/next-read.ts';
import { newPayment } from '../../../src/domain/payments/payment.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const MADE = {
	id: 'pay_1',
	reseller: 'acme',
	provider: 'stripe',
	isLive: true,
	amountCents: 1,
	changeId: null,
} as const;

test('a payment that is too old is read again after a fault, for about a day, and then not any more', () => {
	const payment = { ...newPayment({ ...MADE, createdAtMs: 0 }, 0), state: 'settled' as const };
	const next = (failedReads: number, atMs: number) => nextReadOf({ ...payment, failedReads }, atMs);
	const [youngMs, oldMs] = [400 * DAY_MS, 400 * DAY_MS + 1];
	assert.deepEqual([next(0, youngMs), next(0, oldMs)], [youngMs + 30 * DAY_MS, null]);
	assert.deepEqual([next(1, oldMs), next(149, oldMs)], [oldMs + 5_000, oldMs + 600_000]);
	assert.deepEqual([next(150, youngMs), next(150, oldMs)], [youngMs + 600_000, null]);
});
