import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createLogger } from '@bursar/terminal/logger';
import { eventually } from '@bursar/testing/eventually';
import type { ProxyOptions } from '../../src/proxy/proxy.ts';
import { headerFor, LOCAL_HEADER } from '../support/proxy-headers.ts';
import { type RawClient, rawClientOn } from '../support/raw-client.ts';
import { basic, KEY, startEcho, startOrigin, startTestProxy, type TestProxy } from '../support/running-proxy.ts';

const LIMIT_MS = 60_000;
const ALICE = '127.0.0.7';
const STRANGER = '127.0.0.9';
const BOB_KEY = 'Bbbbbbbb12345678';

/** A proxy where alice signs in from an address of this machine, and an echo behind it. */
async function setUp(test: TestContext, options: Partial<ProxyOptions> = {}) {
	let text = '';
	const logger = createLogger('info', {
		write(line) {
			text += line;
		},
	});
	const proxy = await startTestProxy(test, { logger, ...options });
	proxy.service.signIns.set(ALICE, 'alice');
	proxy.service.signsInByAddress = true;
	const lines = (kind: string) =>
		text
			.split('\n')
			.filter((line) => line.includes(`"msg":"${kind}"`))
			.map((line) => JSON.parse(line));
	return { proxy, service: proxy.service, echo: await startEcho(test), lines };
}

function openFrom(test: TestContext, { port }: TestProxy, localAddress: string): RawClient {
	return rawClientOn(test, connect({ port, host: '127.0.0.1', localAddress, noDelay: true }));
}

function answerTo(test: TestContext, proxy: TestProxy, from: string, bytes: string | Uint8Array): Promise<string> {
	const client = openFrom(test, proxy, from);
	client.write(bytes);
	return client.closed;
}

const connectTo = (port: number, headers = '') => `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const getFrom = (port: number, headers = '') => `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const withPair = (username: string, password: string) => `Proxy-Authorization: ${basic(username, password)}\r\n`;

/** A tunnel that a client asks for without a pair. */
async function openTunnel(test: TestContext, proxy: TestProxy, from: string, echo: number, headers?: string) {
	const client = openFrom(test, proxy, from);
	client.write(connectTo(echo, headers));
	assert.match(await client.until('\r\n\r\n'), /^HTTP\/1\.1 200 /);
	return client;
}

/** The methods that a client of SOCKS5 offers. */
const offering = (...methods: readonly number[]) => Buffer.of(5, methods.length, ...methods);
const socksPair = (username: string, password: string) =>
	Buffer.from(
		`\x01${String.fromCharCode(username.length)}${username}${String.fromCharCode(password.length)}${password}`,
	);
const socksConnect = (port: number) => Buffer.of(5, 1, 0, 1, 127, 0, 0, 1, port >> 8, port & 255);
const SOCKS_SUCCEEDED = '\x05\x00\x00\x01\0\0\0\0\0\0';

test('credentials that are wrong, or cannot be read, are not let in by the address of their client', async (t) => {
	const { proxy, service, echo } = await setUp(t);
	const origin = await startOrigin(t);
	await (await openTunnel(t, proxy, ALICE, echo)).socket.destroy();
	const wrong = [
		...[withPair('alice', 'wrong'), withPair('nobody', KEY), withPair('bob.b', KEY), withPair('', KEY)],
		...[withPair('alice', ''), withPair('', ''), 'Proxy-Authorization:\r\n', 'Proxy-Authorization: Basic\r\n'],
		...['Proxy-Authorization: Bearer abc\r\n', 'proxy-authorization: Basic !!!!\r\n'],
		`Proxy-Authorization: Basic\r\nProxy-Authorization: ${basic('alice', KEY)}\r\n`,
	];
	for (const headers of wrong) {
		for (const text of [getFrom(origin, headers), connectTo(echo, headers)]) {
			assert.match(await answerTo(t, proxy, ALICE, text), /^HTTP\/1\.1 407 /, headers);
		}
	}
	for (const pair of [
		socksPair('alice', 'wrong'),
		socksPair('alice', ''),
		socksPair('', ''),
		socksPair('nobody', KEY),
	]) {
		for (const methods of [offering(2), offering(0, 2), offering(2, 0)]) {
			const bytes = Buffer.concat([methods, pair, socksConnect(echo)]);
			assert.equal(await answerTo(t, proxy, ALICE, bytes), '\x05\x02\x01\x01');
		}
	}
	assert.deepEqual(service.addresses, [ALICE]);
});

test('a right pair counts, and not the address of its client', async (t) => {
	const { proxy, service, echo } = await setUp(t);
	const client = await openTunnel(t, proxy, ALICE, echo, withPair('bob.b', BOB_KEY));
	client.write('hello');
	await client.until('hello');
	const offersBoth = openFrom(t, proxy, ALICE);
	offersBoth.write(Buffer.concat([offering(0, 2), socksPair('bob.b', BOB_KEY), socksConnect(echo)]));
	assert.equal(await offersBoth.until(SOCKS_SUCCEEDED), `\x05\x02\x01\x00${SOCKS_SUCCEEDED}`);
	await eventually(async () => assert.ok(service.usedBy('bob.b').up > 0), LIMIT_MS);
	assert.deepEqual(service.usedBy('alice'), { up: 0, down: 0 });
	assert.deepEqual(service.addresses, []);
});

test('a client without a pair is the account of its address, over HTTP and SOCKS5, with all its bytes; others get a 407', async (t) => {
	const { proxy, service, echo, lines } = await setUp(t);
	const origin = await startOrigin(t);
	const tunnel = await openTunnel(t, proxy, ALICE, echo);
	tunnel.write('hello');
	await tunnel.until('hello');
	const plain = openFrom(t, proxy, ALICE);
	for (let time = 1; time <= 2; time++) {
		plain.write(getFrom(origin));
		await eventually(async () => assert.equal(plain.text().split('from the origin').length, time + 1), LIMIT_MS);
	}
	const greeting = offering(1, 0);
	const socks = openFrom(t, proxy, ALICE);
	socks.write(Buffer.concat([greeting, socksConnect(echo)]));
	assert.equal(await socks.until(SOCKS_SUCCEEDED), `\x05\x00${SOCKS_SUCCEEDED}`);
	socks.write('hello');
	await socks.until('hello');

	assert.match(await answerTo(t, proxy, STRANGER, connectTo(echo)), /^HTTP\/1\.1 407 .*Proxy-Authenticate: Basic/s);
	assert.match(await answerTo(t, proxy, STRANGER, getFrom(origin)), /^HTTP\/1\.1 407 /);
	assert.equal(await answerTo(t, proxy, STRANGER, greeting), '\x05\xff');
	assert.equal(await answerTo(t, proxy, ALICE, offering(1)), '\x05\xff');

	for (const client of [tunnel, plain, socks]) client.socket.destroy();
	const up = connectTo(echo).length + 5 + 2 * getFrom(origin).length + greeting.length + socksConnect(echo).length + 5;
	const down = tunnel.text().length + plain.text().length + socks.text().length;
	await eventually(async () => assert.deepEqual(service.usedBy('alice'), { up, down }), LIMIT_MS);
	const seen = await eventually(async () => {
		assert.equal(lines('connection').length, 3);
		return lines('connection');
	}, LIMIT_MS);
	assert.ok(seen.every(({ account, client }) => account === 'alice' && client === ALICE));
	assert.deepEqual(lines('refused'), [], 'who comes without a pair is in no log');
	assert.equal(service.addresses.filter((each) => each === ALICE).length, 1);
});

test('an address that has moved to another account signs in there, and its open connections are cut', async (t) => {
	const { proxy, service, echo } = await setUp(t);
	const before = await openTunnel(t, proxy, ALICE, echo);
	before.write('hello');
	await before.until('hello');
	service.signIns.set(ALICE, 'bob.b');
	const cut = await before.closed;
	const used = { up: connectTo(echo).length + 5, down: cut.length };
	await eventually(async () => assert.deepEqual(service.usedBy('alice'), used), LIMIT_MS);
	const after = await openTunnel(t, proxy, ALICE, echo);
	after.write('hello');
	await after.until('hello');
	await eventually(async () => assert.deepEqual(service.usedBy('bob.b'), used), LIMIT_MS);
	await proxy.reporter.flush();
	assert.deepEqual(service.usedBy('alice'), used);
});

test('headers that name another client, and a PROXY header of one that is no load balancer, sign in nobody', async (t) => {
	const { proxy, service, echo } = await setUp(t);
	const names = ['X-Forwarded-For', 'X-Real-IP', 'X-Client-IP', 'CF-Connecting-IP', 'True-Client-IP', 'Via'];
	const headers = [...names.map((name) => `${name}: ${ALICE}\r\n`), `Forwarded: for=${ALICE}\r\n`];
	assert.match(await answerTo(t, proxy, STRANGER, connectTo(echo, headers.join(''))), /^HTTP\/1\.1 407 /);
	const spoofed = Buffer.concat([headerFor(ALICE), Buffer.from(connectTo(echo))]);
	assert.match(await answerTo(t, proxy, STRANGER, spoofed), /^HTTP\/1\.1 400 /);
	const line = `PROXY TCP4 ${ALICE} 127.0.0.1 49152 3128\r\n${connectTo(echo)}`;
	assert.match(await answerTo(t, proxy, STRANGER, line), /^HTTP\/1\.1 400 /);
	assert.deepEqual(service.addresses, [STRANGER]);
});

test('behind a load balancer, the address of its header counts; its own, and those of this machine, sign in nobody', async (t) => {
	const { proxy, service, echo } = await setUp(t, {
		loadBalancers: ['127.0.0.1/32'],
		destinations: {
			allowPrivate: true,
			ownAddresses: () => new Set(['127.0.0.5']),
			// An outgoing address of its network, from which any client of the proxy may come.
			isRoutedHere: (address) => address === '203.0.113.9',
		},
	});
	for (const own of ['127.0.0.1', '127.0.0.5', '203.0.113.9']) service.signIns.set(own, 'alice');
	service.signIns.set('198.51.100.7', 'alice').set('2001:db8::7', 'bob.b');
	const through = async (header: Buffer) => {
		const client = openFrom(t, proxy, '127.0.0.1');
		client.write(Buffer.concat([header, Buffer.from(connectTo(echo))]));
		return Number((await client.until('\r\n\r\n')).split(' ')[1]);
	};
	assert.equal(await through(headerFor('198.51.100.7')), 200);
	assert.equal(await through(headerFor('2001:db8::7')), 200);
	assert.equal(await through(headerFor('198.51.100.8')), 407);
	assert.equal(await through(LOCAL_HEADER), 407);
	assert.equal(await through(headerFor('127.0.0.1')), 407);
	assert.equal(await through(headerFor('127.0.0.5')), 407);
	assert.equal(await through(headerFor('203.0.113.9')), 407);
	assert.match(await answerTo(t, proxy, '127.0.0.5', connectTo(echo)), /^HTTP\/1\.1 407 /);
	assert.deepEqual(service.addresses, ['198.51.100.7', '2001:db8::7', '198.51.100.8']);
});

test('an account that may not be used is refused with its reason, and is named in the log and to the service', async (t) => {
	const { proxy, service, echo, lines } = await setUp(t);
	const open = await openTunnel(t, proxy, ALICE, echo);
	service.refused.set('alice', 'suspended');
	await open.closed;
	assert.match(await answerTo(t, proxy, ALICE, connectTo(echo)), /^HTTP\/1\.1 403 Account suspended\r\n/);
	const socks = Buffer.concat([offering(0), socksConnect(echo)]);
	assert.equal(await answerTo(t, proxy, ALICE, socks), '\x05\x00\x05\x02\x00\x01\0\0\0\0\0\0');
	assert.deepEqual(
		lines('refused').map(({ account, client, reason }) => [account, client, reason]),
		[0, 1].map(() => ['alice', ALICE, 'suspended']),
	);
	const told = () =>
		service.refusedClients.filter(({ username, reason }) => `${username} ${reason}` === 'alice suspended');
	await eventually(async () => {
		assert.equal(
			told().reduce((sum, { count }) => sum + count, 0),
			3,
		);
	}, LIMIT_MS);
	// It works again. Then the address is taken away, as if its account was deleted.
	service.refused.delete('alice');
	const again = await eventually(() => openTunnel(t, proxy, ALICE, echo), LIMIT_MS);
	service.signIns.delete(ALICE);
	await again.closed;
	assert.match(await answerTo(t, proxy, ALICE, connectTo(echo)), /^HTTP\/1\.1 407 /);
	assert.equal(lines('connection').at(-1)?.reason, 'pair_refused');
});

test('what is left of a balance holds for connections by address too', async (t) => {
	const { proxy, service, echo } = await setUp(t);
	service.paidBytes.set('alice', 100_000);
	const client = await openTunnel(t, proxy, ALICE, echo);
	client.socket.write(Buffer.alloc(1 << 20, 'x'));
	await client.closed;
	assert.match(await answerTo(t, proxy, ALICE, connectTo(echo)), /^HTTP\/1\.1 402 /);
	await eventually(async () => assert.ok(service.usedBy('alice').up > 0), LIMIT_MS);
});

test('while the service is away, who has signed in by address still does, and others are asked for a pair at once', async (t) => {
	const { proxy, service, echo } = await setUp(t);
	await openTunnel(t, proxy, ALICE, echo);
	await service.goAway();
	await eventually(async () => assert.notEqual(proxy.unreadyBecause(), undefined), LIMIT_MS);
	await openTunnel(t, proxy, ALICE, echo);
	assert.match(await answerTo(t, proxy, STRANGER, connectTo(echo)), /^HTTP\/1\.1 407 /);
	service.signIns.set(STRANGER, 'bob.b');
	await service.comeBack();
	await eventually(() => openTunnel(t, proxy, STRANGER, echo), LIMIT_MS);
});

test('with an older service, and if no account signs in by address, clients without a pair cost next to no checks', async (t) => {
	const { proxy, service, echo } = await setUp(t);
	for (const says of [undefined, false]) {
		service.signsInByAddress = says;
		await openTunnel(t, proxy, STRANGER, echo, withPair('alice', KEY));
		for (let n = 10; n < 30; n++) {
			assert.match(await answerTo(t, proxy, `127.0.0.${n}`, connectTo(echo)), /^HTTP\/1\.1 407 /);
		}
	}
	const { length } = service.addresses;
	assert.ok(length < 10, `addresses were asked about: ${length}`);
	await openTunnel(t, proxy, STRANGER, echo, withPair('bob.b', BOB_KEY));
});
