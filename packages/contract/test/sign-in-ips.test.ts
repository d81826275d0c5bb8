import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
	isNetworkKey,
	keyRange,
	normalizeSignInIp,
	normalizeSignInIps,
	signInIp,
	signInKey,
	signInKeysOf,
} from '@bursar/contract/sign-in-ips';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';

test('addresses and networks /64 have one form, private ones too', () => {
	const forms = {
		'192.0.2.7': '192.0.2.7',
		'192.0.2.7/32': '192.0.2.7',
		'::ffff:192.0.2.7': '192.0.2.7',
		'10.0.0.1': '10.0.0.1',
		'100.64.0.1': '100.64.0.1',
		'2001:DB8::0:7': '2001:db8::7',
		'2001:db8::7/128': '2001:db8::7',
		'2001:db8:0:1::7/64': '2001:db8:0:1::/64',
		'fd00::1': 'fd00::1',
	};
	for (const [text, form] of Object.entries(forms)) assert.equal(normalizeSignInIp(text), form, text);
});

test('other networks, and addresses of no one client, are refused', () => {
	const wrong = [
		...['', 'nowhere', '192.0.2.0/24', '192.0.2.7/64', '0.0.0.0/0', '2001:db8::/63', '2001:db8::/65', '::/0', '::/64'],
		...['127.0.0.1', '127.9.9.9', '::ffff:127.0.0.1', '::1', '0.0.0.0', '0.1.2.3', '::', '255.255.255.255'],
		...['224.0.0.1', 'ff02::1', 'ff02::/64', '169.254.169.254', 'fe80::1', 'fe80::/64', 'fe80::1%eth0'],
	];
	for (const text of wrong) assert.equal(normalizeSignInIp(text), undefined, JSON.stringify(text));
});

test('a list has up to 16 of them, each once, and none in a network of the list', () => {
	assert.deepEqual(normalizeSignInIps([]), []);
	assert.deepEqual(normalizeSignInIps(['192.0.2.7', '::ffff:192.0.2.7']), ['192.0.2.7']);
	assert.deepEqual(normalizeSignInIps(['2001:db8::7', '192.0.2.7', '2001:db8::9/64', '2001:db8:0:1::7']), [
		...['192.0.2.7', '2001:db8::/64', '2001:db8:0:1::7'],
	]);
	assert.equal(normalizeSignInIps(['192.0.2.7', 'nowhere']), undefined);
	const many = Array.from({ length: 17 }, (_, n) => `192.0.2.${n}`);
	assert.equal(normalizeSignInIps(many), undefined);
	assert.equal(normalizeSignInIps(many.slice(1))?.length, 16);
});

test('a client signs in under its address and its /64, whatever form its address has', () => {
	assert.deepEqual(signInKeysOf('192.0.2.7'), ['192.0.2.7']);
	assert.deepEqual(signInKeysOf('::ffff:192.0.2.7'), ['192.0.2.7']);
	for (const text of ['2001:db8::7', '2001:DB8:0:0::0007', '2001:0db8:0000:0000:0000:0000:0000:0007']) {
		assert.deepEqual(signInKeysOf(text), [signInKey('2001:db8::7'), signInKey('2001:db8::/64')], text);
	}
	for (const text of ['', 'nowhere', '010.0.0.1', 'fe80::1%eth0']) assert.deepEqual(signInKeysOf(text), [], text);
});

test('the keys in the range of a network are its own and those of its addresses', (t) => {
	const group = fc.integer({ min: 0, max: 0xffff }).map((n) => n.toString(16));
	const network = fc.array(group, { minLength: 4, maxLength: 4 }).map((groups) => groups.join(':'));
	const property = fc.property(network, network, fc.ipV4(), network, (one, other, ipv4, end) => {
		const ofNetwork = signInKey(`${one}::/64`);
		const { from, before } = keyRange(ofNetwork);
		const isIn = (key: string) => key >= from && key < before;
		assert.ok(isNetworkKey(ofNetwork) && isIn(ofNetwork));
		for (const each of [one, other]) {
			const key = signInKey(`${each}:${end}`);
			assert.equal(isIn(key), each === one);
			assert.equal(signInKey(signInIp(key)), key);
			assert.deepEqual(signInKeysOf(`${each}:${end}`), [key, signInKey(`${each}::/64`)]);
		}
		assert.ok(!isIn(ipv4) && signInKey(ipv4) === ipv4);
	});
	fc.assert(property, { seed: printedSeed(t), numRuns: 500 });
});
