import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideRecord } from '../../../src/domain/bookkeeping/record.ts';
import { NOON_MS } from '../../support/commands.ts';
import { edgeUse, sessionUse, tokenUse, verificationProgress } from '../../support/records.ts';

test('a record is written as it is, but a session is not used in the future', () => {
	for (const record of [
		...[tokenUse('a', NOON_MS + 5), sessionUse('s', NOON_MS - 5), edgeUse('eu-1', NOON_MS, 1_000, 3)],
		...[verificationProgress('v', 3), verificationProgress('v', 3, null), verificationProgress('v', 14, '{}')],
	]) {
		assert.deepEqual(decideRecord(record, NOON_MS), record);
	}
	assert.deepEqual(decideRecord(sessionUse('s', NOON_MS + 5), NOON_MS), sessionUse('s', NOON_MS));
});

test('numbers that are no counts, and a result that is too long, are faults', () => {
	for (const record of [
		...[tokenUse('a', -1), tokenUse('a', Number.NaN), sessionUse('s', 0.5), edgeUse('eu-1', NOON_MS, -1)],
		...[edgeUse('eu-1', NOON_MS, 1, 2 ** 53), edgeUse('eu-1', 0.5), verificationProgress('v', 1_000_001)],
		verificationProgress('v', 1, 'x'.repeat(100_001)),
	]) {
		assert.throws(() => decideRecord(record, NOON_MS), JSON.stringify(record).slice(0, 100));
	}
});
