import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeptRefusals } from '../../src/agent/kept-refusals.ts';

/** Kept refusals with a clock that only the test moves. */
function keep() {
	const clock = { nowMs: 1_000 };
	return { clock, kept: createKeptRefusals({ clockMs: () => clock.nowMs }) };
}

test('refusals are added up by account and reason, with the time and the network of the last one', () => {
	const { clock, kept } = keep();
	kept.add({ username: 'Alice', reason: 'exhausted', client: '192.0.2.7' });
	clock.nowMs = 2_000;
	kept.add({ username: 'alice', reason: 'exhausted', client: '2001:db8:1:2::7' });
	kept.add({ username: 'alice', reason: 'closed_port', client: '' });
	kept.add({ username: 'no name!', reason: 'wrong_pair', client: '192.0.2.7' });
	const both = [
		{ username: 'alice', reason: 'exhausted', count: 2, atMs: 2_000, network: '2001:db8:1::/48' },
		{ username: 'alice', reason: 'closed_port', count: 1, atMs: 2_000, network: undefined },
	] as const;
	assert.deepEqual(kept.take(200), both);
	assert.deepEqual(kept.take(200), [], 'what was taken is not kept');
	clock.nowMs = 3_000;
	kept.add({ username: 'alice', reason: 'exhausted', client: '192.0.2.7' });
	kept.putBack(both);
	const [one] = kept.take(1);
	assert.deepEqual([one?.count, one?.atMs, one?.network], [3, 3_000, '192.0.2.0/24'], 'what was put back is older');
	assert.equal(kept.leftOut, 0);
});

test('100,000 wrong names from 50 networks push out neither an account whose pair was right nor a client of another network', () => {
	const { kept } = keep();
	const flood = (from: number) => {
		for (let n = from; n < from + 50_000; n++) {
			kept.add({
				username: `name.${n}`,
				reason: n % 2 ? 'wrong_pair' : 'throttled',
				client: `10.0.${n % 50}.${n % 250}`,
			});
		}
	};
	flood(0);
	kept.add({ username: 'alice', reason: 'exhausted', client: '10.0.7.7' });
	kept.add({ username: 'bruno', reason: 'wrong_pair', client: '192.0.2.7' });
	flood(50_000);
	const told = kept.take(200);
	assert.ok(told.some(({ username, network }) => username === 'alice' && network === '10.0.7.0/24'));
	assert.ok(told.some(({ username }) => username === 'bruno'));
	const rest = kept.take(Number.POSITIVE_INFINITY);
	assert.equal(told.length + rest.length, 50 * 10 + 2);
	assert.equal(kept.leftOut, 100_000 - 50 * 10);
});

test('networks take turns, and so do both kinds of names; what is kept of all of them is bounded', () => {
	const { kept } = keep();
	for (let n = 0; n < 5_000; n++) {
		const client = `10.${n >> 8}.${n & 255}.1`;
		for (const name of ['a', 'b']) kept.add({ username: `wrong.${name}.${n}`, reason: 'unavailable', client });
		kept.add({ username: `real.${n}`, reason: 'suspended', client });
	}
	const first = kept.take(200);
	assert.equal(first.filter(({ reason }) => reason === 'suspended').length, 100);
	assert.equal(new Set(first.filter(({ reason }) => reason === 'unavailable').map(({ network }) => network)).size, 100);
	assert.equal(first.length + kept.take(Number.POSITIVE_INFINITY).length, 2_000 + 2 * 1_000);
});
