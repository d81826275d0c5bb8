import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClientSlots } from '../../src/proxy/client-slots.ts';

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
