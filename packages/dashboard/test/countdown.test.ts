import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockText, countdownOf, spokenSeconds } from '../src/features/token/countdown.ts';

const NOW = Date.parse('2026-11-22T12:00:00.000Z');

function previous(expiresMs: number, deadMs: number) {
	return { expires: new Date(NOW + expiresMs).toISOString(), dead: new Date(NOW + deadMs).toISOString() };
}

test('the countdown ends when no process accepts the previous token any more, and not before', () => {
	assert.deepEqual(countdownOf(previous(60_000, 90_000), NOW), { secondsLeft: 90, secondsUntilExpiry: 60 });
	assert.deepEqual(countdownOf(previous(0, 30_000), NOW), { secondsLeft: 30, secondsUntilExpiry: 0 });
	assert.deepEqual(countdownOf(previous(-30_000, 1), NOW), { secondsLeft: 1, secondsUntilExpiry: 0 });
	assert.deepEqual(countdownOf(previous(-30_000, 0), NOW), { secondsLeft: 0, secondsUntilExpiry: 0 });
	assert.deepEqual(countdownOf(previous(-30_000, -5_000), NOW), { secondsLeft: 0, secondsUntilExpiry: 0 });
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
