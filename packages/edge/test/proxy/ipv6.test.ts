import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { startCountingRelay } from '../support/counting-relay.ts';
import { answerTo, openRawClient } from '../support/raw-client.ts';
import { basic, KEY, startTestProxy } from '../support/running-proxy.ts';

const LIMIT_MS = 60_000;
const HEAD = `Host: x\r\nConnection: close\r\nProxy-Authorization: ${basic('alice', KEY)}\r\n\r\n`;
const hasIpv6 = Object.values(networkInterfaces())
	.flat()
	.some((one) => one?.address === '::1');
const options = { timeout: LIMIT_MS, skip: !hasIpv6 && 'this machine has no IPv6' };

/** A server that listens only on `::1`. */
async function startIpv6Origin(test: TestContext): Promise<number> {
	const origin = createServer((_request, response) => response.end('from the origin'));
	test.after(() => {
		origin.close();
		origin.closeAllConnections();
	});
	origin.listen({ port: 0, host: '::1', ipv6Only: true });
	await once(origin, 'listening');
	return (origin.address() as AddressInfo).port;
}

test(
	'clients over IPv6 reach IPv6 destinations, by address and by name, and are counted to the byte',
	options,
	async (t) => {
		const port = await startIpv6Origin(t);
		const lookUp = async (name: string) => (name === 'six.example' ? ['::1'] : []);
		const destinations = { allowPrivate: false, allowed: [{ address: '::1', port }], lookUp };
		const proxy = await startTestProxy(t, { host: '::1', destinations });
		assert.match(proxy.url, /^http:\/\/\[::1\]:\d+$/);
		const relay = await startCountingRelay(t, proxy.port, '::1');
		for (const host of ['[::1]', '[0:0:0:0:0:0:0:1]', 'six.example']) {
			assert.match(
				await answerTo(t, relay.port, `GET http://${host}:${port}/ HTTP/1.1\r\n${HEAD}`),
				/^HTTP\/1\.1 200 .*from the origin$/s,
				host,
			);
			const tunnel = openRawClient(t, relay.port);
			tunnel.write(`CONNECT ${host}:${port} HTTP/1.1\r\n${HEAD}`);
			await tunnel.until('\r\n\r\n');
			tunnel.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
			assert.match(await tunnel.closed, /from the origin$/, host);
		}
		await eventually(async () => assert.deepEqual(proxy.service.usedBy('alice'), relay.bytes), LIMIT_MS);
		assert.equal(proxy.service.checks[0]?.client, '::1');

		for (const host of [
			`[::1]:${port + 1}`,
			'[fe80::1]:80',
			'[fc00::1]:80',
			'[::ffff:127.0.0.1]:80',
			'[64:ff9b::7f00:1]:80',
		]) {
			for (const request of [`GET http://${host}/`, `CONNECT ${host}`]) {
				assert.match(await answerTo(t, relay.port, `${request} HTTP/1.1\r\n${HEAD}`), /^HTTP\/1\.1 403 /, request);
			}
		}
	},
);

test('a proxy on :: serves both families, and the service learns of IPv4 clients as such', options, async (t) => {
	const port = await startIpv6Origin(t);
	const proxy = await startTestProxy(t, { host: '::' });
	for (const [host, client] of [
		['127.0.0.1', '127.0.0.1'],
		['::1', '::1'],
	] as const) {
		const username = client === '::1' ? 'bob.b' : 'alice';
		proxy.service.keys.set(username, KEY);
		const relay = await startCountingRelay(t, proxy.port, host);
		const head = HEAD.replace(basic('alice', KEY), basic(username, KEY));
		assert.match(await answerTo(t, relay.port, `GET http://[::1]:${port}/ HTTP/1.1\r\n${head}`), /from the origin$/);
		const asked = proxy.service.checks.find((check) => check.username === username);
		assert.equal(asked?.client, client);
		await eventually(async () => assert.deepEqual(proxy.service.usedBy(username), relay.bytes), LIMIT_MS);
	}
});
