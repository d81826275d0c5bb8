import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_CENTS } from '@bursar/contract';
import { anyCharacter } from '@bursar/testing/any-character';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import { parseUsageReport } from '../../src/domain/usage-report.ts';

const VALID = {
	source: 'eu-1',
	id: 'r1',
	username: 'alice',
	timestamp: '2026-11-21T12:00:00Z',
	up: 5,
	down: 7,
};
const REFUSALS = ['invalid_report', 'invalid_timestamp', 'invalid_counter', 'unknown_username'];

function refusal(changes: Record<string, unknown>): string | undefined {
	const parsed = parseUsageReport({ ...VALID, ...changes });
	return 'refused' in parsed ? parsed.refused : undefined;
}

test('a valid report is accepted, its username normalized, and other fields ignored', () => {
	assert.deepEqual(parseUsageReport({ ...VALID, username: 'Alice', region: 'eu', __proto__: { up: -1 } }), {
		source: 'eu-1',
		id: 'r1',
		username: 'alice',
		atMs: Date.UTC(2026, 10, 21, 12),
		bytesUp: 5,
		bytesDown: 7,
	});
});

test('a timestamp is ISO 8601 with a zone, of an existing day, and is read to the millisecond', () => {
	const atMs = (timestamp: string) => {
		const parsed = parseUsageReport({ ...VALID, timestamp });
		return 'refused' in parsed ? parsed.refused : parsed.atMs;
	};
	assert.equal(atMs('2026-11-21T12:00:00.123456789Z'), Date.UTC(2026, 10, 21, 12, 0, 0, 123));
	assert.equal(atMs('2026-11-21T01:30:00+02:00'), Date.UTC(2026, 10, 20, 23, 30));
	assert.equal(atMs('2026-11-20T20:00:00-05:30'), Date.UTC(2026, 10, 21, 1, 30));
	assert.equal(atMs('2028-02-29T00:00:00Z'), Date.UTC(2028, 1, 29));
	for (const wrong of [
		...['2026-02-30T00:00:00Z', '2026-02-29T00:00:00Z', '2100-02-29T00:00:00Z', '2026-04-31T00:00:00Z'],
		...['2026-13-01T00:00:00Z', '2026-00-01T00:00:00Z', '2026-01-00T00:00:00Z', '2026-01-01T24:00:00Z'],
		...['2026-01-01T23:60:00Z', '2026-01-01T23:59:60Z', '2026-01-01T00:00:00', '2026-01-01T00:00:00+24:00'],
		...['2026-01-01T00:00:00.Z', '2026-01-01T00:00:00.1234567890Z', '2026-01-01 00:00:00Z', '2026-01-01'],
		...['26-01-01T00:00:00Z', '+002026-01-01T00:00:00Z', ' 2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z\n'],
		...['Sat, 21 Nov 2026 12:00:00 GMT', ''],
	]) {
		assert.equal(atMs(wrong), 'invalid_timestamp', wrong);
	}
	for (const wrong of [1795262400, null, undefined, ['2026-11-21T12:00:00Z'], new Date()]) {
		assert.equal(refusal({ timestamp: wrong }), 'invalid_timestamp');
	}
});

test('a counter is a whole number of bytes from 0 to 2^53-1', () => {
	for (const bytes of [0, 1, MAX_CENTS]) assert.equal(refusal({ up: bytes, down: bytes }), undefined);
	for (const wrong of [-1, 0.5, MAX_CENTS + 1, NaN, '5', null, undefined, true, [5]]) {
		assert.equal(refusal({ up: wrong }), 'invalid_counter');
		assert.equal(refusal({ down: wrong }), 'invalid_counter');
	}
});

test('source and id have 1 to 128 characters, without control characters', () => {
	for (const field of ['source', 'id']) {
		for (const name of ['x', 'x'.repeat(128), 'día 1', '💶']) assert.equal(refusal({ [field]: name }), undefined, name);
		for (const wrong of ['', 'x'.repeat(129), 'a\nb', 'a\0', '\ud800', 7, null, undefined, {}]) {
			assert.equal(refusal({ [field]: wrong }), 'invalid_report');
		}
	}
});

test('a value that is not an object is an invalid report, and an invalid username is an unknown one', () => {
	for (const value of [null, undefined, 5, 'text', true, [VALID]]) {
		assert.deepEqual(parseUsageReport(value), { refused: 'invalid_report' });
	}
	assert.equal(refusal({ username: 5 }), 'invalid_report');
	for (const username of ['', 'al', 'a..b', '.alice', '\u212Aelvin']) {
		assert.equal(refusal({ username }), 'unknown_username');
	}
});

test('any input is a valid report or a named refusal, and none throws', (t) => {
	const field = fc.oneof(fc.anything(), fc.constantFrom(...Object.values(VALID)), fc.string({ unit: anyCharacter }));
	const value = fc.oneof(
		fc.anything(),
		fc.record({ source: field, id: field, username: field, timestamp: field, up: field, down: field }),
	);
	const property = fc.property(value, (input) => {
		const parsed = parseUsageReport(input);
		if ('refused' in parsed) assert.ok(REFUSALS.includes(parsed.refused));
		else assert.ok(Number.isSafeInteger(parsed.atMs) && parsed.bytesUp >= 0 && parsed.bytesDown >= 0);
	});
	fc.assert(property, { seed: printedSeed(t), numRuns: 3000 });
});
