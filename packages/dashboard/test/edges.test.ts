import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListedEdge } from '@bursar/contract/dashboard';
import { isQuiet } from '../src/features/edges/is-quiet.ts';

const NOW_MS = Date.parse('2026-11-22T12:00:00.000Z');
const ago = (seconds: number) => new Date(NOW_MS - seconds * 1000).toISOString();

function edge(given: Partial<ListedEdge>): ListedEdge {
	return {
		name: 'eu-1',
		key_tail: 'abcd',
		created: ago(86_400),
		revoked: null,
		link_expires: null,
		last_seen: ago(5),
		reported_to: ago(6),
		checks: 0,
		refusals: 0,
		...given,
	};
}

test('an edge is quiet if it is seen, but reports nothing new for more than a minute', () => {
	const quiet = (given: Partial<ListedEdge>) => isQuiet(edge(given), NOW_MS);
	assert.equal(quiet({}), false);
	assert.equal(quiet({ reported_to: ago(65) }), false, 'exactly a minute before it was seen');
	assert.equal(quiet({ reported_to: ago(66) }), true);
	assert.equal(quiet({ reported_to: null }), true, 'it has never reported');
	assert.equal(quiet({ reported_to: null, created: ago(30) }), false, 'it is new');
	assert.equal(quiet({ last_seen: ago(61), reported_to: ago(600) }), false, 'it is gone, and “last seen” says it');
	assert.equal(quiet({ last_seen: null, reported_to: null }), false);
	assert.equal(quiet({ revoked: ago(10), reported_to: ago(600) }), false);
	assert.equal(quiet({ last_seen: ago(-3), reported_to: ago(-2) }), false, 'the clocks differ a little');
});
