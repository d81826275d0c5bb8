import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextPageOf, nextStepOf } from '../src/lists/bounded-search.ts';

const SEARCHED_TO = '2026-05-03T00:00:00.000Z';

test('a page that a step did not fill grows by another step', () => {
	const steps = [{ next_before: 700, searched_to: SEARCHED_TO }];
	assert.equal(nextStepOf(steps, 3), 700);
	assert.equal(nextPageOf(steps, 3), undefined);
	const more = [...steps, { next_before: 300, searched_to: SEARCHED_TO }];
	assert.equal(nextStepOf(more, 3), 300);
});

test('a page that is full is followed by another one', () => {
	const full = [{ next_before: 700, searched_to: null }];
	assert.equal(nextStepOf(full, 50), undefined);
	assert.equal(nextPageOf(full, 50), 700);
	const grown = [
		{ next_before: 700, searched_to: SEARCHED_TO },
		{ next_before: 300, searched_to: SEARCHED_TO },
	];
	assert.equal(nextStepOf(grown, 61), undefined);
	assert.equal(nextPageOf(grown, 61), 300);
});

test('nothing follows if nothing older can match', () => {
	for (const steps of [[], [{ next_before: null, searched_to: null }]]) {
		assert.equal(nextStepOf(steps, 0), undefined);
		assert.equal(nextPageOf(steps, 0), undefined);
	}
});
