import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClientAddresses } from '../../../src/http/server/client-address.ts';

function addressOf(trusted: readonly string[], remoteAddress: string | undefined, forwardedFor?: string) {
	const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
	const request = { headers, socket: { remoteAddress } } as unknown as IncomingMessage;
	return createClientAddresses(trusted)(request);
}

test('without trusted proxies, the address is that of the connection', () => {
	for (const forwarded of [undefined, '198.51.100.7', '127.0.0.1, 198.51.100.7', 'x'.repeat(10_000)]) {
		assert.equal(addressOf([], '192.0.2.1', forwarded).text, '192.0.2.1');
		assert.equal(addressOf(['10.0.0.0/8'], '192.0.2.1', forwarded).text, '192.0.2.1');
	}
});

test('the client is the last address that no trusted proxy has', () => {
	const trusted = ['10.0.0.0/8', 'fd00::/8', '203.0.113.9'];
	for (const [remote, forwarded, client] of [
		['10.0.0.1', '198.51.100.7', '198.51.100.7'],
		['10.0.0.1', '6.6.6.6, 198.51.100.7', '198.51.100.7'],
		['10.0.0.1', '6.6.6.6, 198.51.100.7, 203.0.113.9, 10.2.3.4', '198.51.100.7'],
		['fd00::1', '2001:db8::7', '2001:db8::7'],
		['::ffff:10.0.0.1', '198.51.100.7', '198.51.100.7'],
		['10.0.0.1', undefined, '10.0.0.1'],
		['10.0.0.1', '', '10.0.0.1'],
		['10.0.0.1', 'unknown', '10.0.0.1'],
		['10.0.0.1', '198.51.100.7, <script>', '10.0.0.1'],
		['10.0.0.1', '10.0.0.2', '10.0.0.2'],
		['203.0.113.10', '198.51.100.7', '203.0.113.10'],
		['10.0.0.1', '6.6.6.6, 198.51.100.7:4711', '198.51.100.7'],
		['10.0.0.1', '198.51.100.7, 10.0.0.2:4711', '198.51.100.7'],
		['10.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
		['10.0.0.1', '198.51.100.7, [fd00::2]', '198.51.100.7'],
		['10.0.0.1', '2001:db8::7:80', '2001:db8::7:80'],
	] as const) {
		assert.equal(addressOf(trusted, remote, forwarded).text, client, `${remote} ${forwarded}`);
	}
});

test('if a trusted proxy wrote no address, what stands before it does not count', () => {
	for (const written of [
		'',
		'unknown',
		'_hidden',
		'for=198.51.100.7',
		'"198.51.100.7"',
		'198.51.100.7:',
		'198.51.100.7:123456',
		'[198.51.100.7',
		'2001:db8::7]:80',
		'[]:80',
		':80',
	]) {
		assert.equal(addressOf(['10.0.0.0/8'], '10.0.0.1', `6.6.6.6, ${written}`).text, '10.0.0.1', written);
		assert.equal(addressOf(['10.0.0.0/8'], '10.0.0.1', `6.6.6.6, ${written}, 10.0.0.2`).text, '10.0.0.2', written);
	}
	assert.equal(addressOf(['10.0.0.0/8'], '10.0.0.1', ','.repeat(16_000)).text, '10.0.0.1');
});

test('addresses are written in one form, and IPv6 counts by its network and its site', () => {
	for (const [remote, text, network, site] of [
		['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.1'],
		['::ffff:192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.1'],
		['2001:DB8:0:1:0:0:0:7', '2001:db8:0:1::7', '2001:db8:0:1::/64', '2001:db8::/48'],
		['2001:db8:5:1:ffff:ffff:ffff:ffff', '2001:db8:5:1:ffff:ffff:ffff:ffff', '2001:db8:5:1::/64', '2001:db8:5::/48'],
		['fe80::1%eth0', 'fe80::1', 'fe80::/64', 'fe80::/48'],
		['::1', '::1', '::/64', '::/48'],
		[undefined, 'unknown', 'unknown', 'unknown'],
	] as const) {
		assert.deepEqual(addressOf([], remote), { text, network, site });
	}
});

test('the example for HAProxy names the client on every request, whatever the client said', () => {
	const example = readFileSync(join(import.meta.dirname, '../../../../../docs/examples/haproxy.cfg'), 'utf8');
	const naming = example.split('\n').filter((line) => /x-forwarded-for|forwardfor/i.test(line) && !/^\s*#/.test(line));
	assert.deepEqual(naming, ['\thttp-request set-header X-Forwarded-For %[src]']);
});
