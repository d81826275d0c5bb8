import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AfterTry, decideTry, isDue, keptOutcome, type TryOutcome } from '../../../src/domain/webhooks/try.ts';
import { NOON_MS } from '../../support/commands.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const EVENT = { number: 8, id: 'evt_8' };
const FRESH = { reached: { number: 7, id: 'evt_7' }, failingSinceMs: null, failedTries: 0 };
const REFUSED: TryOutcome = { failure: 'connection', message: 'The connection failed.', tookMs: 3 };

function answered(status: number, retryAfterMs?: number): TryOutcome {
	return { status, retryAfterMs, answer: 'an answer', tookMs: 3 };
}

function after(outcome: TryOutcome, nowMs = NOON_MS, before: Omit<AfterTry, 'nextAtMs'> = FRESH, jitter = 0): AfterTry {
	return decideTry(before, EVENT, outcome, { nowMs, jitter });
}

test('only a status of 2xx moves on, and ends all failing', () => {
	const failing = { ...FRESH, failingSinceMs: NOON_MS - DAY_MS, failedTries: 9 };
	for (const status of [200, 204, 299]) {
		const moved = { reached: EVENT, failingSinceMs: null, failedTries: 0, nextAtMs: NOON_MS };
		assert.deepEqual(after(answered(status), NOON_MS, failing), moved);
	}
	for (const outcome of [...[100, 199, 300, 301, 404, 429, 500].map((status) => answered(status)), REFUSED]) {
		const { reached, failingSinceMs, failedTries, offReason } = after(outcome);
		assert.deepEqual([reached, failingSinceMs, failedTries, offReason], [FRESH.reached, NOON_MS, 1, undefined]);
	}
});

test('an event is tried again more and more seldom, for three days, and then the webhook is switched off', () => {
	const waitsMs: number[] = [];
	let state: AfterTry = { ...FRESH, nextAtMs: NOON_MS };
	while (state.offReason === undefined) {
		const nowMs = state.nextAtMs;
		state = after(REFUSED, nowMs, state);
		if (state.offReason === undefined) waitsMs.push(state.nextAtMs - nowMs);
	}
	const seconds = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, ...Array(8).fill(28_800)];
	assert.deepEqual(
		waitsMs.slice(0, -1),
		seconds.map((wait) => wait * 1_000),
	);
	assert.equal(state.offReason, 'failing');
	assert.equal(state.nextAtMs - NOON_MS, 3 * DAY_MS, 'the last try is made when the three days are over');
	assert.deepEqual(state.reached, FRESH.reached);
});

test('waits differ by a fifth at most', () => {
	assert.equal(after(REFUSED, NOON_MS, FRESH, 1).nextAtMs - NOON_MS, 6_000);
	const long = { ...FRESH, failingSinceMs: NOON_MS, failedTries: 20 };
	assert.equal(after(REFUSED, NOON_MS, long, 0.5).nextAtMs - NOON_MS, 31_680_000);
});

test('Retry-After makes a wait longer, up to an hour, and never shorter', () => {
	const wait = (retryAfterMs: number, before = FRESH) =>
		after(answered(503, retryAfterMs), NOON_MS, before).nextAtMs - NOON_MS;
	assert.deepEqual([wait(0), wait(1_000), wait(60_000), wait(DAY_MS)], [5_000, 5_000, 60_000, HOUR_MS]);
	assert.equal(wait(1_000, { ...FRESH, failedTries: 4 }), 1_800_000);
});

test('410 switches a webhook off at once', () => {
	const gone = after(answered(410));
	assert.deepEqual([gone.offReason, gone.reached], ['gone', FRESH.reached]);
});

test('a time that is too far ahead was written before the clock was set back', () => {
	assert.deepEqual(
		[0, 1, 9 * HOUR_MS, 10 * HOUR_MS].map((aheadMs) => isDue({ nextAtMs: NOON_MS + aheadMs }, NOON_MS)),
		[true, false, false, true],
	);
});

test('of an answer the beginning is kept, and of a failure its kind and a sentence', () => {
	const long: TryOutcome = { status: 200, answer: 'x'.repeat(5_000), tookMs: 1 };
	assert.deepEqual(keptOutcome(long), { status: 200, failure: null, tookMs: 1, answer: 'x'.repeat(4_096) });
	const kept = { status: null, failure: 'connection', tookMs: 3, answer: 'The connection failed.' };
	assert.deepEqual(keptOutcome(REFUSED), kept);
});
