import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHintLimits } from '../../../src/http/payments/hint-limits.ts';
import { readAddress } from '../../../src/http/server/address.ts';

function setUp() {
	const clock = { nowMs: 5 };
	const limits = createHintLimits({ monotonicMs: () => clock.nowMs });
	const of = (text: string) => readAddress(text) as NonNullable<ReturnType<typeof readAddress>>;
	return {
		clock,
		isBlocked: (text: string) => limits.isBlocked(of(text)),
		noteSigned: (text: string) => limits.noteSigned(of(text)),
		/** How many forged hints are taken until the next one is refused. */
		forgedUntilBlocked(addressOf: (index: number) => string): number {
			for (let count = 0; ; count++) {
				const address = of(addressOf(count));
				if (count === 5_000 || limits.isBlocked(address)) return count;
				limits.countForged(address);
			}
		},
	};
}

test('an address has 20 forged hints, and then one each three seconds; an IPv6 /64 is one address, and a /48 has 100', () => {
	const { clock, isBlocked, forgedUntilBlocked } = setUp();
	assert.equal(
		forgedUntilBlocked(() => '192.0.2.1'),
		20,
	);
	assert.equal(isBlocked('192.0.2.2'), false);
	assert.equal(
		forgedUntilBlocked((index) => `2001:db8::${(index + 1).toString(16)}`),
		20,
	);
	assert.equal(
		forgedUntilBlocked((index) => `2001:db8:0:${(index + 1).toString(16)}::1`),
		80,
	);
	assert.equal(isBlocked('2001:db8:1::1'), false);
	clock.nowMs += 3_000;
	assert.equal(
		forgedUntilBlocked(() => '192.0.2.1'),
		1,
	);
});

test('strangers from many addresses use up what strangers have, and an address with a signed hint goes on', () => {
	const { clock, isBlocked, noteSigned, forgedUntilBlocked } = setUp();
	noteSigned('198.51.100.7');
	assert.equal(
		forgedUntilBlocked((index) => `10.0.${index >> 8}.${index & 255}`),
		1_000,
	);
	assert.equal(isBlocked('192.0.2.1'), true, 'another stranger');
	assert.equal(isBlocked('198.51.100.7'), false);
	clock.nowMs += 10;
	assert.equal(isBlocked('192.0.2.1'), false, 'it is over at once');
});

test('an address that strangers share with the provider has more forged hints, and not without end', () => {
	const { clock, isBlocked, noteSigned, forgedUntilBlocked } = setUp();
	assert.equal(
		forgedUntilBlocked(() => '192.0.2.1'),
		20,
	);
	noteSigned('192.0.2.1');
	assert.equal(
		forgedUntilBlocked(() => '192.0.2.1'),
		1_000,
	);
	assert.equal(isBlocked('192.0.2.2'), false, 'strangers have lost nothing by it');
	clock.nowMs += 10;
	assert.equal(isBlocked('192.0.2.1'), false);
});
