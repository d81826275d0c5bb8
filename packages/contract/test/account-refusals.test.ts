import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientNetwork } from '../src/account-refusals.ts';

test('a client is told by its /24 or its /48, and a wider network by nothing', () => {
	const networks: readonly (readonly [text: string, network: string | undefined])[] = [
		['192.0.2.7', '192.0.2.0/24'],
		['::ffff:192.0.2.7', '192.0.2.0/24'],
		['192.0.2.7/32', '192.0.2.0/24'],
		['192.0.2.0/24', '192.0.2.0/24'],
		['192.0.0.0/16', undefined],
		['2001:DB8:1:2:3::7', '2001:db8:1::/48'],
		['2001:db8:1::/48', '2001:db8:1::/48'],
		['2001:db8::/32', undefined],
		...['', '-', 'example.com', '192.0.2', 'fe80::1%eth0', '192.0.2.7/24/24'].map((text) => [text, undefined] as const),
	];
	for (const [text, network] of networks) assert.equal(clientNetwork(text), network, text);
});
