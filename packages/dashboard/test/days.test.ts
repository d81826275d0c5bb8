import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserZone, instantsOf, isBackwards, isDay } from '../src/format/days.ts';

process.env.TZ = 'Europe/Berlin';

test('a range of days begins and ends with midnights of the viewer, and includes its last day', () => {
	assert.equal(browserZone(), 'Europe/Berlin');
	assert.deepEqual(instantsOf({ from: '2026-05-03', to: '2026-05-03' }), {
		from: '2026-05-02T22:00:00.000Z',
		to: '2026-05-03T22:00:00.000Z',
	});
	assert.deepEqual(instantsOf({ from: '2026-12-31', to: '2026-12-31' }), {
		from: '2026-12-30T23:00:00.000Z',
		to: '2026-12-31T23:00:00.000Z',
	});
});

test('a day on which the clocks change has 23 or 25 hours', () => {
	assert.deepEqual(instantsOf({ from: '2026-03-29', to: '2026-03-29' }), {
		from: '2026-03-28T23:00:00.000Z',
		to: '2026-03-29T22:00:00.000Z',
	});
	assert.deepEqual(instantsOf({ from: '2026-10-25', to: '2026-10-25' }), {
		from: '2026-10-24T22:00:00.000Z',
		to: '2026-10-25T23:00:00.000Z',
	});
});

test('a range may be open at either end', () => {
	assert.deepEqual(instantsOf({}), {});
	assert.deepEqual(instantsOf({ from: '2026-05-03' }), { from: '2026-05-02T22:00:00.000Z' });
	assert.deepEqual(instantsOf({ to: '2026-05-03' }), { to: '2026-05-03T22:00:00.000Z' });
});

test('only days that exist are days', () => {
	for (const day of ['2026-05-03', '2028-02-29', '1970-01-01']) assert.equal(isDay(day), true, day);
	for (const text of ['', '2026-02-29', '2026-13-01', '2026-00-10', '2026-5-3', '0020-01-01', '2026-05-03T00:00']) {
		assert.equal(isDay(text), false, text);
		assert.deepEqual(instantsOf({ from: text, to: text }), {});
	}
});

test('a first day after the last one is noticed', () => {
	assert.equal(isBackwards({ from: '2026-05-04', to: '2026-05-03' }), true);
	assert.equal(isBackwards({ from: '2026-05-03', to: '2026-05-03' }), false);
	assert.equal(isBackwards({ from: '2026-05-04' }), false);
});
