import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockText, countdownOf, spokenSeconds } from '../src/features/token/countdown.ts';

const NOW = Date.parse('2026-11-22T12:00:00.000Z');

function previous(expiresMs: number, deadMs: number) {
	return { expires: new Date(NOW + expiresMs).toISOString(), dead: new Date(NOW + deadMs).toISOString() };
}

test('the previous token works until it expires, and the next rotation waits until no process accepts it any more', () => {
	assert.deepEqual(countdownOf(previous(60_000, 90_000), NOW), { secondsUntilExpiry: 60, secondsUntilRotation: 90 });
	assert.deepEqual(countdownOf(previous(0, 30_000), NOW), { secondsUntilExpiry: 0, secondsUntilRotation: 30 });
	assert.deepEqual(countdownOf(previous(-30_000, 1), NOW), { secondsUntilExpiry: 0, secondsUntilRotation: 1 });
	assert.deepEqual(countdownOf(previous(-30_000, 0), NOW), { secondsUntilExpiry: 0, secondsUntilRotation: 0 });
	assert.deepEqual(countdownOf(previous(-30_000, -5_000), NOW), { secondsUntilExpiry: 0, secondsUntilRotation: 0 });
});

test('seconds are shown as on a clock', () => {
	assert.equal(clockText(0), '0:00');
	assert.equal(clockText(9), '0:09');
	assert.equal(clockText(90), '1:30');
	assert.equal(clockText(270), '4:30');
});

test('a screen reader hears a countdown of 270 seconds only a few times', () => {
	const spoken = new Set(Array.from({ length: 271 }, (_, secondsLeft) => spokenSeconds(secondsLeft)));
	assert.deepEqual([...spoken], [0, 10, 30, 60, 120, 180, 240, 300]);
});
