import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PaymentReading } from '../../src/domain/payments/reading.ts';
import { postgresEngine } from '../store/postgres-engine.ts';
import { sqliteEngine } from '../store/sqlite-engine.ts';
import { openPayments } from '../support/payment-process.ts';

const HOUR_MS = 3_600_000;
const STRANGE: readonly Partial<PaymentReading>[] = [
	...[{ expiresAtMs: Number.NaN }, { expiresAtMs: 1_500.5 }, { expiresAtMs: 1e23 }, { expiresAtMs: 9e15 }],
	...[{ pageUrl: 'javascript:alert(1)' }, { pageUrl: 'https://pay.example/\0' }, { pageUrl: '//pay.example' }],
	{ pageUrl: `https://pay.example/${'x'.repeat(5_000)}` },
	...[{ intentId: 'a\0b' }, { intentId: '../events' }, { intentId: '' }, { intentId: 'x'.repeat(300) }],
	...[{ settledCents: -1 }, { settledCents: 0.5 }, { refundedCents: Number.MAX_VALUE }, { disputedCents: Number.NaN }],
];

for (const engine of [sqliteEngine, await postgresEngine()]) {
	test(`${engine.name}: of an answer that cannot be stored or shown nothing is taken, and the payment is read again`, async (t) => {
		const { stripe, start, until, clock } = await openPayments(t, engine);
		const service = start();
		const id = await service.begin();
		stripe.pay(id);
		const right = await stripe.read(stripe.objectOf(id), new AbortController().signal);
		for (const [count, strange] of STRANGE.entries()) {
			stripe.change(id, { ...right, ...strange });
			clock.nowMs += HOUR_MS;
			await until(id, { failedReads: count + 1, state: 'open', bookedCents: 0 });
		}
		stripe.change(id, right ?? {});
		clock.nowMs += HOUR_MS;
		await until(id, { failedReads: 0, state: 'settled', bookedCents: 5_000, postings: 1 });
	});

	test(`${engine.name}: ids of others that no payment can have do not keep ours from being read`, async (t) => {
		const { stripe, start, until } = await openPayments(t, engine);
		const service = start();
		const id = await service.begin();
		stripe.pay(id);
		const names = [
			{ paymentId: 'order\0', objectIds: ['a\0', '\ud800', ''] },
			{ paymentId: id, objectIds: ['\0'] },
		];
		assert.equal(await service.hints.take('stripe', stripe.hint(names)), 'good');
		await until(id, { bookedCents: 5_000 });
	});
}
