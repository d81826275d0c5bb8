import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TopUp } from '@bursar/contract/payment-schemas';
import { outcomeOf } from '../src/features/payments/outcome.ts';
import { payUrl } from '../src/features/payments/pay-url.ts';
import { typedTopUp } from '../src/features/payments/typed-top-up.ts';
import { lookEveryMs } from '../src/features/payments/use-top-ups.ts';

test('a browser goes to a page of a provider with https, or on this machine, and nowhere else', () => {
	for (const url of [
		'https://checkout.stripe.com/c/pay/cs_1#fid',
		'http://127.0.0.1:3000/i/1',
		'http://localhost/i/1',
		'http://[::1]:1/',
	])
		assert.equal(payUrl(url), url);
	for (const url of [
		null,
		...['', 'javascript:alert(1)', 'JavaScript:alert(1)//https://', ' javascript:alert(1)', 'java\nscript:alert(1)'],
		...[
			'data:text/html,<script>alert(1)</script>',
			'http://pay.example/',
			'http://127.0.0.1.pay.example/',
			'//pay.example',
		],
		...[
			'http://localhost.pay.example/',
			'http://localhost@pay.example/',
			'ftp://localhost/',
			'file:///etc/passwd',
			'/pay',
		],
	])
		assert.equal(payUrl(url), undefined, String(url));
});

test('an amount must be within the bounds, to the cent', () => {
	const bounds = { min: 1_000, max: 500_000 };
	const right = (text: string) => typedTopUp(text, bounds);
	assert.deepEqual(right('10'), { state: 'right', cents: 1_000 });
	assert.deepEqual(right('$5,000.00'), { state: 'right', cents: 500_000 });
	assert.deepEqual(right(' '), { state: 'empty' });
	for (const [text, problem] of [
		['9.99', 'too_small'],
		['0', 'too_small'],
		['5000.01', 'too_large'],
		['99999999999999999999', 'too_large'],
		['10,50', 'unreadable'],
		['-50', 'unreadable'],
		['ten', 'unreadable'],
	] as const)
		assert.deepEqual(right(text), { state: 'wrong', problem }, text);
});

test('a payment counts as credited only by what the balance has of it', () => {
	const payment: Parameters<typeof outcomeOf>[0] = {
		...{ state: 'settled', amount: 5_000, credited: 0, refunded: 0, disputed: 0 },
	};
	const outcome = (changes: Partial<TopUp>) => outcomeOf({ ...payment, ...changes });
	assert.equal(outcome({}), 'not_credited');
	assert.equal(outcome({ credited: 5_000 }), 'credited');
	assert.equal(outcome({ credited: 6_000 }), 'credited');
	assert.equal(outcome({ credited: 4_999 }), 'credited_in_part');
	assert.equal(outcome({ state: 'expired', credited: 100 }), 'credited_in_part');
	assert.equal(outcome({ refunded: 5_000 }), 'taken_back');
	assert.equal(outcome({ disputed: 5_000 }), 'taken_back');
	assert.equal(outcome({ state: 'expired' }), 'not_paid');
	for (const state of ['creating', 'open', 'processing', 'not_made'] as const) assert.equal(outcome({ state }), state);
});

test('a page that waits for a payment looks more and more seldom, and at last not by itself', () => {
	const minute = 60_000;
	const waits = [0, minute - 1, minute, 10 * minute, 60 * minute - 1, 60 * minute].map(lookEveryMs);
	assert.deepEqual(waits, [2_000, 2_000, 10_000, minute, minute, false]);
});
