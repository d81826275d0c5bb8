import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesChangeText, bytesText, roundBytesText } from '../src/format/bytes.ts';
import { dayText, shortDayText } from '../src/format/days.ts';

test('bytes are shown in the largest unit that fits, with three digits', () => {
	assert.equal(bytesText(0), '0 B');
	assert.equal(bytesText(999), '999 B');
	assert.equal(bytesText(1000), '1.00 kB');
	assert.equal(bytesText(1234), '1.23 kB');
	assert.equal(bytesText(999_499), '999 kB');
	assert.equal(bytesText(999_500), '1.00 MB');
	assert.equal(bytesText(12_345_678_901), '12.3 GB');
	assert.equal(bytesText(11e9), '11.0 GB');
	assert.equal(bytesText(99.96e9), '100 GB');
	assert.equal(roundBytesText(11e9), '11 GB');
	assert.equal(roundBytesText(1.5e6), '1.5 MB');
	assert.equal(roundBytesText(0), '0 B');
	assert.equal(bytesText(Number.MAX_SAFE_INTEGER), '9.01 PB');
	assert.deepEqual([-1200, 0, 5].map(bytesChangeText), ['−1.20 kB', '0 B', '+5 B']);
});

test('a day is the one in UTC, wherever the browser is', () => {
	assert.equal(shortDayText('2026-11-21T00:00:00.000Z'), 'Nov 21');
	assert.equal(dayText('2026-11-21T00:00:00.000Z'), 'Nov 21, 2026');
});
