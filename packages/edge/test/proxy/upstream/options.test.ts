import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import { Registry } from 'prom-client';
import { createUpstreams } from '../../../src/proxy/upstream/exits.ts';
import { readUpstreamList } from '../../../src/proxy/upstream/upstream-list.ts';
import { addUpstreamMetrics } from '../../../src/proxy/upstream/upstream-metrics.ts';
import { openRawClient, type RawClient } from '../../support/raw-client.ts';
import { basic, KEY, startOrigin, startTestProxy, type TestProxy, upstreamsOf } from '../../support/running-proxy.ts';
import { startUpstream } from '../../support/upstreams.ts';

const LIMIT_MS = 60_000;

/** How clients ask for `/` of an origin. Each returns all that came back. */
const ASK = {
	async plain(client: RawClient, password: string, origin: number) {
		const head = `Host: x\r\nConnection: close\r\nProxy-Authorization: ${basic('alice', password)}`;
		client.write(`GET http://127.0.0.1:${origin}/ HTTP/1.1\r\n${head}\r\n\r\n`);
		return client.closed;
	},
	async connect(client: RawClient, password: string, origin: number) {
		const head = `Host: x\r\nProxy-Authorization: ${basic('alice', password)}`;
		client.write(`CONNECT 127.0.0.1:${origin} HTTP/1.1\r\n${head}\r\n\r\n`);
		client.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
		return client.closed;
	},
	async socks(client: RawClient, password: string, origin: number) {
		client.write(`\x05\x01\x02\x01\x05alice${String.fromCharCode(password.length)}${password}`);
		client.write(Buffer.from([5, 1, 0, 1, 127, 0, 0, 1, origin >> 8, origin & 0xff]));
		client.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
		return client.closed;
	},
} as const;

/** What alice gets for a password, in each of these ways. */
function ask(test: TestContext, proxy: TestProxy, way: keyof typeof ASK, password: string, origin: number) {
	return ASK[way](openRawClient(test, proxy.port), password, origin);
}

const WAYS = Object.keys(ASK) as (keyof typeof ASK)[];
const WRONG = /^HTTP\/1\.1 400 .*^X-Bursar-Reason: invalid_options\r$/ims;
/** The password was taken, and then the connection is "not allowed". */
const WRONG_SOCKS = '\x05\x02\x01\0\x05\x02';

for (const kind of ['http', 'https', 'socks5'] as const) {
	test(`options reach the credentials of an exit over ${kind}, however the client speaks`, async (t) => {
		const origin = await startOrigin(t);
		const { seen, port } = await startUpstream[kind](t);
		const list = `${kind}://carol[-country-{country}]:p%40ss-{session=none}@localhost:${port}`;
		const proxy = await startTestProxy(t, { upstreams: upstreamsOf(list) });
		for (const way of WAYS) {
			assert.match(await ask(t, proxy, way, `${KEY}_session-a1b2_country-US`, origin), /from the origin/);
			assert.match(await ask(t, proxy, way, KEY, origin), /from the origin/);
		}
		assert.deepEqual(
			seen,
			WAYS.flatMap(() => ['carol-country-US:p@ss-a1b2', 'carol:p@ss-none']),
		);
	});
}

test('options that are not known, cannot be read or are missing are refused, and nothing is connected to', async (t) => {
	const origin = await startOrigin(t);
	const { seen, port } = await startUpstream.http(t);
	const proxy = await startTestProxy(t, { upstreams: upstreamsOf(`http://carol-{country}:pass@localhost:${port}`) });
	const direct = await startTestProxy(t);
	for (const [each, sent] of [
		[proxy, '_country-US_city-x'],
		[proxy, '_country'],
		[proxy, '_country-US_country-DE'],
		[proxy, '_'],
		[proxy, ''],
		[direct, '_country-US'],
		[direct, '_'],
	] as const) {
		for (const way of WAYS) {
			const answer = await ask(t, each, way, `${KEY}${sent}`, origin);
			const isRefused = way === 'socks' ? answer.startsWith(WRONG_SOCKS) : WRONG.test(answer);
			assert.ok(isRefused, `${way} ${sent}: ${answer}`);
		}
	}
	// A wrong pair learns nothing of options.
	assert.match(await ask(t, proxy, 'plain', 'wrong_city-x', origin), /^HTTP\/1\.1 407 /);
	assert.match(await ask(t, proxy, 'plain', 'wrong_', origin), /^HTTP\/1\.1 407 /);
	assert.deepEqual(seen, []);
});

test('unknown options are let through if the operator says so', async (t) => {
	const origin = await startOrigin(t);
	const { seen, port } = await startUpstream.http(t);
	const upstreams = upstreamsOf(`http://carol[_{options}]:pass@localhost:${port}`, true);
	const proxy = await startTestProxy(t, { upstreams, passesUnknownOptions: true });
	const direct = await startTestProxy(t, { passesUnknownOptions: true });
	for (const each of [proxy, direct]) {
		assert.match(await ask(t, each, 'connect', `${KEY}_city-x_country-US`, origin), /from the origin/);
		assert.match(await ask(t, each, 'plain', `${KEY}_city`, origin), WRONG);
	}
	assert.deepEqual(seen, ['carol_city-x_country-US:pass']);
});

test('a session keeps its exit over connections, and others use all exits', async (t) => {
	const origin = await startOrigin(t);
	const exits = [await startUpstream.http(t), await startUpstream.socks5(t), await startUpstream.http(t)];
	const [one, two, three] = exits.map(({ port }) => `carol-{session}:pass@localhost:${port}`);
	const proxy = await startTestProxy(t, { upstreams: upstreamsOf(`http://${one} socks5://${two} http://${three}`) });
	for (let n = 0; n < 12; n++) {
		await ask(t, proxy, WAYS[n % WAYS.length] ?? 'plain', `${KEY}_session-s1`, origin);
	}
	const used = exits.filter(({ seen }) => seen.length > 0);
	assert.deepEqual(
		used.map(({ seen }) => seen),
		[Array.from({ length: 12 }, () => 'carol-s1:pass')],
	);
	for (let n = 0; n < 40; n++) await ask(t, proxy, 'connect', `${KEY}_session-t${n}`, origin);
	assert.ok(exits.every(({ seen }) => seen.length > 0));
});

test('an exit that dies is left out, metrics tell it, and it comes back', async (t) => {
	const origin = await startOrigin(t);
	const lasting = await startUpstream.http(t);
	const dying = await startUpstream.http(t);
	const upstreams = upstreamsOf(`http://localhost:${lasting.port} http://localhost:${dying.port} weight=1000`);
	const registry = new Registry();
	addUpstreamMetrics(upstreams.states, registry);
	const metric = async (name: string) => {
		const lines = (await registry.metrics())
			.split('\n')
			.filter((line) => line.startsWith(`bursar_edge_upstream_${name}`));
		return lines.map((line) => line.split(' ').at(-1)).join(' ');
	};
	const proxy = await startTestProxy(t, { upstreams });
	assert.match(await ask(t, proxy, 'plain', KEY, origin), /from the origin/);
	assert.equal(await metric('up'), '1 1');
	dying.close();
	await eventually(async () => {
		for (const way of WAYS) assert.match(await ask(t, proxy, way, KEY, origin), /from the origin/);
		assert.equal(await metric('up'), '1 0');
	}, LIMIT_MS);
	assert.equal(await metric('failures'), '0 2');
	assert.match(await registry.metrics(), new RegExp(`upstream_up\\{number="2",address="localhost:${dying.port}"\\} 0`));
	for (const way of WAYS) assert.match(await ask(t, proxy, way, KEY, origin), /from the origin/);
	const again = createServer((_request, response) => response.end('from the exit'));
	again.listen(dying.port, '127.0.0.1');
	t.after(() => again.close().closeAllConnections());
	await once(again, 'listening');
	await eventually(async () => {
		assert.match(await ask(t, proxy, 'plain', KEY, origin), /from the exit/);
		assert.equal(await metric('up'), '1 1');
	}, LIMIT_MS);
});

test('a client connection goes on through another exit when its exit has died', async (t) => {
	const origin = await startOrigin(t);
	const exits = [await startUpstream.http(t), await startUpstream.http(t)] as const;
	const upstreams = upstreamsOf(exits.map(({ port }) => `http://localhost:${port}`).join(' '));
	const proxy = await startTestProxy(t, { upstreams });
	const client = openRawClient(t, proxy.port);
	const request = `GET http://127.0.0.1:${origin}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basic('alice', KEY)}\r\n\r\n`;
	const answers = async (count: number) => {
		client.write(request);
		await eventually(async () => assert.equal(client.text().split('HTTP/1.1 ').length - 1, count), LIMIT_MS);
		return client.text().split('HTTP/1.1 ').at(-1) ?? '';
	};
	for (let n = 1; n < 5; n++) assert.match(await answers(n), /^200 /);
	const [used, unused] = exits[0].seen.length > 0 ? exits : [exits[1], exits[0]];
	assert.equal(used.seen.length, 4, 'all through one exit');
	assert.equal(unused.seen.length, 0);
	used.close();
	for (let n = 5; n < 9; n++) assert.match(await answers(n), /^200 /);
	assert.equal(unused.seen.length, 4, 'all through the other one');
	assert.equal(
		upstreams.states.map(({ failures }) => failures).reduce((sum, each) => sum + each),
		1,
	);
});

test('a client connection goes on through another exit once the lifetime of its session is over', async (t) => {
	const origin = await startOrigin(t);
	const exits = [await startUpstream.http(t), await startUpstream.http(t)];
	const list = exits.map(({ port }) => `http://carol-{session}:pass@localhost:${port}`).join(' ');
	let dateMs = Date.now();
	const upstreams = createUpstreams({
		exits: readUpstreamList(list),
		passesUnknownOptions: false,
		dateMs: () => dateMs,
	});
	const proxy = await startTestProxy(t, { upstreams });
	const client = openRawClient(t, proxy.port);
	const login = basic('alice', `${KEY}_session-s1_lifetime-1m`);
	const request = `GET http://127.0.0.1:${origin}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${login}\r\n\r\n`;
	for (let n = 1; n <= 40; n++) {
		client.write(request);
		await eventually(async () => assert.equal(client.text().split('from the origin').length, n + 1), LIMIT_MS);
		// Two requests in each lifetime.
		if (n % 2 === 0) dateMs += 60_000;
	}
	const logins = exits.flatMap(({ seen }) => seen);
	assert.ok(exits.every(({ seen }) => seen.length > 0));
	assert.deepEqual(
		[...new Set(logins)].map((each) => logins.filter((other) => other === each).length),
		Array.from({ length: 20 }, () => 2),
	);
});

/** An exit that does this with what it gets first on each connection. */
async function startRudeExit(test: TestContext, answer: (socket: Socket) => void) {
	const server = createTcpServer((socket) => socket.on('error', () => {}).once('data', () => answer(socket)));
	return (await listen(test, server)).port;
}

test('an exit that refuses its credentials is a 502, and asks the client for none', async (t) => {
	const head = 'HTTP/1.1 407 no\r\nProxy-Authenticate: Basic\r\nContent-Length: ';
	for (const answer of [`${head}0\r\n\r\n`, `${head}100000\r\n\r\nthe beginning`]) {
		const port = await startRudeExit(t, (socket) => socket.write(answer));
		const upstreams = upstreamsOf(`http://carol:S3cret@localhost:${port}`);
		const proxy = await startTestProxy(t, { upstreams });
		for (const way of ['plain', 'connect'] as const) {
			const told = await ask(t, proxy, way, KEY, 80);
			assert.match(told, /^HTTP\/1\.1 502 /);
			assert.doesNotMatch(told, /proxy-authenticate|carol|S3cret|beginning/i);
		}
		assert.equal(upstreams.states[0]?.failures, 2);
	}
});

test('an exit that closes without an answer is left out, for plain requests too', async (t) => {
	const port = await startRudeExit(t, (socket) => socket.end());
	for (const way of ['plain', 'connect'] as const) {
		const upstreams = upstreamsOf(`http://localhost:${port}`);
		const proxy = await startTestProxy(t, { upstreams });
		for (const _ of [1, 2]) assert.match(await ask(t, proxy, way, KEY, 80), /^HTTP\/1\.1 502 /);
		assert.equal(upstreams.states[0]?.isUp, false);
		assert.equal(upstreams.states[0]?.failures, 2);
	}
});

test('an origin that changes the protocol is no failure of the exit', async (t) => {
	const answer = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n';
	const port = await startRudeExit(t, (socket) => socket.write(answer));
	const upstreams = upstreamsOf(`http://localhost:${port}`);
	const proxy = await startTestProxy(t, { upstreams });
	assert.match(await ask(t, proxy, 'plain', KEY, 80), /^HTTP\/1\.1 502 /);
	assert.equal(upstreams.states[0]?.failures, 0);
});

test('over SOCKS, a destination that is not reached is told once, and is no failure of the exit', async (t) => {
	const { port } = await listen(
		t,
		createTcpServer((socket) => {
			let step = 0;
			socket
				.on('error', () => {})
				.on('data', () => {
					if (step++ === 0) socket.write(Buffer.from([5, 0]));
					else socket.end(Buffer.from([5, 5, 0, 1, 0, 0, 0, 0, 0, 0]));
				});
		}),
	);
	const upstreams = upstreamsOf(`socks5://localhost:${port}`);
	const proxy = await startTestProxy(t, { upstreams });
	for (const way of ['plain', 'connect', 'plain'] as const) assert.match(await ask(t, proxy, way, KEY, 80), / 502 /);
	assert.equal(upstreams.states[0]?.failures, 0);
	assert.ok(upstreams.states[0]?.isUp);
});
