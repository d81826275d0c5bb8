import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedSeed, randomFrom } from '@bursar/testing/random';
import { readDenied } from '../../../src/proxy/denied/read-denied.ts';

/** Which of these `HOST PORT` a list denies to all. */
const deniedBy = (text: string, asked: readonly string[]) => {
	const { ofAll } = readDenied(text);
	return asked.filter((one) => {
		const [host = '', port = '443'] = one.split(' ');
		return ofAll.denies(host, Number(port));
	});
};

test('a domain is denied with all names below it, however it is written, and no other name is', () => {
	const denied = [
		'casino.example',
		'CASINO.Example',
		'casino.example.',
		'www.casino.example',
		'a.b.c.casino.example..',
	];
	const open = ['example', 'casino.example.org', 'mycasino.example', 'casino-example', 'casino', '198.51.100.1', ''];
	for (const list of [
		'casino.example',
		'Casino.EXAMPLE.',
		'# first\r\n  casino.example  # why\r\n\r\n',
		'\uFEFFcasino.example',
	]) {
		assert.deepEqual(deniedBy(list, [...denied, ...open]), denied);
	}
	assert.deepEqual(deniedBy('casino.example\nexample', ['a.example']), ['a.example']);
	assert.deepEqual(deniedBy('onion', ['x.onion', 'onion', 'onion.example']), ['x.onion', 'onion']);
	assert.deepEqual(deniedBy('bücher.example', ['www.xn--bcher-kva.example']), ['www.xn--bcher-kva.example']);
	assert.deepEqual(deniedBy('xn--bcher-kva.example', ['XN--BCHER-KVA.example']), ['XN--BCHER-KVA.example']);
	assert.deepEqual(deniedBy('', ['a.example']), []);
});

test('an address is denied in every form, and so is each one of a network', () => {
	const list = '192.0.2.7\n198.51.100.0/24\n2001:db8::/32\n2001:db9::7\n::ffff:203.0.113.0/120\n';
	const denied = ['192.0.2.7', '::ffff:192.0.2.7', '::ffff:c000:207', '198.51.100.0', '198.51.100.255', '2001:db8::'];
	const more = ['2001:DB8:ffff:0:0:0:0:1', '2001:db9::7', '2001:db9:0:0:0:0:0:7', '203.0.113.200'];
	const open = ['192.0.2.6', '192.0.2.8', '198.51.101.0', '198.51.99.255', '2001:db7::1', '2001:db9::8', '203.0.114.1'];
	assert.deepEqual(deniedBy(list, [...denied, ...more, ...open]), [...denied, ...more]);
	assert.deepEqual(deniedBy('0.0.0.0/0', ['192.0.2.1', '2001:db8::1', 'a.example']), ['192.0.2.1']);
	assert.deepEqual(deniedBy('::/0', ['192.0.2.1', '2001:db8::1']), ['2001:db8::1']);
});

test('a port is denied of all destinations, or of a domain or network', () => {
	const list =
		'*:6881\ncasino.example:8080\n192.0.2.0/24:25\n[2001:db8::/32]:25\n[2001:db8::7]\n192.0.2.7\n192.0.2.7:80';
	const denied = ['a.example 6881', '10.0.0.1 6881', 'www.casino.example 8080', '192.0.2.9 25', '2001:db8::1 25'];
	const more = ['2001:db8::7 443', '192.0.2.7 443', '192.0.2.7 80'];
	const open = ['casino.example 443', '192.0.2.9 443', '2001:db8::1 443', '[2001:db8::1] 26'];
	assert.deepEqual(deniedBy(list, [...denied, ...more, ...open]), [...denied, ...more]);
	const both = 'a.example:1\na.example\nb.example\nb.example:1\nc.example:1\nc.example:2';
	const asked = [
		'a.example 1',
		'a.example 2',
		'b.example 1',
		'b.example 2',
		'c.example 1',
		'c.example 2',
		'c.example 3',
	];
	assert.deepEqual(deniedBy(both, asked), asked.slice(0, 6));
});

test('what follows the line of a reseller is only for that reseller', () => {
	const { ofAll, ofResellers, entries } = readDenied(
		'all.example\nreseller Acme:\na.example # theirs\nreseller other :\nb.example\nreseller acme:\nc.example:80\n',
	);
	assert.equal(entries, 7);
	assert.deepEqual([...ofResellers.keys()], ['acme', 'other']);
	const deniedOf = (rules = ofAll) =>
		['all', 'a', 'b', 'c'].filter((name) => rules.denies(`x.${name}.example`, 80)).join(' ');
	assert.deepEqual(
		[deniedOf(), deniedOf(ofResellers.get('acme')), deniedOf(ofResellers.get('other'))],
		['all', 'a c', 'b'],
	);
});

test('a wrong line is named by its number, and nothing of it is shown', () => {
	const wrong = [
		'se cret.example',
		'https://secret.example',
		'secret.example/path',
		'*.secret.example',
		'.secret.example',
		'secret..example',
		'user@secret.example',
		'secret.example?',
		'secret.example#x',
		'secret.example\\x',
		'secret%2eexample',
		'secret.example:0',
		'secret.example:65536',
		'secret.example:port',
		'secret.example:80:80',
		'*:0',
		'*',
		':80',
		'[secret.example]:80',
		'[2001:db8::]/32',
		'2001:db8::/129',
		'192.0.2.0/33',
		'192.0.2.7/',
		'192.0.2',
		'0x7f.1',
		'1.2.3.4.5',
		`${'a'.repeat(64)}.example`,
		`${'a.'.repeat(127)}example`,
		'reseller secret',
		'reseller :',
		'reseller a:',
		'reseller two names:',
	];
	for (const line of wrong) {
		assert.throws(
			() => readDenied(`# a comment\ngood.example\n\n${line}\n`),
			(cause: Error) => /^line 4: /.test(cause.message) && !/secret/.test(cause.message),
			line,
		);
	}
	assert.throws(() => readDenied('a.example\n'.repeat(500_001)), /more than 500000 entries/);
});

test('a long list denies what a search line by line finds', (t) => {
	const { below: pick } = randomFrom(printedSeed(t));
	const network = () => `${10 + pick(3)}.${pick(4)}.${pick(4)}.${pick(256)}/${8 + pick(25)}`;
	const networks = Array.from({ length: 300 }, network);
	const names = Array.from({ length: 300 }, () => Array.from({ length: 1 + pick(3) }, () => 'abc'[pick(3)]).join('.'));
	const { ofAll } = readDenied([...networks, ...names].join('\n'));
	const bitsOf = (address: string) =>
		address
			.split('.')
			.map((part) => Number(part).toString(2).padStart(8, '0'))
			.join('');
	for (let round = 0; round < 2_000; round++) {
		const address = `${9 + pick(5)}.${pick(6)}.${pick(6)}.${pick(256)}`;
		const isIn = networks.some((one) => {
			const [first = '', bits] = one.split('/');
			return bitsOf(first).slice(0, Number(bits)) === bitsOf(address).slice(0, Number(bits));
		});
		assert.equal(ofAll.denies(address, 80), isIn, address);
		const name = Array.from({ length: 1 + pick(5) }, () => 'abcd'[pick(4)]).join('.');
		assert.equal(
			ofAll.denies(name, 80),
			names.some((one) => name === one || name.endsWith(`.${one}`)),
			name,
		);
	}
});
