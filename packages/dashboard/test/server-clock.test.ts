import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClockDifference, narrowDifference } from '../src/calls/server-clock.ts';

/** An answer that took `tripMs` each way, from a server whose clock is `differenceMs` ahead of the page's. */
function answerAt(sentMs: number, differenceMs: number, tripMs: number) {
	const timestamp = Math.floor((sentMs + tripMs + differenceMs) / 1000);
	return { sentMs, receivedMs: sentMs + 2 * tripMs, timestamp };
}

test('each answer narrows the difference between the clocks, and never excludes the true one', () => {
	const differenceMs = 1_763_800_000_123;
	let known: ClockDifference | undefined;
	for (let sentMs = 500; sentMs < 60_000; sentMs += 2_130) {
		known = narrowDifference(known, answerAt(sentMs, differenceMs, 20));
		assert.ok(known.atLeastMs <= differenceMs && differenceMs <= known.atMostMs);
	}
	assert.ok(known !== undefined && known.atMostMs - known.atLeastMs < 200);
});

test('after a clock was changed, only the newest answer counts', () => {
	const before = narrowDifference(undefined, answerAt(1_000, 5_000_000, 5));
	const after = narrowDifference(before, answerAt(2_000, 9_000_000, 5));
	assert.ok(after.atLeastMs <= 9_000_000 && 9_000_000 <= after.atMostMs);
});
