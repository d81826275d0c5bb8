import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import { createUpstreams, type ListedUpstreams } from '../../../src/proxy/upstream/exits.ts';
import { readUpstreamList } from '../../../src/proxy/upstream/upstream-list.ts';
import { startCountingRelay } from '../../support/counting-relay.ts';
import { openRawClient, type RawClient } from '../../support/raw-client.ts';
import { basic, KEY, startEcho, startOrigin, startTestProxy, upstreamsOf } from '../../support/running-proxy.ts';
import { startUpstream } from '../../support/upstreams.ts';

const LIMIT_MS = 60_000;
const PAIR = `Proxy-Authorization: ${basic('alice', KEY)}\r\n`;

/** An exit that does this with its first bytes, and what came to it. */
async function startRudeExit(test: TestContext, answer: (socket: Socket) => void) {
	const seen: string[] = [];
	const server = createTcpServer((socket) => {
		socket
			.on('error', () => {})
			.once('data', (bytes) => {
				seen.push(bytes.toString('latin1'));
				answer(socket);
			});
	});
	return { seen, ...(await listen(test, server)) };
}

const closes = (socket: Socket): void => void socket.end();
const answers = (text: string) => (socket: Socket) => void socket.write(text);

/** The port of an exit that is dead. */
async function deadPort(test: TestContext): Promise<number> {
	const { port, close } = await listen(test, createTcpServer());
	close();
	return port;
}

/** Exits that clients without a session try in this order. */
function inOrder(...list: readonly string[]): ListedUpstreams {
	return createUpstreams({ exits: readUpstreamList(list.join(' ')), passesUnknownOptions: false, random: () => 0.5 });
}

const connectTo = (port: number) => `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n${PAIR}\r\n`;
const socksTo = (port: number) =>
	Buffer.concat([
		Buffer.from(`\x05\x01\x02\x01\x05alice\x10${KEY}`),
		Buffer.from([5, 1, 0, 1, 127, 0, 0, 1, port >> 8, port & 0xff]),
	]);
const get = (port: number, path = '/') =>
	`GET http://127.0.0.1:${port}${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${PAIR}\r\n`;
const GET_INSIDE = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

/** How clients ask an origin, and all that they send at once. */
const WAYS = {
	plain: (port: number) => [get(port)],
	connect: (port: number) => [connectTo(port), GET_INSIDE],
	socks: (port: number) => [socksTo(port), GET_INSIDE],
} as const satisfies Record<string, (port: number) => readonly (string | Buffer)[]>;

function send(client: RawClient, parts: readonly (string | Buffer)[]): Promise<string> {
	for (const part of parts) client.write(part);
	return client.closed;
}

for (const kind of ['http', 'https', 'socks5'] as const) {
	test(`a dead exit over ${kind} costs no client its request, and each byte counts once`, async (t) => {
		const asked: string[] = [];
		const origin = createServer((request, response) => {
			asked.push(request.url ?? '');
			response.end('from the origin');
		});
		const { port: originPort } = await listen(t, origin);
		for (const other of ['http', 'https', 'socks5'] as const) {
			const { port } = await startUpstream[other](t);
			const upstreams = inOrder(`${kind}://localhost:${await deadPort(t)}`, `${other}://carol:pass@localhost:${port}`);
			const proxy = await startTestProxy(t, { upstreams });
			const relay = await startCountingRelay(t, proxy.port);
			for (const way of Object.values(WAYS)) {
				assert.match(await send(openRawClient(t, relay.port), way(originPort)), /from the origin/);
				assert.equal(asked.splice(0).length, 1);
			}
			await eventually(async () => assert.deepEqual(proxy.service.usedBy('alice'), relay.bytes), LIMIT_MS);
			assert.ok((upstreams.states[0]?.failures ?? 0) >= 2);
			assert.equal(upstreams.states[1]?.failures, 0);
		}
	});
}

test('the body of a request reaches the other exit once and whole', async (t) => {
	const bodies: string[] = [];
	const exit = createServer(async (request, response) => {
		let body = '';
		for await (const bytes of request) body += bytes;
		bodies.push(body);
		response.end('done');
	});
	const { port } = await listen(t, exit);
	for (const first of ['http', 'https', 'socks5']) {
		const upstreams = inOrder(`${first}://localhost:${await deadPort(t)}`, `http://localhost:${port}`);
		const proxy = await startTestProxy(t, { upstreams });
		const relay = await startCountingRelay(t, proxy.port);
		const body = 'b'.repeat(3_000_000);
		const head = `POST http://origin.example/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${PAIR}Content-Length: ${body.length}\r\n\r\n`;
		assert.match(await send(openRawClient(t, relay.port), [head, body]), /done/);
		assert.deepEqual(
			bodies.splice(0).map((each) => each === body),
			[true],
		);
		await eventually(async () => assert.deepEqual(proxy.service.usedBy('alice'), relay.bytes), LIMIT_MS);
	}
});

test('a client that waits to send its body is told to go on by the other exit', async (t) => {
	const exit = createServer((request, response) => void request.resume().on('end', () => response.end('done')));
	const { port } = await listen(t, exit);
	const upstreams = inOrder(`http://localhost:${await deadPort(t)}`, `http://localhost:${port}`);
	const proxy = await startTestProxy(t, { upstreams });
	const client = openRawClient(t, proxy.port);
	client.write(
		`PUT http://origin.example/ HTTP/1.1\r\nHost: x\r\n${PAIR}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`,
	);
	await client.until('HTTP/1.1 100 ');
	client.write('hello');
	await client.until('done');
});

test('a plain request that has reached an exit is never sent to another one', async (t) => {
	for (const [what, answer] of Object.entries({
		'it closes': closes,
		'it resets': (socket: Socket): void => void socket.resetAndDestroy(),
		'it refuses its credentials': answers('HTTP/1.1 407 no\r\nContent-Length: 0\r\n\r\n'),
		'it fails': answers('HTTP/1.1 503 no\r\nX-Squid-Error: ERR_CANNOT_FORWARD 0\r\nContent-Length: 0\r\n\r\n'),
	})) {
		const first = await startRudeExit(t, answer);
		const second = await startUpstream.http(t);
		const upstreams = inOrder(`http://localhost:${first.port}`, `http://localhost:${second.port}`);
		const proxy = await startTestProxy(t, { upstreams });
		for (const request of [
			get(80),
			`POST http://origin.example/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${PAIR}Content-Length: 400000\r\n\r\n`,
		]) {
			const body = request.startsWith('POST') ? ['b'.repeat(400_000)] : [];
			assert.match(await send(openRawClient(t, proxy.port), [request, ...body]), /^HTTP\/1\.1 502 /, what);
		}
		assert.deepEqual([first.seen.length, second.seen.length], [2, 0], what);
	}
});

test('what a client sends before its answer goes through one exit, once', async (t) => {
	const echo = await startEcho(t);
	const early = Buffer.alloc(300_000, 'early ');
	for (const [what, answer] of Object.entries({
		'it closes': closes,
		'it refuses its credentials': answers('HTTP/1.1 407 no\r\n\r\n'),
		'it has no traffic left': answers('HTTP/1.1 402 no\r\n\r\n'),
	})) {
		const first = await startRudeExit(t, answer);
		const second = await startUpstream.http(t);
		const upstreams = inOrder(`http://localhost:${first.port}`, `http://localhost:${second.port}`);
		const proxy = await startTestProxy(t, { upstreams });
		for (const opening of [connectTo(echo), socksTo(echo)]) {
			const relay = await startCountingRelay(t, proxy.port);
			const before = proxy.service.usedBy('alice');
			const client = openRawClient(t, relay.port);
			client.write(opening);
			client.write(early);
			client.socket.end();
			const text = await client.closed;
			assert.equal(text.slice(-early.length), early.toString(), what);
			await eventually(async () => {
				const { up, down } = proxy.service.usedBy('alice');
				assert.deepEqual({ up: up - before.up, down: down - before.down }, relay.bytes);
			}, LIMIT_MS);
		}
		assert.equal(second.seen.length, 2);
		assert.ok(first.seen.every((text) => !text.includes('early')));
	}
});

test('a destination that an exit does not reach is asked for once, and harms no exit', async (t) => {
	for (const [kind, answer] of [
		['http', answers('HTTP/1.1 502 no\r\n\r\n')],
		['http', answers('HTTP/1.1 503 no\r\n\r\n')],
		['http', answers('HTTP/1.1 403 no\r\n\r\n')],
		['http', answers('HTTP/1.1 500 Unable to connect\r\n\r\n')],
		[
			'socks5',
			(socket: Socket) =>
				void socket
					.once('data', () => socket.end(Buffer.from([5, 5, 0, 1, 0, 0, 0, 0, 0, 0])))
					.write(Buffer.from([5, 0])),
		],
	] as const) {
		const exits = await Promise.all([1, 2, 3].map(() => startRudeExit(t, answer)));
		const upstreams = inOrder(...exits.map(({ port }) => `${kind}://localhost:${port}`));
		const proxy = await startTestProxy(t, { upstreams });
		for (let n = 1; n <= 4; n++) {
			assert.match(await send(openRawClient(t, proxy.port), [connectTo(80)]), /^HTTP\/1\.1 502 /);
			assert.equal(exits.flatMap(({ seen }) => seen).length, n);
		}
		assert.ok(upstreams.states.every(({ isUp, failures }) => isUp && failures === 0));
	}
});

test('a destination at which all exits close the connection counts against the first one only', async (t) => {
	const exits = await Promise.all([1, 2, 3, 4].map(() => startRudeExit(t, closes)));
	const upstreams = inOrder(...exits.map(({ port }) => `http://localhost:${port}`));
	const proxy = await startTestProxy(t, { upstreams });
	for (let n = 1; n <= 2; n++) {
		assert.match(await send(openRawClient(t, proxy.port), [connectTo(80)]), /^HTTP\/1\.1 502 /);
		assert.equal(exits.flatMap(({ seen }) => seen).length, n * 3, 'at most three exits');
	}
	assert.deepEqual(
		upstreams.states.map(({ isUp }) => isUp),
		[false, true, true, true],
	);
});

test('no exit is tried for a client that is gone', async (t) => {
	const first = await startRudeExit(t, closes);
	let ended = 0;
	const second = await startRudeExit(t, (socket) => void socket.on('close', () => ended++));
	const third = await startUpstream.http(t);
	const upstreams = inOrder(...[first, second, third].map(({ port }) => `http://localhost:${port}`));
	const proxy = await startTestProxy(t, { upstreams });
	for (const [n, opening] of [connectTo(80), socksTo(80), get(80)].entries()) {
		const client = openRawClient(t, proxy.port);
		client.write(opening);
		await eventually(async () => assert.equal(second.seen.length, n + 1), LIMIT_MS);
		client.socket.resetAndDestroy();
		await eventually(async () => assert.equal(ended, n + 1), LIMIT_MS);
		// A plain request that has reached an exit goes to no other one.
		if (n === 1) first.close();
	}
	assert.deepEqual(third.seen, []);
	assert.deepEqual(
		upstreams.states.slice(1).map(({ failures }) => failures),
		[0, 0],
	);
});

test('an exit that is killed under load fails no tunnel, and no request that begins later', async (t) => {
	const origin = await startOrigin(t);
	const dying = await startUpstream.http(t);
	const lasting = await startUpstream.socks5(t);
	const upstreams = upstreamsOf(
		`http://localhost:${dying.port} weight=3 socks5://carol:pass@localhost:${lasting.port}`,
	);
	const proxy = await startTestProxy(t, { upstreams });
	let isKilled = false;
	let isOver = false;
	const done = { plain: 0, connect: 0, socks: 0 };
	const failed: string[] = [];

	async function load(way: keyof typeof WAYS): Promise<void> {
		while (!isOver) {
			const beganAfter = isKilled;
			const text = await send(openRawClient(t, proxy.port), WAYS[way](origin));
			// A tunnel that was open, and a request that was sent, end with the exit.
			const isOpen = text.startsWith('HTTP/1.1 200 ') || text.startsWith('\x05\x02\x01\0\x05\0');
			const isBegun = way === 'plain' ? !beganAfter : isOpen;
			if (isBegun || text.includes('from the origin')) done[way]++;
			else failed.push(`${way}: ${text}`);
		}
	}

	const clients = Array.from({ length: 8 }, () => Object.keys(WAYS) as (keyof typeof WAYS)[]).flat();
	const running = clients.map(load);
	const hasDone = (least: number) =>
		eventually(async () => assert.ok(Object.values(done).every((count) => count >= least)), LIMIT_MS);
	await hasDone(50);
	dying.close();
	isKilled = true;
	await hasDone(Math.max(...Object.values(done)) + 100);
	isOver = true;
	await Promise.all(running);
	assert.deepEqual(failed, []);
	assert.equal(upstreams.states[0]?.isUp, false);
	assert.ok(dying.seen.length > 0 && lasting.seen.length > 0);
});
