import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isExpired, isSetBack } from '../../src/domain/expiry.ts';

const NOW_MS = 1_795_271_340_000;

test('a change may begin until just before its expiry, and not from then on', () => {
	const at = (nowMs: number) => isExpired(NOW_MS, { nowMs, latestMs: nowMs });
	assert.deepEqual([NOW_MS - 1, NOW_MS, NOW_MS + 1].map(at), [false, true, true]);
	assert.equal(isExpired(0, { nowMs: NOW_MS, latestMs: NOW_MS }), true);
});

test('an expired change stays expired, even if the clock is set back', () => {
	const time = { nowMs: NOW_MS - 900, latestMs: NOW_MS };
	assert.equal(isExpired(NOW_MS, time), true);
	assert.equal(isExpired(NOW_MS - 500, time), true);
	assert.equal(isExpired(NOW_MS + 1, time), false);
});

test('while the clock is set back by more than a second, no change with an expiry may begin', () => {
	const back = (byMs: number) => ({ nowMs: NOW_MS - byMs, latestMs: NOW_MS });
	for (const [byMs, expected] of [
		[0, false],
		[1_000, false],
		[1_001, true],
		[3_600_000, true],
	] as const) {
		assert.equal(isSetBack(back(byMs)), expected);
		assert.equal(isExpired(NOW_MS + 86_400_000, back(byMs)), expected);
	}
});
