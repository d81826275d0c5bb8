import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newEdgeKey } from '../../src/credentials.ts';
import { counterReading, parseCounterReadings } from '../../src/domain/counter-reading.ts';

const AT = '2026-11-21T09:30:00.000Z';
const good = { counter: 'c', username: 'Alice', up: 1, down: 2, at: AT };
const EDGE = { edge: 'gw', edgeBytesPerMs: 7 };
const typed = {
	...EDGE,
	counter: 'c',
	username: 'alice',
	atMs: Date.parse(AT),
	bytesUp: 1,
	bytesDown: 2,
};

test('each reading of a request has its own time, whatever the time of the previous one', () => {
	const other = '2026-11-21T10:30:00+01:00';
	const times = [AT, AT, 'x', AT, undefined, undefined, null, 5, AT, other, AT, '2026-11-22T00:00:00Z'];
	const readings = parseCounterReadings(
		EDGE,
		times.map((at) => ({ ...good, at })),
	);
	const refused = { refused: 'invalid_timestamp', edge: 'gw', username: 'alice' };
	assert.deepEqual(
		readings,
		times.map((at) => (typeof at === 'string' && at !== 'x' ? { ...typed, atMs: Date.parse(at) } : refused)),
	);
});

test('only the fields of a reading count, and the edge is never one of them', () => {
	assert.deepEqual(parseCounterReadings(EDGE, [{ ...good, edge: 'other', atMs: 5, more: {} }]), [typed]);
	assert.deepEqual(parseCounterReadings(EDGE, [JSON.parse(`{"__proto__":${JSON.stringify(good)}}`)]), [
		{ refused: 'invalid_report', edge: 'gw' },
	]);
});

test('the first reason is named', () => {
	const sent = { ...EDGE, counter: 'c', username: 'alice', up: 1, down: 1, atMs: 1 };
	for (const [wrong, refused] of [
		[{ counter: '', atMs: undefined }, 'invalid_report'],
		[{ atMs: undefined, up: -1 }, 'invalid_timestamp'],
		[{ up: -1 }, 'invalid_counter'],
	] as const) {
		assert.deepEqual(counterReading({ ...sent, ...wrong }), { refused, edge: 'gw', username: 'alice' });
	}
	assert.deepEqual(counterReading({ ...sent, username: '.' }), { refused: 'unknown_username', edge: 'gw' });
});

test('a text that is no username is not kept: it could be a secret', () => {
	for (const username of [newEdgeKey().key, 'a\nb', '\u202ealice', 'x'.repeat(33), 5, undefined]) {
		const refused = counterReading({ ...EDGE, counter: '', username, up: 1, down: 1, atMs: 1 });
		assert.deepEqual(refused, { refused: 'invalid_report', edge: 'gw' });
	}
});
