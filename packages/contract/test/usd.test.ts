import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MAX_CENTS } from '../src/limits.ts';
import { type AmountUnit, readAmount, usd } from '../src/usd.ts';

test('an amount is read exactly as it is written, in dollars or in cents', () => {
	const cents = fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.maxSafeNat());
	fc.assert(
		fc.property(cents, (amount) => {
			assert.equal(readAmount(usd(amount)), amount);
			assert.equal(readAmount(`$${usd(amount)}`), amount);
			assert.equal(readAmount(usd(amount), 'usd'), amount);
			assert.equal(readAmount(String(amount), 'usd_cents'), amount);
		}),
	);
	assert.deepEqual(['5', '5.0', '5.00', '$5', '007', '0.5', '1.1'].map(inUsd), [500, 500, 500, 500, 700, 50, 110]);
});

test('without a unit, a whole number is neither dollars nor cents', () => {
	for (const text of ['5', '250', '$5', '0', '007', '9007199254740993'])
		assert.equal(readAmount(text), 'doubtful', text);
});

test('nothing else is an amount', () => {
	const never = [
		'',
		'.50',
		'5.',
		'-5.00',
		'+5.00',
		'5,00',
		'1,234.50',
		'5.00 ',
		' 5.00',
		'5.00\n',
		'5e2',
		'0x5',
		'５.00',
	];
	const all: readonly [AmountUnit, readonly string[]][] = [
		['unsaid', [...never, '5.0', '5.000', '$ 5.00', '5.00$', '$$5.00', 'NaN']],
		['usd', [...never, '5.000', '0.001', '$', 'Infinity']],
		['usd_cents', [...never, '5.00', '$5', '-5', '1e3']],
	];
	for (const [unit, texts] of all) {
		for (const text of texts) assert.equal(readAmount(text, unit), 'unreadable', `${unit} ${text}`);
	}
	for (const above of [BigInt(MAX_CENTS) + 1n, BigInt(MAX_CENTS) + 2n, 10n ** 15n * 9_999n]) {
		const digits = String(above);
		assert.equal(readAmount(digits, 'usd_cents'), 'unreadable');
		assert.equal(readAmount(`${digits.slice(0, -2)}.${digits.slice(-2)}`), 'unreadable');
	}
});

function inUsd(text: string) {
	return readAmount(text, 'usd');
}
