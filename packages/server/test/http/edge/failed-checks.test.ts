import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFailedChecks } from '../../../src/http/edge/failed-checks.ts';

type FailedChecks = ReturnType<typeof createFailedChecks>;

/** How many failures are counted until the name is blocked at the address. */
function failuresLeft(failures: FailedChecks, client: string, username = 'alice'): number {
	let count = 0;
	while (count < 1_000 && failures.count('gw', client, username)) count++;
	return count;
}

/** The same with another name each time. */
function namesLeft(failures: FailedChecks, clientOf: (index: number) => string): number {
	let count = 0;
	while (count < 1_000 && failures.count('gw', clientOf(count), `user${count}`)) count++;
	return count;
}

test('a name may fail 20 times from an address, and then once each three seconds', () => {
	let nowMs = 5;
	const failures = createFailedChecks({ monotonicMs: () => nowMs });
	assert.equal(failures.isBlocked('gw', '192.0.2.1', 'alice'), false);
	assert.equal(failuresLeft(failures, '192.0.2.1'), 20);
	assert.equal(failures.isBlocked('gw', '192.0.2.1', 'alice'), true);
	assert.equal(failures.isBlocked('gw', '192.0.2.1', 'bob.b'), false, 'who shares the address');
	assert.equal(failures.isBlocked('gw', '192.0.2.2', 'alice'), false);
	assert.equal(failures.isBlocked('other', '192.0.2.1', 'alice'), false);
	nowMs += 2_999;
	assert.equal(failuresLeft(failures, '192.0.2.1'), 0);
	nowMs += 1;
	assert.equal(failures.isBlocked('gw', '192.0.2.1', 'alice'), false);
	assert.equal(failuresLeft(failures, '192.0.2.1'), 1);
	nowMs += 3_600_000;
	assert.equal(failuresLeft(failures, '192.0.2.1'), 20);
});

test('an IPv6 /64 is one address, an IPv4 address in IPv6 form is itself, and no address is never blocked', () => {
	const failures = createFailedChecks({ monotonicMs: () => 0 });
	assert.equal(failuresLeft(failures, '2001:db8::1'), 20);
	assert.equal(failures.isBlocked('gw', '2001:db8::ffff:1', 'alice'), true);
	assert.equal(failures.isBlocked('gw', '2001:db8:0:1::1', 'alice'), false);
	assert.equal(failuresLeft(failures, '::ffff:192.0.2.9'), 20);
	assert.equal(failures.isBlocked('gw', '192.0.2.9', 'alice'), true);
	assert.equal(failures.isBlocked('gw', '192.0.2.10', 'alice'), false);
	for (const none of ['', 'unknown', 'x'.repeat(100_000)]) assert.equal(failuresLeft(failures, none), 1_000);
});

test('all names from an IPv4 address, or from an IPv6 /48, have 100 failures together, and then one each 0.6 seconds', () => {
	let nowMs = 5;
	const failures = createFailedChecks({ monotonicMs: () => nowMs });
	const inSite = (network: number) => `2001:db8:7:${network.toString(16)}::1`;
	for (const clientOf of [inSite, () => '192.0.2.1']) {
		const last = clientOf(0xffff);
		assert.equal(namesLeft(failures, clientOf), 100);
		assert.equal(failures.isBlocked('gw', last, 'another'), true);
		assert.equal(failures.isBlocked('other', last, 'another'), false);
		nowMs += 600;
		assert.equal(failuresLeft(failures, last), 1);
	}
	assert.equal(failuresLeft(failures, '2001:db8:8::1'), 20, 'the next site');
});

test('the oldest counts are forgotten beyond the bound', () => {
	const failures = createFailedChecks({ maxCounts: 10, monotonicMs: () => 0 });
	for (let host = 0; host < 5; host++) failuresLeft(failures, `192.0.2.${host}`);
	assert.equal(failures.isBlocked('gw', '192.0.2.0', 'alice'), true);
	failures.count('gw', '198.51.100.1', 'alice');
	assert.equal(failures.isBlocked('gw', '192.0.2.0', 'alice'), false);
	assert.equal(failures.isBlocked('gw', '192.0.2.1', 'alice'), true);
});
