import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hundredthsOf, inHundredths, readDecimal } from '../../../src/payments/providers/decimal.ts';

test('products of decimals are added exactly, and rounded down once', () => {
	const cents = (...products: readonly (readonly [string, string])[]) =>
		hundredthsOf(products.map(([one, other]) => [readDecimal(one), readDecimal(other)]));
	assert.equal(cents(), 0);
	assert.equal(cents(['0.00038825', '64392.23']), 2_500);
	// In floating point this is 30.000000000000004 cents, and 28.999999999999996 cents.
	assert.equal(cents(['0.1', '1'], ['0.2', '1']), 30);
	assert.equal(cents(['0.29', '1']), 29);
	assert.equal(cents(['0.1', '4.35']), 43);
	// Each alone is less than a cent.
	assert.equal(cents(['0.00000010', '50000'], ['0.00000010', '50000']), 1);
	assert.equal(cents(['0.0000000000000000000000000001', '1']), 0);
	assert.equal(cents(['-0.0000000000000000000000000001', '1']), -1);
	assert.equal(cents(['9007199254740991', '0.01']), 9_007_199_254_740_991);
	assert.throws(() => cents(['9007199254740992', '0.01']), /too large/);
	assert.equal(inHundredths(readDecimal('25')), 2_500);
	assert.equal(inHundredths(readDecimal('25.009')), 2_500);
});

test('what is no decimal text is no amount', () => {
	const wrongs = ['', '.', '1.', '.5', '1e3', '0x10', ' 1', '1\n', '1,5', '--1', 'NaN', 'Infinity', '1'.repeat(31)];
	for (const wrong of [...wrongs, `1.${'1'.repeat(29)}`, 25, null, undefined, ['1'], {}]) {
		assert.throws(() => readDecimal(wrong), { name: 'ProviderFailedError' }, String(wrong));
	}
});
