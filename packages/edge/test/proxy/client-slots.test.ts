import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClientSlots } from '../../src/proxy/client/client-slots.ts';

test('each client has its own slots: an IPv4 address, or a /64 of IPv6', () => {
	const slots = createClientSlots(2);
	for (const [first, second, third, other] of [
		['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1', '192.0.2.2'],
		['2001:db8::1', '2001:db8:0:0:ffff::2', '2001:db8::3', '2001:db8:0:1::1'],
	] as const) {
		assert.ok(slots.take(first));
		assert.ok(slots.take(second));
		assert.ok(!slots.take(third));
		assert.ok(slots.take(other));
		slots.free(second);
		assert.ok(slots.take(third));
		assert.ok(!slots.take(first));
	}
});

test('the networks of an IPv6 /48 have four times the slots of one', () => {
	const slots = createClientSlots(2);
	const inSite = (network: number) => `2001:db8:7:${network.toString(16)}::1`;
	const taken = Array.from({ length: 100 }, (_, network) => slots.take(inSite(network)));
	assert.deepEqual(
		taken,
		taken.map((_, network) => network < 8),
	);
	assert.ok(slots.take('2001:db8:8::1'), 'the next site');
	slots.free(inSite(3));
	assert.ok(slots.take(inSite(50)));
	assert.ok(!slots.take(inSite(51)));
	for (const network of [0, 1, 2, 4, 5, 6, 7, 50]) slots.free(inSite(network));
	assert.ok(slots.take(inSite(0)) && slots.take(inSite(0)) && !slots.take(inSite(0)));
});
