import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_CENTS } from '@bursar/contract/limits';
import { changeText, moneyText, parseMoney, typedAmount, typedMoney } from '../src/format/money.ts';

test('cents are shown as dollars', () => {
	assert.equal(moneyText(0), '$0.00');
	assert.equal(moneyText(5), '$0.05');
	assert.equal(moneyText(1230), '$12.30');
	assert.equal(moneyText(123_450), '$1,234.50');
	assert.equal(moneyText(-10), '−$0.10');
	assert.equal(moneyText(Number.MAX_SAFE_INTEGER), '$90,071,992,547,409.91');
});

test('a change of a balance has its sign', () => {
	assert.equal(changeText(500), '+$5.00');
	assert.equal(changeText(-10), '−$0.10');
	assert.equal(changeText(0), '$0.00');
});

test('typed dollars and cents become exact cents', () => {
	assert.equal(parseMoney('12'), 1200);
	assert.equal(parseMoney('12.3'), 1230);
	assert.equal(parseMoney('12.30'), 1230);
	assert.equal(parseMoney(' $12.30 '), 1230);
	assert.equal(parseMoney('0.01'), 1);
	assert.equal(parseMoney('0'), 0);
	assert.equal(parseMoney('1,234.50'), 123_450);
	assert.equal(parseMoney('1,234,567'), 123_456_700);
	assert.equal(parseMoney('007'), 700);
	// As fractions these would be 109.99999999999999 and 405.99999999999994 cents.
	assert.equal(parseMoney('1.10'), 110);
	assert.equal(parseMoney('4.06'), 406);
	assert.equal(parseMoney('90071992547409.91'), Number.MAX_SAFE_INTEGER);
});

test('what could mean two amounts, or none, is not an amount', () => {
	const refused = [
		'',
		' ',
		'.',
		'12.',
		'.50',
		'12,30',
		'1.234',
		'1,23',
		'12,3456',
		'1,2345',
		'-1',
		'+1',
		'1e3',
		'0x10',
	];
	for (const text of [...refused, '1 000', '12.345', '１２', '$', '$-1', 'Infinity', 'NaN', '1..2', ',123', '1,,234']) {
		assert.equal(parseMoney(text), undefined, text);
	}
});

test('more than a balance can be is an amount, but too large', () => {
	for (const text of ['90071992547409.92', '99999999999999', '9'.repeat(400)]) {
		assert.equal(parseMoney(text), 'too_large', text);
		assert.deepEqual(typedAmount(text, { from: 500, to: 0 }), { state: 'wrong', problem: 'too_much' });
		assert.deepEqual(typedAmount(text, { from: MAX_CENTS, to: 0 }), { state: 'wrong', problem: 'too_large' });
	}
});

test('every amount that is typed as it is shown is the same again', () => {
	for (const cents of [0, 1, 9, 10, 99, 100, 101, 12_345, 999_999, 100_000_000, Number.MAX_SAFE_INTEGER]) {
		assert.equal(parseMoney(moneyText(cents)), cents);
		assert.equal(parseMoney(typedMoney(cents)), cents);
	}
});
