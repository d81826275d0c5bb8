import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, createServer, type IncomingMessage, request as requestHttp } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import { type CountingRelay, startCountingRelay } from '../support/counting-relay.ts';
import { openRawClient } from '../support/raw-client.ts';
import { basic, KEY, startEcho, startTestProxy, type TestProxy } from '../support/running-proxy.ts';

const LIMIT_MS = 30_000;
const ALICE = basic('alice', KEY);

async function setUp(test: TestContext) {
	const proxy = await startTestProxy(test, { passesUnknownOptions: true });
	const relay = await startCountingRelay(test, proxy.port);
	return { proxy, relay };
}

/** The service has counted exactly what has passed the relay. */
async function assertCounted({ service }: TestProxy, { bytes }: CountingRelay, username = 'alice'): Promise<void> {
	assert.ok(bytes.up > 0 && bytes.down > 0);
	await eventually(async () => assert.deepEqual(service.usedBy(username), bytes), LIMIT_MS);
}

/** An origin that sends back what it gets, after `?bytes=` bytes of its own. */
async function startOrigin(test: TestContext): Promise<number> {
	const origin = createServer(async (request, response) => {
		const own = Number(new URL(request.url ?? '', 'http://origin').searchParams.get('bytes') ?? 0);
		response.write(randomBytes(own));
		response.end(await buffer(request));
	});
	return (await listen(test, origin)).port;
}

interface Sent {
	readonly agent?: Agent;
	readonly body?: Buffer;
	readonly headers?: Readonly<Record<string, string>>;
	readonly authorization?: string;
}

async function send(relay: CountingRelay, url: string, { agent, body, headers, authorization = ALICE }: Sent = {}) {
	const request = requestHttp({
		port: relay.port,
		host: '127.0.0.1',
		path: url,
		method: body ? 'POST' : 'GET',
		agent: agent ?? false,
		headers: { host: new URL(url).host, 'proxy-authorization': authorization, ...headers },
	});
	request.end(body);
	const [response] = (await once(request, 'response')) as [IncomingMessage];
	return { status: response.statusCode, body: await buffer(response) };
}

describe('bytes are counted', { concurrency: true }, () => {
	test('plain requests are counted to the byte, in both directions', async (t) => {
		const { proxy, relay } = await setUp(t);
		const origin = `http://127.0.0.1:${await startOrigin(t)}`;
		for (const size of [0, 1, 65_537, 3_000_000]) {
			const body = randomBytes(size);
			const answer = await send(relay, `${origin}/?bytes=${size}`, { body });
			assert.equal(answer.status, 200);
			assert.equal(answer.body.length, 2 * size);
			assert.deepEqual(answer.body.subarray(size), body);
		}
		await assertCounted(proxy, relay);
	});

	test('requests on one connection are counted to the byte, while it is open too', async (t) => {
		const { proxy, relay } = await setUp(t);
		const origin = `http://127.0.0.1:${await startOrigin(t)}`;
		const agent = new Agent({ keepAlive: true, maxSockets: 1 });
		t.after(() => agent.destroy());
		for (let times = 0; times < 20; times++) {
			const authorization = basic('alice', `${KEY}_country-US_session-${times}`);
			assert.equal((await send(relay, `${origin}/?bytes=${times * 1_000}`, { agent, authorization })).status, 200);
		}
		await assertCounted(proxy, relay);
		assert.equal(proxy.stats.connections, 1);
		agent.destroy();
		await assertCounted(proxy, relay);
	});

	test('a head that comes slowly is counted from its first byte on', async (t) => {
		const { proxy, relay } = await setUp(t);
		const target = `127.0.0.1:${await startOrigin(t)}`;
		for (const line of [`GET http://${target}/ HTTP/1.1`, `CONNECT ${target} HTTP/1.1`]) {
			const client = openRawClient(t, relay.port);
			client.write(`${line}\r\nHost: x\r\nX-Long: ${'x'.repeat(10_000)}\r\nProxy-Authorization: ${ALICE}\r\n`);
			// All connections are counted meanwhile.
			await new Promise((resolve) => setTimeout(resolve, 1_500));
			client.write('\r\n');
			await client.until('\r\n\r\n');
			await assertCounted(proxy, relay);
		}
	});

	test('chunked bodies, 100 Continue and errors of origins are counted to the byte', async (t) => {
		const { proxy, relay } = await setUp(t);
		const port = await startOrigin(t);
		const headers = { 'transfer-encoding': 'chunked', expect: '100-continue' };
		const answer = await send(relay, `http://127.0.0.1:${port}/`, { headers, body: randomBytes(100_000) });
		assert.equal(answer.body.length, 100_000);
		// No process listens there. Another test may already use a port that was closed a moment ago.
		assert.equal((await send(relay, 'http://127.0.0.1:1/')).status, 502);
		await assertCounted(proxy, relay);
	});

	test('a tunnel is counted to the byte, while it is open too, and with one half closed', async (t) => {
		const { proxy, relay } = await setUp(t);
		const port = await startEcho(t);
		const client = openRawClient(t, relay.port);
		// What follows the request at once belongs to the tunnel.
		client.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nProxy-Authorization: ${ALICE}\r\n\r\nearly`);
		await client.until('early');
		await assertCounted(proxy, relay);
		const bytes = randomBytes(2_000_000);
		client.write(bytes);
		client.write('THE END');
		await client.until('THE END');
		await assertCounted(proxy, relay);
		client.socket.end('last words');
		assert.match(await client.closed, /THE ENDlast words$/);
		await assertCounted(proxy, relay);
		await eventually(async () => assert.equal(proxy.stats.connections, 0), LIMIT_MS);
	});

	test('two accounts on one connection get their own bytes', async (t) => {
		const { proxy, relay } = await setUp(t);
		const origin = `http://127.0.0.1:${await startOrigin(t)}`;
		const agent = new Agent({ keepAlive: true, maxSockets: 1 });
		t.after(() => agent.destroy());
		await send(relay, `${origin}/?bytes=1000`, { agent });
		const first = { ...relay.bytes };
		await send(relay, `${origin}/?bytes=5000`, { agent, authorization: basic('bob.b', 'Bbbbbbbb12345678') });
		const second = { up: relay.bytes.up - first.up, down: relay.bytes.down - first.down };
		await eventually(async () => assert.deepEqual(proxy.service.usedBy('alice'), first), LIMIT_MS);
		await eventually(async () => assert.deepEqual(proxy.service.usedBy('bob.b'), second), LIMIT_MS);
		assert.equal(proxy.stats.connections, 1);
	});

	test('many connections of many accounts at the same time are counted to the byte', async (t) => {
		const { proxy, relay } = await setUp(t);
		const origin = `http://127.0.0.1:${await startOrigin(t)}`;
		const sent = Array.from({ length: 200 }, (_, index) => {
			const username = `user${index % 50}`;
			proxy.service.keys.set(username, `key${index % 50}`);
			const authorization = basic(username, `key${index % 50}`);
			return send(relay, `${origin}/?bytes=${index * 100}`, { body: randomBytes(index), authorization });
		});
		assert.deepEqual(new Set((await Promise.all(sent)).map(({ status }) => status)), new Set([200]));
		await eventually(async () => {
			const all = Array.from({ length: 50 }, (_, index) => proxy.service.usedBy(`user${index}`));
			const sum = { up: 0, down: 0 };
			for (const { up, down } of all) {
				sum.up += up;
				sum.down += down;
			}
			assert.deepEqual(sum, relay.bytes);
		}, LIMIT_MS);
	});
});

test('a connection that breaks is counted, without what waits in the proxy', {
	timeout: LIMIT_MS,
	skip: process.platform !== 'linux' && 'only Linux tells what the system holds for a connection',
}, async (t) => {
	const { proxy, relay } = await setUp(t);
	const endless = createServer((_request, response) => {
		const chunk = randomBytes(262_144);
		const more = () => response.write(chunk);
		// Without a pause, a gigabyte would pass before the first report.
		response.on('drain', () => setTimeout(more, 5)).on('error', () => {});
		more();
	});
	const { port } = await listen(t, endless);
	const client = openRawClient(t, relay.port);
	client.write(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${ALICE}\r\n\r\n`);
	await eventually(async () => assert.ok(proxy.service.usedBy('alice').down > 10_000_000), LIMIT_MS);
	// The client stops reading, so the buffers become full.
	client.socket.pause();
	await eventually(async () => {
		const before = proxy.service.usedBy('alice').down;
		await new Promise((resolve) => setTimeout(resolve, 2_500));
		assert.equal(proxy.service.usedBy('alice').down, before);
	}, LIMIT_MS);
	const taken = relay.bytesRead + bytesInSystem(proxy.port);
	client.socket.resetAndDestroy();
	relay.reset();
	await eventually(async () => assert.equal(proxy.stats.connections, 0), LIMIT_MS);
	await proxy.reporter.flush();
	const { up, down } = proxy.service.usedBy('alice');
	assert.equal(up, relay.bytes.up);
	assert.equal(down, taken);
});

const ESTABLISHED = '01';

/**
 * How many bytes a server on this port of 127.0.0.1 has sent that its clients have not read: what the system holds for
 * them, at both ends. Reads what Linux tells about its connections.
 */
function bytesInSystem(port: number): number {
	const [, ...lines] = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n');
	let bytes = 0;
	for (const line of lines) {
		const [, local, remote, state, queues] = line.trim().split(/\s+/) as [string, string, string, string, string];
		if (state !== ESTABLISHED) continue;
		const [sent, received] = queues.split(':').map((hex) => Number.parseInt(hex, 16)) as [number, number];
		if (portOf(local) === port) bytes += sent;
		if (portOf(remote) === port) bytes += received;
	}
	return bytes;
}

function portOf(address: string): number {
	return Number.parseInt(address.split(':')[1] as string, 16);
}
