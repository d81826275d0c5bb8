import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDatabaseClock } from '../../src/store/postgres/database/clock.ts';

/** A clock, and a database that answers with its time. */
function setUp() {
	let monotonicMs = 5_000;
	const clock = createDatabaseClock(() => monotonicMs);
	return {
		clock,
		pass(ms: number) {
			monotonicMs += ms;
		},
		/** Asks for the time. The answer is the time of the database when the question arrived there. */
		ask(databaseMs: number, { thereMs, backMs }: { readonly thereMs: number; readonly backMs: number }) {
			const askedAtMs = monotonicMs;
			monotonicMs += thereMs + backMs;
			clock.set(databaseMs, askedAtMs);
		},
	};
}

test('the time is that of the database, not of this machine, and goes on between two answers', () => {
	const { clock, ask, pass } = setUp();
	ask(1_000_000, { thereMs: 2, backMs: 2 });
	assert.equal(clock.nowMs(), 1_000_002);
	pass(700);
	assert.equal(clock.nowMs(), 1_000_702);
	ask(2_000_000, { thereMs: 0, backMs: 0 });
	assert.equal(clock.nowMs(), 2_000_000, 'the clock follows the database');
});

test('a slow answer does not change the clock if a faster one agrees with it', () => {
	const { clock, ask } = setUp();
	ask(1_000_000, { thereMs: 1, backMs: 1 });
	ask(1_000_101, { thereMs: 100, backMs: 1_900 });
	assert.equal(clock.nowMs(), 1_002_001);
});

test('a slow answer changes the clock only by the change that it proves', () => {
	for (const changeMs of [-3_600_000, -1_500, 2_500, 3_600_000]) {
		const { clock, ask } = setUp();
		ask(1_000_000, { thereMs: 1, backMs: 1 });
		ask(1_000_501 + changeMs, { thereMs: 500, backMs: 500 });
		const farthestMs = changeMs < 0 ? 500 : -500;
		assert.equal(clock.nowMs(), 1_001_001 + changeMs + farthestMs);
	}
});

test('an answer rounded to the next millisecond moves the clock by at most one, however slow it was', () => {
	const { clock, ask } = setUp();
	ask(1_000_000, { thereMs: 0, backMs: 0 });
	ask(1_002_601, { thereMs: 2_600, backMs: 0 });
	assert.equal(clock.nowMs(), 1_002_601);
});
