import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ProxyHeader, readProxyHeader } from '../../../src/proxy/client/proxy-header.ts';
import { headerFor, headerOf, LOCAL_HEADER } from '../../support/proxy-headers.ts';

const IPV4 = headerFor('198.51.100.7');
const rest = (bytes: number) => Buffer.alloc(bytes, 7);
const changed = (bytes: Buffer, index: number, value: number) => Buffer.from(bytes).fill(value, index, index + 1);
const REQUEST = 'GET / HTTP/1.1\r\n';

const GOOD: Readonly<Record<string, [Buffer, ProxyHeader]>> = {
	'of a client over IPv4': [IPV4, { length: 28, client: '198.51.100.7' }],
	'of a client over IPv6': [headerFor('2001:db8::7'), { length: 52, client: '2001:db8::7' }],
	'of IPv4 in IPv6': [headerFor('::ffff:198.51.100.7'), { length: 52, client: '198.51.100.7' }],
	'with fields': [headerFor('198.51.100.7', rest(300)), { length: 328, client: '198.51.100.7' }],
	'of the greatest length': [headerFor('198.51.100.7', rest(508)), { length: 536, client: '198.51.100.7' }],
	LOCAL: [LOCAL_HEADER, { length: 16, client: undefined }],
	'LOCAL with addresses': [changed(IPV4, 12, 0x20), { length: 28, client: undefined }],
	'LOCAL of an unknown family': [
		headerOf({ command: 0x20, family: 0x77, rest: rest(3) }),
		{ length: 19, client: undefined },
	],
	'without a family': [headerOf({ family: 0, rest: rest(0) }), { length: 16, client: undefined }],
	'without a family, with fields': [headerOf({ family: 0, rest: rest(9) }), { length: 25, client: undefined }],
};

const BAD: Readonly<Record<string, Buffer>> = {
	'a request': Buffer.from(REQUEST),
	'the first byte of TLS': Buffer.of(0x16),
	'the first byte of SOCKS': Buffer.of(5),
	'version 1': Buffer.from('PROXY TCP4 198.51.100.7 192.0.2.1 49152 3128\r\n'),
	'a wrong signature': changed(IPV4, 11, 0x0b),
	'a wrong signature that is not whole': Buffer.from('\r\n\r\n\r\n'),
	'version 3': changed(IPV4, 12, 0x31),
	'version 1 in the form of version 2': changed(IPV4, 12, 0x11),
	'an unknown command': changed(IPV4, 12, 0x22),
	UDP: changed(IPV4, 13, 0x12),
	'a Unix socket': headerOf({ family: 0x31, rest: rest(216) }),
	'a family without a protocol': changed(IPV4, 13, 0x10),
	'an unknown family': changed(IPV4, 13, 0x41),
	'too short for IPv4': headerOf({ family: 0x11, rest: rest(11) }),
	'too short for IPv6': headerOf({ family: 0x21, rest: rest(12) }),
	'no addresses': headerOf({ family: 0x11, rest: rest(0) }),
	'one byte too long': headerFor('198.51.100.7', rest(509)),
	'LOCAL, one byte too long': headerOf({ command: 0x20, family: 0, rest: rest(521) }),
	'a length without end': headerOf({ family: 0x11, rest: rest(12), said: 0xffff }),
};

for (const [name, [bytes, header]] of Object.entries(GOOD)) {
	test(`a header ${name} is read, wherever it is divided, and whatever follows`, () => {
		assert.deepEqual(readProxyHeader(bytes), header);
		assert.deepEqual(readProxyHeader(Buffer.concat([bytes, Buffer.from(REQUEST)])), header);
		assert.deepEqual(readProxyHeader(Buffer.concat([bytes, IPV4])), header);
		for (let part = 0; part < bytes.length; part++) {
			assert.equal(readProxyHeader(bytes.subarray(0, part)), 'incomplete', `${part} bytes`);
		}
	});
}

for (const [name, bytes] of Object.entries(BAD)) {
	test(`no header: ${name}`, () => {
		assert.equal(readProxyHeader(bytes), 'invalid');
		assert.equal(readProxyHeader(bytes.subarray(0, 16)), 'invalid', 'its first part says so');
	});
}
