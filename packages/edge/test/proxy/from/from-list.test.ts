import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressIn, holdsAddress, type ListedAddress, readFromList } from '../../../src/proxy/from/from-list.ts';

const only = (text: string) => readFromList(text)[0] as ListedAddress;

test('a list has addresses and networks of both families, in one form', () => {
	const texts = readFromList('192.0.2.7, 198.51.100.9/24,2001:DB8:0::1/64,2001:db8::7,::ffff:192.0.2.8').map(
		({ family, text }) => `${family} ${text}`,
	);
	assert.deepEqual(texts, ['4 192.0.2.7', '4 198.51.100.0/24', '6 2001:db8::/64', '6 2001:db8::7', '4 192.0.2.8']);
	assert.equal(readFromList(Array(256).fill('192.0.2.7').join()).length, 256);
});

test('a list that cannot be used names the entry, and shows nothing of it', () => {
	const wrong = [
		'',
		'host.example',
		'192.0.2',
		'192.0.2.0/33',
		'0.0.0.0',
		'0.0.0.0/0',
		'::',
		'10.0.0.0/7',
		'224.0.0.1',
	];
	for (const entry of [
		...wrong,
		'255.255.255.255',
		'ff02::1',
		'fe80::1',
		'fe80::1%eth0',
		'[2001:db8::1]',
		'2000::/3',
	]) {
		assert.throws(
			() => readFromList(`192.0.2.7,${entry}`),
			/^Error: entry 2 must be an address, or a network of at least 8 bits$/,
			entry,
		);
	}
	assert.throws(() => readFromList(Array(257).fill('192.0.2.7').join()), /more than 256/);
});

test('out of a network, each address is drawn that a connection can leave from, and no other', () => {
	const all = (text: string) => Array.from({ length: 16 }, (_, index) => addressIn(only(text), BigInt(index)));
	for (const [network, addresses] of [
		['192.0.2.7', ['192.0.2.7']],
		['192.0.2.6/31', ['192.0.2.6', '192.0.2.7']],
		['192.0.2.8/30', ['192.0.2.9', '192.0.2.10']],
		['192.0.2.0/29', ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5', '192.0.2.6']],
		['2001:db8::/127', ['2001:db8::', '2001:db8::1']],
		['2001:db8::/126', ['2001:db8::1', '2001:db8::2', '2001:db8::3']],
	] as const) {
		assert.deepEqual([...new Set(all(network))], addresses);
		for (const address of all(network)) assert.ok(holdsAddress(only(network), address));
	}
	assert.equal(addressIn(only('2001:db8::/32'), 2n ** 96n - 2n), '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff');
	assert.equal(addressIn(only('2001:db8:1:2::/64'), 2n ** 127n + 0xabcn), '2001:db8:1:2:8000::abd');
	for (const [network, address] of [
		['192.0.2.0/29', '192.0.2.0'],
		['192.0.2.0/29', '192.0.2.7'],
		['192.0.2.0/29', '192.0.2.9'],
		['192.0.2.0/29', '2001:db8::1'],
		['2001:db8::/64', '2001:db8:0:1::1'],
		['2001:db8::/64', '192.0.2.1'],
	] as const) {
		assert.equal(holdsAddress(only(network), address), false, `${network} ${address}`);
	}
});
