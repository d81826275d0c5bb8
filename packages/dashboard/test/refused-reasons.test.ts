import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusedReasons } from '../src/features/usage-health/refused-reasons.ts';
import { usageTexts } from '../src/features/usage-health/texts.ts';

test('refused reports are added up by reason over all days, the most frequent reason first', () => {
	const days = [
		{ refused: { conflict: 2, unknown_username: 1 } },
		{ refused: {} },
		{ refused: { unknown_username: 4, invalid_counter: 2, not_json: 0 } },
	];
	assert.deepEqual(refusedReasons(days), [
		{ reason: 'unknown_username', reports: 5 },
		{ reason: 'conflict', reports: 2 },
		{ reason: 'invalid_counter', reports: 2 },
	]);
	assert.deepEqual(refusedReasons([]), []);
});

test('each reason says what it means and what to do', () => {
	for (const [reason, { means, todo }] of Object.entries(usageTexts.reasons)) {
		assert.match(means, /\.$/, reason);
		assert.match(todo, /\.$/, reason);
	}
});
