import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { printedSeed, randomFrom } from '@bursar/testing/random';
import { startCountingRelay } from '../support/counting-relay.ts';
import { answerTo, openRawClient, type RawClient } from '../support/raw-client.ts';
import { basic, KEY, startEcho, startTestProxy } from '../support/running-proxy.ts';

const LIMIT_MS = 60_000;
const GREETING = Buffer.from([5, 1, 2]);
const SIGNED_IN = '\x05\x02\x01\x00';
const SUCCEEDED = `${SIGNED_IN}\x05\x00\x00\x01\0\0\0\0\0\0`;

const signIn = (username: string, password: string): Buffer =>
	Buffer.concat(
		[[1, username.length], username, [password.length], password].map((part) => Buffer.from(part as string)),
	);

/** What `CONNECT` asks for. An array is an address, a text a name. */
function connectTo(host: string | readonly number[], port: number, command = 1): Buffer {
	const address =
		typeof host === 'string'
			? Buffer.concat([Buffer.from([3, Buffer.byteLength(host)]), Buffer.from(host, 'latin1')])
			: Buffer.from([host.length === 4 ? 1 : 4, ...host]);
	return Buffer.concat([Buffer.from([5, command, 0]), address, Buffer.from([port >> 8, port & 255])]);
}

const ALICE = signIn('alice', KEY);
const BY_PIECES = [
	['all at once', (bytes: Buffer) => [bytes]],
	['byte by byte', (bytes: Buffer) => Array.from(bytes, (byte) => Buffer.from([byte]))],
] as const;

/** A client that has signed in, and asks for this destination. */
function ask(test: TestContext, port: number, request: Buffer, pair = ALICE): RawClient {
	const client = openRawClient(test, port);
	client.write(Buffer.concat([GREETING, pair, request]));
	return client;
}

/** The reply to the request, of a client that has signed in. */
async function replyTo(test: TestContext, port: number, request: Buffer): Promise<number | undefined> {
	const text = await ask(test, port, request).closed;
	assert.ok(text.startsWith(SIGNED_IN), JSON.stringify(text));
	return text.charCodeAt(SIGNED_IN.length + 1);
}

for (const [how, pieces] of BY_PIECES) {
	test(`a tunnel of SOCKS5 whose handshake comes ${how} is counted to the byte, with one half closed too`, async (t) => {
		const lookUp = async () => ['127.0.0.1'];
		const proxy = await startTestProxy(t, { destinations: { allowPrivate: true, lookUp } });
		const relay = await startCountingRelay(t, proxy.port);
		const port = await startEcho(t);
		for (const host of [[127, 0, 0, 1], 'origin.example', '127.0.0.1']) {
			const client = openRawClient(t, relay.port);
			const early = Buffer.concat([GREETING, ALICE, connectTo(host, port), Buffer.from('early')]);
			for (const piece of pieces(early)) client.write(piece);
			assert.equal(await client.until('early'), `${SUCCEEDED}early`);
			client.write(randomBytes(2_000_000));
			client.socket.end('last words');
			assert.match(await client.closed, /last words$/);
		}
		await eventually(async () => assert.deepEqual(proxy.service.usedBy('alice'), relay.bytes), LIMIT_MS);
		await eventually(async () => assert.equal(proxy.stats.connections, 0), LIMIT_MS);
		assert.equal(proxy.stats.tunnels, 3);
	});
}

test('HTTP and SOCKS5 clients share one port, one account and one line of the log each', async (t) => {
	const proxy = await startTestProxy(t);
	const relay = await startCountingRelay(t, proxy.port);
	const port = await startEcho(t);
	const socks = ask(t, relay.port, connectTo([127, 0, 0, 1], port));
	const http = openRawClient(t, relay.port);
	http.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nProxy-Authorization: ${basic('alice', KEY)}\r\n\r\n`);
	await Promise.all([socks.until(SUCCEEDED), http.until('\r\n\r\n')]);
	for (const client of [socks, http]) client.write('hello');
	await Promise.all([socks.until('hello'), http.until('hello')]);
	await eventually(async () => assert.deepEqual(proxy.service.usedBy('alice'), relay.bytes), LIMIT_MS);
	proxy.service.keys.set('alice', 'New45678New45678');
	await Promise.all([socks.closed, http.closed]);
	assert.equal(proxy.stats.cut, 2);
});

test('clients over SOCKS5 learn why they are refused', async (t) => {
	const proxy = await startTestProxy(t, {
		destinations: { allowPrivate: false, allowed: [{ address: '127.0.0.1', port: 1 }] },
	});
	const { port } = proxy;
	const to = connectTo([127, 0, 0, 1], 1);
	const open = async (bytes: Uint8Array) => {
		return answerTo(t, port, bytes);
	};
	assert.equal(await open(Buffer.from([5, 1, 0])), '\x05\xff', 'no password');
	for (const pair of [signIn('alice', 'wrong'), signIn('nobody', KEY), signIn('', ''), Buffer.from([9, 0, 0])]) {
		assert.equal(await open(Buffer.concat([GREETING, pair, to])), '\x05\x02\x01\x01');
	}
	assert.equal(await replyTo(t, port, to), 5, 'nothing listens');
	assert.equal(await replyTo(t, port, connectTo('origin.example', 25)), 2, 'a closed port');
	assert.equal(await replyTo(t, port, connectTo([127, 0, 0, 1], 1, 2)), 7, 'BIND');
	assert.equal(await replyTo(t, port, connectTo([127, 0, 0, 1], 1, 3)), 7, 'UDP');
	assert.equal(await replyTo(t, port, Buffer.from([5, 1, 0, 9, 1, 1])), 8, 'an unknown type of address');
	assert.equal(await replyTo(t, port, connectTo('nothing.invalid', 443)), 4, 'a name without an address');
	assert.equal(await replyTo(t, port, connectTo('', 443)), 2, 'no name');
	assert.equal(await replyTo(t, port, connectTo([1, 1, 1, 1], 0)), 2, 'port 0');
});

test('an option that no upstream takes is refused over SOCKS5 and HTTP', async (t) => {
	const proxy = await startTestProxy(t);
	const port = await startEcho(t);
	const request = connectTo([127, 0, 0, 1], port);
	for (const suffix of ['country-US', 'nonsense', '', 'country-U%20S']) {
		const client = ask(t, proxy.port, request, signIn('alice', `${KEY}_${suffix}`));
		assert.equal((await client.closed).charCodeAt(SIGNED_IN.length + 1), 2);
		const http = openRawClient(t, proxy.port);
		const pair = basic('alice', `${KEY}_${suffix}`);
		http.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nProxy-Authorization: ${pair}\r\n\r\n`);
		assert.match(await http.closed, /^HTTP\/1\.1 400 .*X-Bursar-Reason: invalid_options/s);
	}
	const passing = await startTestProxy(t, { passesUnknownOptions: true });
	await ask(t, passing.port, request, signIn('alice', `${KEY}_country-US`)).until(SUCCEEDED);
});

test('every spelling of this machine is refused over SOCKS5', async (t) => {
	const port = await startEcho(t);
	const proxy = await startTestProxy(t, { destinations: { allowPrivate: false } });
	const own = Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
	const hosts: readonly (string | readonly number[])[] = [
		[127, 0, 0, 1],
		[0, 0, 0, 0],
		[10, 0, 0, 1],
		[169, 254, 169, 254],
		[...Array(15).fill(0), 1],
		Array(16).fill(0),
		[...Array(10).fill(0), 255, 255, 127, 0, 0, 1],
		...['127.0.0.1', '127.1', '0x7f.1', '0177.0.0.1', '2130706433', '0', 'localhost', 'LOCALHOST.', 'a.localhost'],
		...[
			'::1',
			'[::1]',
			'::ffff:127.0.0.1',
			'[::ffff:7f00:1]',
			'0:0:0:0:0:0:0:1',
			'user@127.0.0.1',
			'127.0.0.1/',
			'127.0.0.1\0',
		],
		...own,
	];
	for (const host of hosts) assert.equal(await replyTo(t, proxy.port, connectTo(host, port)), 2, String(host));
});

test('a client over SOCKS5 that goes away or sends nonsense leaves nothing behind', async (t) => {
	const { below } = randomFrom(printedSeed(t));
	const proxy = await startTestProxy(t);
	const port = await startEcho(t);
	const good = Buffer.concat([GREETING, ALICE, connectTo([127, 0, 0, 1], port), Buffer.from('hello')]);
	for (let round = 0; round < 20; round++) {
		const clients = Array.from({ length: 20 }, () => {
			const bytes = Buffer.from(good);
			for (let times = below(3); times > 0; times--) bytes[1 + below(bytes.length - 1)] = below(256);
			const client = openRawClient(t, proxy.port);
			client.write(bytes.subarray(0, 1 + below(bytes.length)));
			if (below(2) === 0) client.socket.end();
			else setTimeout(() => client.socket.resetAndDestroy(), below(20));
			return client.closed;
		});
		await Promise.all(clients);
	}
	await eventually(async () => assert.equal(proxy.stats.connections, 0), LIMIT_MS);
	await ask(t, proxy.port, connectTo([127, 0, 0, 1], port)).until(SUCCEEDED);
});

test('a client over SOCKS5 with too many connections is refused, and one that dawdles is closed', async (t) => {
	const proxy = await startTestProxy(t, { maxConnectionsPerClient: 1 });
	const slow = openRawClient(t, proxy.port);
	slow.write(Buffer.concat([GREETING, ALICE]));
	await slow.until(SIGNED_IN);
	assert.equal(await answerTo(t, proxy.port, GREETING), '\x05\xff');
	const drip = setInterval(() => slow.write(Buffer.from([5])), 3_000);
	t.after(() => clearInterval(drip));
	assert.equal(await slow.closed, SIGNED_IN);
});
