import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readExpirySeconds } from '@bursar/contract';

test('1 to 12 decimal digits are Unix seconds, and nothing else is', () => {
	for (const [text, seconds] of [
		['0', 0],
		['1795271340', 1_795_271_340],
		['0001795271340', undefined],
		['001795271340', 1_795_271_340],
		['999999999999', 999_999_999_999],
		['1795271340000', undefined],
	] as const) {
		assert.equal(readExpirySeconds(text), seconds, text);
	}
	for (const text of [
		'',
		' ',
		' 5',
		'5 ',
		'+5',
		'-5',
		'5.0',
		'5e3',
		'0x5',
		'5, 5',
		'5,5',
		'1_000',
		'x',
		'٥',
		'5\n',
		'NaN',
	]) {
		assert.equal(readExpirySeconds(text), undefined, JSON.stringify(text));
	}
});
