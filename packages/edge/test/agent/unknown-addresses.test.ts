import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUnknownAddresses } from '../../src/agent/unknown-addresses.ts';

const ADDRESS = '192.0.2.7';

function start() {
	const clock = { nowMs: 1_000 };
	return { clock, unknown: createUnknownAddresses(() => clock.nowMs) };
}

test('an address by which no account signs in is remembered for a quarter of a second, later for up to four seconds', () => {
	const { clock, unknown } = start();
	for (const pauseMs of [250, 500, 1_000, 2_000, 4_000, 4_000]) {
		assert.equal(unknown.has(ADDRESS), false);
		unknown.add(ADDRESS);
		clock.nowMs += pauseMs - 1;
		assert.equal(unknown.has(ADDRESS), true);
		assert.equal(unknown.has('192.0.2.8'), false, 'another one is not');
		clock.nowMs += 1;
	}
});

test('if the service says that no account signs in by address, it is asked once in two seconds, about one address', () => {
	const { clock, unknown } = start();
	unknown.tell(false);
	clock.nowMs += 1_999;
	assert.equal(unknown.has(ADDRESS), true);
	clock.nowMs += 1;
	assert.deepEqual([unknown.has(ADDRESS), unknown.has(ADDRESS), unknown.has('192.0.2.8')], [false, true, true]);
	// Other answers say it too, so it need not be asked at all.
	for (let n = 0; n < 10; n++) {
		clock.nowMs += 1_500;
		unknown.tell(n % 2 ? false : undefined);
		assert.equal(unknown.has(ADDRESS), true);
	}
	unknown.tell(true);
	assert.deepEqual([unknown.has(ADDRESS), unknown.has('192.0.2.8')], [false, false]);
});

test('after a check without an answer, nothing is asked for a second', () => {
	const { clock, unknown } = start();
	unknown.pause();
	clock.nowMs += 999;
	assert.equal(unknown.has(ADDRESS), true);
	clock.nowMs += 1;
	assert.equal(unknown.has(ADDRESS), false);
});

test('a flood costs a bounded number of checks, and that of one /48 leaves some for others', () => {
	const { clock, unknown } = start();
	/** How many of so many addresses are asked about. */
	const asked = (count: number, addressOf: (n: number) => string) => {
		let asked = 0;
		for (let n = 0; n < count; n++) {
			const address = addressOf(n);
			if (unknown.has(address)) continue;
			asked++;
			unknown.add(address);
		}
		return asked;
	};
	assert.equal(
		asked(1_000, (n) => `2001:db8:0:${n.toString(16)}::1`),
		50,
	);
	assert.equal(unknown.has('2001:db8:1::1'), false);
	assert.equal(
		asked(5_000, (n) => `10.0.${n >> 8}.${n & 255}`),
		1_950,
	);
	assert.equal(unknown.has(ADDRESS), true);
	clock.nowMs += 5;
	assert.equal(unknown.has(ADDRESS), false);
	clock.nowMs += 10_000;
	assert.equal(
		asked(1_000, (n) => `2001:db8:0:${n.toString(16)}::1`),
		10,
	);
});
