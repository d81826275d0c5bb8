import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opensAtMs, type PairRow } from '../../src/store/tables/accounts/pair.ts';

test('a limit of a day opens at the next midnight UTC, one of a month with the next month, and one of all time never', () => {
	const nowMs = Date.UTC(2026, 11, 31, 23, 59, 59, 999);
	const opens = (leftOfDay: number | null, leftOfMonth: number | null, leftOfTotal: number | null, atMs = nowMs) =>
		opensAtMs({ leftOfDay, leftOfMonth, leftOfTotal } as PairRow, atMs);
	const newYear = Date.UTC(2027, 0);
	assert.equal(opens(null, null, null), null);
	assert.equal(opens(1, 1, 1), null);
	assert.equal(opens(0, 1, null), newYear);
	assert.equal(opens(-5, null, null, newYear), newYear + 86_400_000);
	assert.equal(opens(0, 0, 1, newYear), Date.UTC(2027, 1), 'the later one of two');
	assert.equal(opens(0, 0, 0), null);
});
