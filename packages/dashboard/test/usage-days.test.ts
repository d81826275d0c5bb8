import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usageDays } from '../src/features/statement/usage-days.ts';

test('bandwidth is of the UTC days on which it was used, not of the day on which it was posted', () => {
	const days = (since: string, at: string) => {
		const { first, last } = usageDays(
			[{ bytes: 1, price: 1, since: `2026-11-${since}:00.000Z` }],
			`2026-11-${at}:00.000Z`,
		);
		return `${first.slice(8)} ${last.slice(8)}`;
	};
	assert.equal(days('27T00:10', '28T00:01'), '27 27');
	assert.equal(days('27T23:59', '28T00:59'), '27 27');
	assert.equal(days('28T00:00', '28T00:01'), '28 28');
	assert.equal(days('28T09:00', '28T17:00'), '28 28');
	// The service was away.
	assert.equal(days('25T09:00', '28T06:00'), '25 28');
});
