import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClientPlaces } from '../../src/proxy/client-places.ts';

test('each client has its own places: an IPv4 address, or a /64 of IPv6', () => {
	const places = createClientPlaces(2);
	for (const [first, second, third, other] of [
		['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1', '192.0.2.2'],
		['2001:db8::1', '2001:db8:0:0:ffff::2', '2001:db8::3', '2001:db8:0:1::1'],
	] as const) {
		assert.ok(places.take(first));
		assert.ok(places.take(second));
		assert.ok(!places.take(third));
		assert.ok(places.take(other));
		places.free(second);
		assert.ok(places.take(third));
		assert.ok(!places.take(first));
	}
});
