import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFailedChecks } from '../../../src/http/edge/failed-checks.ts';

/** How many failures are counted until the address is blocked. */
function failuresLeft(failures: ReturnType<typeof createFailedChecks>, edge: string, client: string): number {
	let count = 0;
	while (count < 1_000 && failures.count(edge, client)) count++;
	return count;
}

test('an address may fail 20 times, and then once each three seconds', () => {
	let nowMs = 5;
	const failures = createFailedChecks({ monotonicMs: () => nowMs });
	assert.equal(failures.isBlocked('gw', '192.0.2.1'), false);
	assert.equal(failuresLeft(failures, 'gw', '192.0.2.1'), 20);
	assert.equal(failures.isBlocked('gw', '192.0.2.1'), true);
	nowMs += 2_999;
	assert.equal(failuresLeft(failures, 'gw', '192.0.2.1'), 0);
	nowMs += 1;
	assert.equal(failures.isBlocked('gw', '192.0.2.1'), false);
	assert.equal(failuresLeft(failures, 'gw', '192.0.2.1'), 1);
	nowMs += 3_600_000;
	assert.equal(failuresLeft(failures, 'gw', '192.0.2.1'), 20);
});

test('an IPv6 /64 is one address, an IPv4 address in IPv6 form is itself, and no address is never blocked', () => {
	const failures = createFailedChecks({ monotonicMs: () => 0 });
	assert.equal(failuresLeft(failures, 'gw', '2001:db8::1'), 20);
	assert.equal(failures.isBlocked('gw', '2001:db8::ffff:1'), true);
	assert.equal(failures.isBlocked('gw', '2001:db8:0:1::1'), false);
	assert.equal(failuresLeft(failures, 'gw', '::ffff:192.0.2.9'), 20);
	assert.equal(failures.isBlocked('gw', '192.0.2.9'), true);
	assert.equal(failures.isBlocked('gw', '192.0.2.10'), false);
	for (const none of ['', 'unknown', 'x'.repeat(100_000)]) assert.equal(failuresLeft(failures, 'gw', none), 1_000);
});

test('the networks of an IPv6 /48 have 100 failures together, and then one each 0.6 seconds', () => {
	let nowMs = 5;
	const failures = createFailedChecks({ monotonicMs: () => nowMs });
	const inSite = (network: number) => `2001:db8:7:${network.toString(16)}::1`;
	let counted = 0;
	for (let network = 0; network < 65_536; network++) counted += failuresLeft(failures, 'gw', inSite(network));
	assert.equal(counted, 100);
	assert.equal(failures.isBlocked('gw', inSite(0xffff)), true);
	assert.equal(failures.isBlocked('other', inSite(0xffff)), false);
	assert.equal(failuresLeft(failures, 'gw', '2001:db8:8::1'), 20, 'the next site');
	nowMs += 600;
	assert.equal(failuresLeft(failures, 'gw', inSite(0xffff)), 1);
});

test('the oldest addresses are forgotten beyond the bound', () => {
	const failures = createFailedChecks({ maxAddresses: 10, monotonicMs: () => 0 });
	for (let host = 0; host < 10; host++) failuresLeft(failures, 'gw', `192.0.2.${host}`);
	assert.equal(failures.isBlocked('gw', '192.0.2.0'), true);
	failures.count('gw', '198.51.100.1');
	assert.equal(failures.isBlocked('gw', '192.0.2.0'), false);
	assert.equal(failures.isBlocked('gw', '192.0.2.1'), true);
});
