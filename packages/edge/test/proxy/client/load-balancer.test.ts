import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createSecureContext } from 'node:tls';
import { createLogger } from '@bursar/terminal/logger';
import { eventually } from '@bursar/testing/eventually';
import type { ProxyOptions } from '../../../src/proxy/proxy.ts';
import { KEY_FILE, pemFile } from '../../support/certificates.ts';
import { headerFor, headerOf, LOCAL_HEADER } from '../../support/proxy-headers.ts';
import { answerTo, openRawClient, rawClientOn } from '../../support/raw-client.ts';
import { basic, KEY, startEcho, startTestProxy } from '../../support/running-proxy.ts';
import { SOCKS_OPENED, socksRequest } from '../../support/socks-messages.ts';
import { openTlsClient } from '../../support/tls-client.ts';

const LIMIT_MS = 60_000;
const CLIENT = '198.51.100.7';
const OTHER = '2001:db8::7';

/** A proxy behind a load balancer on this machine, and an echo behind the proxy. */
async function setUp(test: TestContext, options: Partial<ProxyOptions> = {}) {
	let text = '';
	const logger = createLogger('info', {
		write(line) {
			text += line;
		},
	});
	const proxy = await startTestProxy(test, { logger, loadBalancers: ['127.0.0.0/8'], ...options });
	const echo = await startEcho(test);
	const request = `CONNECT 127.0.0.1:${echo} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basic('alice', KEY)}\r\n\r\n`;
	return {
		proxy,
		echo,
		request,
		/** The lines of this kind in the log. */
		lines: (kind: string) =>
			text
				.split('\n')
				.filter((line) => line.includes(`"msg":"${kind}"`))
				.map((line) => JSON.parse(line)),
		/** A tunnel of the client of this header. */
		async open(header: Buffer) {
			const client = openRawClient(test, proxy.port);
			client.write(Buffer.concat([header, Buffer.from(request)]));
			const answer = await client.until('\r\n\r\n');
			return { client, status: Number(answer.split(' ')[1]), reason: /X-Bursar-Reason: (\w+)/.exec(answer)?.[1] };
		},
	};
}

test('the address in the header is that of the client: for checks, in the log, for its connections', async (t) => {
	const { proxy, open, lines } = await setUp(t, { maxConnectionsPerClient: 1 });
	for (const address of [CLIENT, OTHER]) {
		const { client, status } = await open(headerFor(address));
		assert.equal(status, 200);
		const { status: second, reason } = await open(headerFor(address));
		assert.deepEqual([second, reason], [429, 'too_many_of_client']);
		client.socket.destroy();
		await eventually(async () => assert.equal(lines('connection').at(-1)?.client, address), LIMIT_MS);
	}
	// The pair is remembered, so the second client costs no check.
	assert.equal(proxy.service.checks[0]?.client, CLIENT);
	assert.deepEqual(
		lines('refused').map(({ client }) => client),
		[CLIENT, OTHER],
	);
});

test('an account that is allowed from one address works from there only', async (t) => {
	const { proxy, open } = await setUp(t);
	proxy.service.limits.set('alice', { allowed_ips: [`${CLIENT}/32`] });
	assert.equal((await open(headerFor(CLIENT))).status, 200);
	const { status, reason } = await open(headerFor(OTHER));
	assert.deepEqual([status, reason], [403, 'address_not_allowed']);
	assert.equal((await open(LOCAL_HEADER)).status, 403, 'the load balancer itself has its own address');
});

test('a load balancer that says nothing about a client has its own address', async (t) => {
	const { proxy, open } = await setUp(t);
	assert.equal((await open(LOCAL_HEADER)).status, 200);
	assert.equal((await open(headerOf({ family: 0, rest: Buffer.alloc(20) }))).status, 200);
	assert.deepEqual(new Set(proxy.service.checks.map(({ client }) => client)), new Set(['127.0.0.1']));
});

test('the header may come in parts, and no account pays for its bytes', async (t) => {
	const { proxy, request } = await setUp(t);
	const header = headerFor(CLIENT, Buffer.alloc(508, 1));
	const client = rawClientOn(t, connect({ port: proxy.port, host: '127.0.0.1', noDelay: true }));
	for (const part of [header.subarray(0, 1), header.subarray(1, 15), header.subarray(15, 500)]) {
		client.write(part);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	client.write(Buffer.concat([header.subarray(500), Buffer.from(request.slice(0, 10))]));
	client.write(`${request.slice(10)}hello`);
	const { length: down } = await client.until('hello');
	await eventually(async () => {
		assert.deepEqual(proxy.service.usedBy('alice'), { up: request.length + 5, down });
	}, LIMIT_MS);
});

test('a connection without a header, or with a broken one, is closed, and the log says why', async (t) => {
	const { proxy, open, request, lines } = await setUp(t);
	const wrong = [
		Buffer.from(request),
		Buffer.from(`PROXY TCP4 ${CLIENT} 192.0.2.1 49152 3128\r\n${request}`),
		socksRequest('alice', KEY, 1),
		Buffer.of(0x16, 3, 1, 2, 0),
		headerOf({ family: 0x12, rest: Buffer.alloc(12) }),
		headerOf({ family: 0x11, rest: Buffer.alloc(65_535) }),
		headerFor(CLIENT, Buffer.alloc(509)),
	];
	for (const bytes of wrong) {
		assert.equal(await answerTo(t, proxy.port, bytes), '');
	}
	assert.deepEqual(
		lines('refused').map(({ client, reason }) => [client, reason]),
		wrong.map(() => ['127.0.0.1', 'no_proxy_header']),
	);
	// A health check that only connects is no fault.
	const check = openRawClient(t, proxy.port);
	check.socket.end();
	await check.closed;
	assert.equal(lines('refused').length, wrong.length);
	assert.equal(proxy.service.checks.length, 0);
	// One header is read. What follows is the request.
	const { status } = await open(Buffer.concat([headerFor(CLIENT), headerFor(OTHER)]));
	assert.equal(status, 400);
});

test('a header that does not become whole ends its connection, and a stop does so at once', async (t) => {
	const { proxy } = await setUp(t);
	const header = headerFor(CLIENT, Buffer.alloc(500, 1));
	const [silent, begun, slow] = [1, 2, 3].map(() => openRawClient(t, proxy.port));
	begun?.write(header.subarray(0, 20));
	const left = header.values();
	const slowly = setInterval(() => slow?.write(Buffer.of(left.next().value ?? 0)), 500);
	t.after(() => clearInterval(slowly));
	await Promise.all([silent?.closed, begun?.closed, slow?.closed]);
	const late = openRawClient(t, proxy.port);
	late.write(header.subarray(0, 20));
	await new Promise((resolve) => setTimeout(resolve, 100));
	const stopped = proxy.stop(LIMIT_MS);
	assert.equal(await late.closed, '');
	await stopped;
});

test('what looks like a header is none from another address, and the client keeps its own', async (t) => {
	const { proxy, open } = await setUp(t, { loadBalancers: ['192.0.2.0/24', '::1'] });
	assert.equal((await open(headerFor(CLIENT))).status, 400);
	assert.equal((await open(Buffer.alloc(0))).status, 200);
	assert.deepEqual(
		proxy.service.checks.map(({ client }) => client),
		['127.0.0.1'],
	);
});

test('the header comes before TLS, and neither of them is counted', async (t) => {
	const context = createSecureContext({ cert: readFileSync(pemFile('self-signed')), key: readFileSync(KEY_FILE) });
	const { proxy, echo } = await setUp(t, { certificate: { context } });
	const socket = connect({ port: proxy.port, host: '127.0.0.1' });
	socket.write(headerFor(CLIENT));
	const client = openTlsClient(t, { socket });
	const request = socksRequest('alice', KEY, echo);
	client.write(request);
	await client.until(SOCKS_OPENED);
	client.write('hello');
	await client.until('hello');
	assert.equal(proxy.service.checks[0]?.client, CLIENT);
	await eventually(async () => {
		assert.deepEqual(proxy.service.usedBy('alice'), { up: request.length + 5, down: SOCKS_OPENED.length + 5 });
	}, LIMIT_MS);
});
