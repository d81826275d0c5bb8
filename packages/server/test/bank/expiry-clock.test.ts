import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createExpiryClock } from '../../src/bank/expiry-clock.ts';

test('answers tell the time of the store; the time for expiry never goes back', () => {
	let nowMs = 10_000;
	const clock = createExpiryClock(() => nowMs);
	assert.equal(clock.nowMs(), 10_000);
	nowMs = 9_500;
	assert.equal(clock.nowMs(), 9_500);
	assert.deepEqual(clock.look(), { nowMs: 9_500, latestMs: 10_000 });
	nowMs = 12_000;
	assert.deepEqual(clock.look(), { nowMs: 12_000, latestMs: 12_000 });
});

test('a clock that is set back too far is reported once, and again only after it has caught up', () => {
	let nowMs = 100_000;
	const reportedMs: number[] = [];
	const clock = createExpiryClock(() => nowMs, { onSetBack: (byMs) => reportedMs.push(byMs) });
	clock.nowMs();
	nowMs = 99_000;
	assert.equal(clock.isSetBack, false);
	nowMs = 60_000;
	for (; nowMs < 100_000; nowMs += 100) {
		assert.equal(clock.isSetBack, nowMs < 99_000);
		clock.nowMs();
	}
	assert.deepEqual(reportedMs, [40_000]);
	assert.equal(clock.nowMs(), 100_000);
	nowMs = 90_000;
	clock.look();
	clock.look();
	assert.deepEqual(reportedMs, [40_000, 10_000]);
});
