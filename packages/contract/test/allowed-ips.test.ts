import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
	createAllowedLists,
	isAllowedAddress,
	normalizeAllowedIp,
	normalizeAllowedIps,
} from '@bursar/contract/allowed-ips';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';

test('addresses and networks have one form', () => {
	const forms = {
		'192.0.2.7': '192.0.2.7',
		'192.0.2.7/32': '192.0.2.7',
		'192.0.2.7/24': '192.0.2.0/24',
		'192.0.2.7/0': '0.0.0.0/0',
		'192.0.2.255/25': '192.0.2.128/25',
		'2001:DB8::0:7': '2001:db8::7',
		'2001:db8:ffff::/33': '2001:db8:8000::/33',
		'2001:db8::7/128': '2001:db8::7',
		'::/0': '::/0',
		'::ffff:192.0.2.7': '192.0.2.7',
		'::ffff:192.0.2.7/120': '192.0.2.0/24',
		'64:ff9b::192.0.2.7': '64:ff9b::c000:207',
	};
	for (const [text, form] of Object.entries(forms)) assert.equal(normalizeAllowedIp(text), form, text);
});

test('what is no address is refused', () => {
	const wrong = [
		...['', ' ', '192.0.2', '192.0.2.7.1', '192.0.2.256', '192.0.2.07', '0x7f.0.0.1', '3221225991', '192.0.2.7 '],
		...['192.0.2.7/', '192.0.2.7/33', '192.0.2.7/-1', '192.0.2.7/024', '192.0.2.7/24/24', '192.0.2.7/a', '/24'],
		...['2001:db8::/129', 'fe80::1%eth0', '1::2::3', '::ffff:192.0.2.7/90', 'localhost', '192.0.2.7\n', '[::1]'],
		...['::ffff:010.0.0.1', '::ffff:0x7f.0.0.1', '::ffff:192.0.2', '64:ff9b::192.0.2.07', '::192.0.2.7'],
	];
	for (const text of wrong) assert.equal(normalizeAllowedIp(text), undefined, JSON.stringify(text));
});

test('a list has 1 to 32 of them, each once', () => {
	assert.deepEqual(normalizeAllowedIps(['192.0.2.7', '192.0.2.7/32', '::1']), ['192.0.2.7', '::1']);
	assert.equal(normalizeAllowedIps([]), undefined);
	assert.equal(normalizeAllowedIps(['192.0.2.7', 'nowhere']), undefined);
	const many = Array.from({ length: 33 }, (_, n) => `192.0.2.${n}`);
	assert.equal(normalizeAllowedIps(many), undefined);
	assert.equal(normalizeAllowedIps(many.slice(1))?.length, 32);
});

test('an address is allowed if it is in one of the networks', () => {
	const networks = ['192.0.2.0/25', '2001:db8::/32', '198.51.100.7'];
	for (const text of ['192.0.2.0', '192.0.2.127', '::ffff:192.0.2.5', '2001:db8:1::', '198.51.100.7']) {
		assert.equal(isAllowedAddress(networks, text), true, text);
	}
	for (const text of ['192.0.2.128', '192.0.3.0', '2001:db9::', '198.51.100.6', '', 'nowhere']) {
		assert.equal(isAllowedAddress(networks, text), false, text);
	}
	assert.equal(isAllowedAddress(['0.0.0.0/0'], '::1'), false);
	assert.equal(isAllowedAddress([], '192.0.2.7'), false);
});

test('the form of a network has the same addresses as the text, and is its own form', (t) => {
	const bits = fc.integer({ min: 0, max: 32 });
	const address = fc.integer({ min: 0, max: 2 ** 32 - 1 });
	const written = (n: number) => [24, 16, 8, 0].map((shift) => (n >>> shift) & 255).join('.');
	const isIn = (n: number, network: number, length: number) =>
		length === 0 || n >>> (32 - length) === network >>> (32 - length);
	const property = fc.property(address, bits, address, fc.boolean(), (network, length, other, isNear) => {
		const tried = isNear ? (network ^ (other >>> (length % 32))) >>> 0 : other;
		const form = normalizeAllowedIp(`${written(network)}/${length}`) ?? assert.fail();
		assert.equal(normalizeAllowedIp(form), form);
		assert.equal(isAllowedAddress([form], written(tried)), isIn(tried, network, length));
	});
	fc.assert(property, { seed: printedSeed(t), numRuns: 2_000 });
});

test('no text makes it throw', (t) => {
	const text = fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.ipV4Extended(), fc.string({ unit: 'binary' }));
	fc.assert(
		fc.property(text, text, (a, b) => {
			const form = normalizeAllowedIp(`${a}/${b}`) ?? normalizeAllowedIp(a);
			if (form !== undefined) assert.equal(normalizeAllowedIp(form), form);
			isAllowedAddress([a, form ?? b], b);
		}),
		{ seed: printedSeed(t), numRuns: 2_000 },
	);
});

test('lists are looked into right, also those that are read again', () => {
	const isAllowed = createAllowedLists(2);
	for (let round = 0; round < 2; round++) {
		for (let n = 1; n < 5; n++) {
			const list = `192.0.2.${n},2001:db8::${n}`;
			const seen = [1, 2, 3, 4].map((each) => isAllowed(list, `2001:db8::${each}`));
			assert.deepEqual(seen, [n === 1, n === 2, n === 3, n === 4]);
		}
	}
});
