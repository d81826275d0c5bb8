import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceClock } from '../src/service-clock.ts';

/** A clock that learnt its time from an answer that took this long. */
function clockAfter(tookMs: number, timestamp: number): ServiceClock {
	const clock = new ServiceClock();
	clock.note({ timestamp, sentAtMs: performance.now() - tookMs, isHonoured: true });
	return clock;
}

test('an expiry does not grow with the time that the last answer took', () => {
	const quick = clockAfter(0, 1_000).expiryIn(5_000) as number;
	const slow = clockAfter(9_500, 1_000).expiryIn(5_000) as number;
	assert.ok(quick >= 1_006 && slow >= 1_006);
	assert.ok(slow <= 1_007, `${slow}`);
});

test('by the latest expiry, requests of another client have expired too, whatever time each client knows', () => {
	for (const otherTookMs of [0, 9_500]) {
		for (const tookMs of [0, 9_500]) {
			// The service answered both clients at 1,000.999. The answer to this one was on its way for `tookMs`.
			const sent = clockAfter(otherTookMs, 1_000).expiryIn(5_000) as number;
			const latest = clockAfter(tookMs, 1_000).latestExpiryIn(5_000) as number;
			assert.ok(latest >= sent, `${latest} < ${sent}`);
		}
	}
	// The second of the other client was nearly over when it sent; ours has just begun.
	const sent = clockAfter(0, 1_001).expiryIn(4_999) as number;
	const latest = clockAfter(0, 1_000).latestExpiryIn(5_000) as number;
	assert.ok(latest >= sent);
});

test('a service that missed one expiry is never again believed to honour it', () => {
	const clock = new ServiceClock();
	assert.equal(clock.isHonoured, undefined);
	const note = (isHonoured: boolean | undefined) => clock.note({ timestamp: 1, sentAtMs: 0, isHonoured });
	note(undefined);
	assert.equal(clock.isHonoured, undefined);
	note(true);
	note(undefined);
	assert.equal(clock.isHonoured, true);
	note(false);
	note(true);
	assert.equal(clock.isHonoured, false);
});
