import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_CENTS } from '@bursar/contract';
import { assertBalance, isBalance, isTransferAmount } from '../../src/domain/money.ts';

const INVALID = [-1, 0.5, 1.1, -MAX_CENTS, MAX_CENTS + 1, NaN, Infinity, -Infinity];

test('a balance is a whole number of cents from 0 to 2^53-1; an amount starts at 1', () => {
	for (const cents of [1, 10, MAX_CENTS]) assert.ok(isBalance(cents) && isTransferAmount(cents));
	assert.ok(isBalance(0) && !isTransferAmount(0));
	for (const cents of INVALID) assert.ok(!isBalance(cents) && !isTransferAmount(cents), String(cents));
});

test('a value that is not a number is neither a balance nor an amount', () => {
	for (const value of ['5', 5n, null, undefined, true, [5], { valueOf: () => 5 }]) {
		assert.ok(!isBalance(value as number) && !isTransferAmount(value as number));
	}
});

test('an invalid balance throws an error with the username', () => {
	assertBalance(0, 'alice');
	for (const cents of INVALID) assert.throws(() => assertBalance(cents, 'alice'), /alice/);
});
