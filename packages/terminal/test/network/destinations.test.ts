import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDestinationPolicy, createOwnAddresses } from '../../src/network/destinations.ts';

test('a name is looked up once, and only its public addresses are used', async () => {
	const names: Record<string, readonly string[]> = {
		'mixed.example': ['10.0.0.1', '192.0.78.1', '::1', '2606:4700::1'],
		'private.example': ['10.0.0.1', '127.0.0.1'],
		'own.example': ['203.0.112.9'],
		'nothing.example': [],
	};
	const asked: string[] = [];
	const policy = createDestinationPolicy({
		allowPrivate: false,
		allowed: [
			{ address: '::ffff:10.0.0.1', port: 8080 },
			{ address: '0:0:0:0:0:0:0:1', port: 8080 },
		],
		ownAddresses: () => new Set(['203.0.112.9']),
		async lookUp(name) {
			asked.push(name);
			return names[name] ?? Promise.reject(new Error('no such name'));
		},
	});
	assert.deepEqual(await policy.resolve('mixed.example', 80), [
		{ address: '192.0.78.1', family: 4 },
		{ address: '2606:4700::1', family: 6 },
	]);
	assert.equal(await policy.resolve('private.example', 80), 'refused');
	assert.equal(await policy.resolve('own.example', 80), 'refused');
	assert.equal(await policy.resolve('nothing.example', 80), 'unresolvable');
	assert.equal(await policy.resolve('unknown.example', 80), 'unresolvable');
	assert.deepEqual(await policy.resolve('private.example', 8080), [{ address: '10.0.0.1', family: 4 }]);
	assert.deepEqual(await policy.resolve('[::1]', 8080), [{ address: '::1', family: 6 }]);
	assert.equal(asked.length, 6);
	assert.equal(policy.mayAskUpstream('private.example', 80), true);
	assert.equal(policy.mayAskUpstream('127.0.0.1', 80), false);
	assert.equal(policy.mayAskUpstream('localhost', 80), false);
});

test('while the addresses of this machine cannot be read, no destination is let through', async () => {
	let nowMs = 0;
	let fault: Error | undefined = new Error('uv_interface_addresses failed');
	const ownAddresses = createOwnAddresses(
		() => {
			if (fault) throw fault;
			return ['203.0.112.9'];
		},
		() => nowMs,
	);
	assert.throws(() => createDestinationPolicy({ allowPrivate: false, ownAddresses }), fault);
	assert.throws(() => createDestinationPolicy({ allowPrivate: false, ownAddresses }), fault);
	fault = undefined;
	const policy = createDestinationPolicy({ allowPrivate: false, ownAddresses });
	assert.equal(await policy.resolve('203.0.112.9', 443), 'refused');
	fault = new Error('uv_interface_addresses failed');
	nowMs += 10_001;
	for (const host of ['203.0.112.9', '203.0.112.9', '1.1.1.1']) {
		await assert.rejects(policy.resolve(host, 443), fault);
		assert.throws(() => policy.mayAskUpstream(host, 443), fault);
	}
	fault = undefined;
	assert.equal(await policy.resolve('203.0.112.9', 443), 'refused');
	assert.deepEqual(await policy.resolve('1.1.1.1', 443), [{ address: '1.1.1.1', family: 4 }]);
});

test('addresses that are routed to this machine are refused like its own', async () => {
	const policy = createDestinationPolicy({
		allowPrivate: false,
		allowed: [{ address: '2606:4700::9', port: 80 }],
		isRoutedHere: (address) => /^(?:203\.0\.112\.|2606:4700::|2606:4700:0:0:)/.test(address),
		lookUp: async () => ['203.0.112.9', '203.0.113.9', '2606:4700::1', '1.1.1.1'],
	});
	assert.equal(await policy.resolve('203.0.112.255', 443), 'refused');
	assert.equal(await policy.resolve('2606:4700:0:0:ffff::', 443), 'refused');
	assert.deepEqual(await policy.resolve('name.example', 443), [{ address: '1.1.1.1', family: 4 }]);
	assert.deepEqual(await policy.resolve('2606:4700::9', 80), [{ address: '2606:4700::9', family: 6 }]);
	assert.equal(policy.mayAskUpstream('203.0.112.9', 443), false);
	assert.equal(policy.mayAskUpstream('2606:4700:0:1::', 443), true);
});

test('an upstream is asked only for addresses and usual names', () => {
	const policy = createDestinationPolicy({ allowPrivate: false });
	for (const host of ['origin.example', 'ORIGIN.example.', '1.a_b.xn--p1ai', 'x', '1.1.1.1', '[2606:4700::1]']) {
		assert.ok(policy.mayAskUpstream(host, 443), host);
	}
	for (const host of [
		...['127.1', '0x7f.1', '0177.0.0.1', '2130706433', '0', '0x7f000001', '127.0.0.1.', '127.0.0.1..', '1.2.3.0x4'],
		...[
			'',
			'.',
			'a..example',
			'a.example\0',
			'%31%32%37.1',
			'127。0。0。1',
			'１２７.1',
			'a b',
			'a/b',
			'a@b',
			'[::1',
			'::1',
		],
		...[
			'localhost',
			'a.localhost.',
			'localhost.localdomain',
			'ip6-localhost',
			`${'a.'.repeat(200)}example`,
			`${'a'.repeat(64)}.example`,
		],
	]) {
		assert.ok(!policy.mayAskUpstream(host, 443), host);
	}
});
