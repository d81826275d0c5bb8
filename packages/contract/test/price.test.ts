import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { priceTarget, priceText, readPrice } from '../src/price.ts';

test('a price in micro-dollars is written in dollars, with at least two decimals', () => {
	assert.deepEqual([3_500_000, 1, 3_333_333, 1_000_000_000, 500_000].map(priceText), [
		'3.50',
		'0.000001',
		'3.333333',
		'1000.00',
		'0.50',
	]);
	assert.equal(priceTarget('acme', 3_500_000), 'acme 3.50');
	assert.equal(priceTarget('acme', null, 2_000), 'acme off line 20.00');
	assert.equal(priceTarget('acme', null), 'acme off');
});

test('a price is read exactly as it is written, and nothing else is a price', () => {
	fc.assert(
		fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (microUsd) => readPrice(priceText(microUsd)) === microUsd),
	);
	assert.deepEqual(
		['3', '3.5', '3.50', '3.500000', '0.1', '007'].map(readPrice),
		[3_000_000, 3_500_000, 3_500_000, 3_500_000, 100_000, 7_000_000],
	);
	for (const text of ['', '.5', '3.', '-1', '+1', '1e3', '1,5', ' 1', '1\n', '0.0000001', 'NaN', '1234567890', '１']) {
		assert.equal(readPrice(text), undefined, text);
	}
});
