import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ActiveRequest } from '../../src/squid/usage/active-requests.ts';
import { createOpenRequests } from '../../src/squid/usage/open-requests.ts';

const REQUEST: ActiveRequest = {
	peer: '192.0.2.9:47090',
	local: '192.0.2.8:3128',
	username: 'Alice',
	begin: '1795370802.615',
	ageMs: 7_500,
	isAllowed: true,
	requests: 1,
	bytesReadOnConnection: 155,
	headerBytes: 90,
	bytesDown: 816,
};
const COUNTER = {
	counter: 's:192.0.2.9:47090@1795370802.615',
	username: 'alice',
	bytesUp: 155,
	bytesDown: 816,
	atMs: 5,
};

test('an open request counts what its connection has read and what was sent for it', () => {
	assert.deepEqual(createOpenRequests().counters([REQUEST], 5), [COUNTER]);
});

test('young requests, refused ones and those without a valid name do not count yet', () => {
	for (const change of [{ ageMs: 3_999 }, { isAllowed: false }, { username: '-' }, { username: 'a b' }]) {
		assert.deepEqual(createOpenRequests().counters([{ ...REQUEST, ...change }], 5), []);
	}
});

test('of a later request on a connection, what the earlier ones had read does not count', () => {
	const open = createOpenRequests();
	const later = { ...REQUEST, requests: 2, bytesReadOnConnection: 5_000, ageMs: 100 };
	assert.deepEqual(open.counters([later], 5), []);
	assert.deepEqual(open.counters([{ ...later, bytesReadOnConnection: 5_700, ageMs: 7_500 }], 5), [
		{ ...COUNTER, bytesUp: 790 },
	]);
	const next = { ...later, requests: 3, begin: '1795370899.000', bytesReadOnConnection: 9_000, ageMs: 7_500 };
	assert.deepEqual(open.counters([next], 5), [
		{ ...COUNTER, counter: 's:192.0.2.9:47090@1795370899.000', bytesUp: 90 },
	]);
});

test('after a restart in the middle, a later request counts less than the log will say, and never more', () => {
	const middle = { ...REQUEST, requests: 2, bytesReadOnConnection: 5_000 };
	assert.equal(createOpenRequests().counters([middle], 5)[0]?.bytesUp, 90);
});
