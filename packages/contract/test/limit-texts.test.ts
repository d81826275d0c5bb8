import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSpeed } from '../src/limit-texts.ts';

test('a speed is bytes or bits a second, with units of a thousand', () => {
	for (const [text, bytes] of [
		['8000', 8_000],
		['1250000', 1_250_000],
		['1.25MB', 1_250_000],
		['10Mbit', 1_250_000],
		['10 mbit', 1_250_000],
		['64kbit', 8_000],
		['2.5Gbit', 312_500_000],
		['64001bit', 8_000],
		['1TB', 1_000_000_000_000],
	] as const) {
		assert.equal(readSpeed(text), bytes, text);
	}
	for (const text of [
		'',
		'7999',
		'63kbit',
		'1000000000001',
		'10Mb/s',
		'10 Mbit/s',
		'10mbits',
		'1e6',
		'-8000',
		'fast',
	]) {
		assert.equal(readSpeed(text), undefined, text);
	}
});
