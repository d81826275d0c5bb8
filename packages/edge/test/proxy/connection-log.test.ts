import assert from 'node:assert/strict';
import { createServer as createTcpServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createLogger } from '@bursar/terminal/logger';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import { claimedName, createConnectionLog } from '../../src/proxy/account/connection-log.ts';
import type { ProxyOptions } from '../../src/proxy/proxy.ts';
import { openRawClient } from '../support/raw-client.ts';
import {
	basic,
	KEY,
	startEcho,
	startOrigin,
	startTestProxy,
	type TestProxy,
	upstreamsOf,
} from '../support/running-proxy.ts';
import { startUpstream } from '../support/upstreams.ts';

const LIMIT_MS = 60_000;
const BOB = basic('bob.b', 'Bbbbbbbb12345678');

interface Line {
	readonly [name: string]: unknown;
	readonly bytesUp: number;
	readonly bytesDown: number;
	readonly reason: string;
}

async function setUp(test: TestContext, options: Partial<ProxyOptions> = {}) {
	let text = '';
	const logger = createLogger('info', {
		write(line) {
			text += line;
		},
	});
	const lines = (kind: string): Line[] =>
		text
			.split('\n')
			.filter((line) => line.includes(`"msg":"${kind}"`))
			.map((line) => JSON.parse(line));
	const proxy = await startTestProxy(test, { logger, ...options });
	const echo = await startEcho(test);
	const ended = (count: number) =>
		eventually(async () => {
			assert.equal(lines('connection').length, count);
			return lines('connection');
		}, LIMIT_MS);
	return { proxy, echo, lines, ended, text: () => text };
}

const connectTo = (target: string, pair = basic('alice', KEY)) =>
	`CONNECT ${target} HTTP/1.1\r\nProxy-Authorization: ${pair}\r\n\r\n`;

function open(test: TestContext, { port }: TestProxy, target: string, pair?: string) {
	const client = openRawClient(test, port);
	client.write(connectTo(target, pair));
	return client;
}

const get = (url: string, pair = basic('alice', KEY)) =>
	`GET ${url} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${pair}\r\n\r\n`;

test('a tunnel is a line: who, from where, where to, how many bytes, how long, and why it ended', async (t) => {
	const { proxy, echo, ended, text } = await setUp(t);
	const client = open(t, proxy, `127.0.0.1:${echo}`);
	const { length: head } = await client.until('\r\n\r\n');
	client.write('hello');
	await client.until('hello');
	client.socket.end();
	await client.closed;
	const [line] = await ended(1);
	const { time: _time, durationMs, ...rest } = line as Line;
	assert.ok(Number.isInteger(durationMs));
	assert.deepEqual(rest, {
		level: 'info',
		msg: 'connection',
		account: 'alice',
		client: '127.0.0.1',
		destination: `127.0.0.1:${echo}`,
		bytesUp: connectTo(`127.0.0.1:${echo}`).length + 5,
		bytesDown: head + 5,
		reason: 'closed_by_client',
	});
	assert.ok(!text().includes(KEY));
});

test('a tunnel through an upstream tells which one, what the client asked for, and which side ended it', async (t) => {
	const { port } = await startUpstream.http(t);
	const dead = await listen(t, createTcpServer());
	dead.close();
	const long = `a-${'v'.repeat(64)}_b-${'v'.repeat(64)}_c-${'v'.repeat(64)}_d-${'v'.repeat(64)}`;
	for (const [list, upstream, sent, options] of [
		[`http://carol[-{country}]:S3cret@localhost:${port}`, 1, '', undefined],
		[`http://carol[-{country}]:S3cret@localhost:${port}`, 1, '_country-US', 'country-US'],
		// The first one is dead, and nearly every connection tries it.
		[`http://localhost:${dead.port} weight=1000 http://carol:S3cret@localhost:${port}`, 2, '', undefined],
		[`http://carol-{a}{b}{c}{d}:S3cret@localhost:${port}`, 1, `_${long}`, long.slice(0, 256)],
	] as const) {
		const { proxy, echo, ended, text } = await setUp(t, { upstreams: upstreamsOf(list) });
		const client = open(t, proxy, `127.0.0.1:${echo}`, basic('alice', `${KEY}${sent}`));
		client.write('hello');
		await client.until('hello');
		client.socket.end();
		await client.closed;
		const [line] = await ended(1);
		assert.deepEqual(
			[line?.account, line?.destination, line?.reason, line?.upstream, line?.upstreamAddress, line?.options],
			['alice', `127.0.0.1:${echo}`, 'closed_by_client', upstream, `localhost:${port}`, options],
		);
		for (const secret of ['carol', 'S3cret', KEY]) assert.ok(!text().includes(secret));
	}
});

test('requests through another upstream, or with other options, are a line of their own, and no byte is lost', async (t) => {
	const exits = [await startUpstream.http(t), await startUpstream.http(t)];
	const list = exits.map(({ port }) => `http://carol[-{session}]:S3cret@localhost:${port}`).join(' ');
	const { proxy, lines, ended } = await setUp(t, { upstreams: upstreamsOf(list) });
	const origin = await startOrigin(t);
	const client = openRawClient(t, proxy.port);
	let answers = 0;
	const ask = async (sent: string) => {
		client.write(get(`http://127.0.0.1:${origin}/`, basic('alice', `${KEY}${sent}`)));
		answers++;
		await eventually(async () => assert.equal(client.text().split('from the origin').length, answers + 1), LIMIT_MS);
	};
	await ask('_session-s1');
	await ask('_session-s1');
	const used = exits.findIndex(({ seen }) => seen.length > 0);
	exits[used]?.close();
	await ask('_session-s1');
	await ask('_session-s2');
	client.socket.destroy();
	await ended(3);
	assert.deepEqual(
		lines('connection').map(({ upstream, options }) => [upstream, options]),
		[
			[used + 1, 'session-s1'],
			[2 - used, 'session-s1'],
			[2 - used, 'session-s2'],
		],
	);
	await proxy.reporter.flush();
	for (const [name, key] of [
		['up', 'bytesUp'],
		['down', 'bytesDown'],
	] as const) {
		const sum = lines('connection').reduce((total, line) => total + line[key], 0);
		assert.equal(proxy.service.usedBy('alice')[name], sum);
	}
});

for (const by of ['the proxy', 'an upstream']) {
	test(`a client that ends while its pair is checked ends its tunnel by ${by}`, async (t) => {
		const upstream = by === 'an upstream' ? await startUpstream.http(t) : undefined;
		const { proxy, echo, ended } = await setUp(t, {
			...(upstream && { upstreams: upstreamsOf(`http://localhost:${upstream.port}`) }),
		});
		const { promise: held, resolve: release } = Promise.withResolvers<void>();
		proxy.service.held = held;
		const client = open(t, proxy, `127.0.0.1:${echo}`);
		await eventually(async () => assert.equal(proxy.service.requests.get('/edge/v1/check'), 1), LIMIT_MS);
		await new Promise<void>((resolve) => client.socket.end(resolve));
		release();
		assert.match(await client.closed, /^HTTP\/1\.1 200 /);
		const [line] = await ended(1);
		assert.equal(line?.reason, 'closed_by_client');
	});
}

test('requests on one connection are a line for each destination, and the lines add up to what is counted', async (t) => {
	const { proxy, ended } = await setUp(t);
	const [one, two] = [await startOrigin(t), await startOrigin(t)];
	const client = openRawClient(t, proxy.port);
	const requests = [
		get(`http://127.0.0.1:${one}/secret-path`),
		get(`http://127.0.0.1:${one}/`),
		get(`http://127.0.0.1:${two}/`),
	];
	for (const [index, request] of [...requests, get(`http://127.0.0.1:${two}/`, BOB)].entries()) {
		client.write(request);
		await eventually(async () => assert.equal(client.text().split('from the origin').length, index + 2), LIMIT_MS);
	}
	client.socket.destroy();
	const lines = await ended(3);
	assert.deepEqual(
		lines.map(({ account, destination, reason }) => [account, destination, reason]),
		[
			['alice', `127.0.0.1:${one}`, 'next_destination'],
			['alice', `127.0.0.1:${two}`, 'next_destination'],
			['bob.b', `127.0.0.1:${two}`, 'closed'],
		],
	);
	assert.doesNotMatch(JSON.stringify(lines), /secret-path/);
	await proxy.reporter.flush();
	for (const account of ['alice', 'bob.b']) {
		const own = lines.filter((line) => line.account === account);
		const sum = {
			up: own.reduce((all, { bytesUp }) => all + bytesUp, 0),
			down: own.reduce((all, { bytesDown }) => all + bytesDown, 0),
		};
		assert.deepEqual(sum, proxy.service.usedBy(account));
	}
});

test('a connection goes on after a destination that cannot be reached, and each has its own reason', async (t) => {
	const { proxy, ended } = await setUp(t);
	const client = openRawClient(t, proxy.port);
	client.write(get('http://127.0.0.1:1/'));
	await client.until('cannot be reached');
	client.write(get(`http://127.0.0.1:${await startOrigin(t)}/`));
	await client.until('from the origin');
	client.socket.destroy();
	const lines = await ended(2);
	assert.deepEqual(
		lines.map(({ reason }) => reason),
		['bad_gateway', 'closed'],
	);
});

test('the line says why a connection ended', async (t) => {
	const { proxy, echo, ended } = await setUp(t, { destinations: { allowPrivate: false, allowed: [] } });
	const reasons = async (count: number) => (await ended(count)).map(({ reason }) => reason);
	await open(t, proxy, `127.0.0.1:${echo}`).closed;
	await open(t, proxy, 'origin.example:25').closed;
	assert.deepEqual(await reasons(2), ['refused_destination', 'closed_port']);
	const { proxy: open2, echo: echo2, ended: ended2 } = await setUp(t);
	await open(t, open2, '127.0.0.1:1').closed;
	const { port: closing } = await listen(
		t,
		createTcpServer((socket) => void socket.end('bye')),
	);
	await open(t, open2, `127.0.0.1:${closing}`).closed;
	const cut = open(t, open2, `127.0.0.1:${echo2}`);
	await cut.until('\r\n\r\n');
	open2.service.keys.set('alice', 'New45678New45678');
	await cut.closed;
	const stopped = open(t, open2, `127.0.0.1:${echo2}`, BOB);
	await stopped.until('\r\n\r\n');
	await open2.stop(0);
	assert.deepEqual(
		(await ended2(4)).map(({ reason }) => reason),
		['bad_gateway', 'closed_by_destination', 'pair_refused', 'stopping'],
	);
});

test('refused clients are lines without their password', async (t) => {
	const { proxy, echo, lines, text } = await setUp(t, { maxConnectionsPerAccount: 1, maxConnectionsPerClient: 2 });
	await open(t, proxy, `127.0.0.1:${echo}`, basic('alice', 'GuessedPassword1')).closed;
	await open(t, proxy, `127.0.0.1:${echo}`, basic(KEY, 'alice')).closed;
	const first = open(t, proxy, `127.0.0.1:${echo}`);
	await first.until('\r\n\r\n');
	const second = open(t, proxy, `127.0.0.1:${echo}`);
	await second.until('\r\n\r\n');
	await open(t, proxy, `127.0.0.1:${echo}`).closed;
	const common = { level: 'info', msg: 'refused', client: '127.0.0.1' };
	const destination = `127.0.0.1:${echo}`;
	assert.deepEqual(
		lines('refused').map(({ time: _time, ...line }) => line),
		[
			{ ...common, reason: 'wrong_pair', account: 'alice', destination },
			{ ...common, reason: 'wrong_pair', destination },
			{ ...common, reason: 'too_many_of_account', account: 'alice', destination },
			{ ...common, reason: 'too_many_of_client' },
		],
	);
	for (const secret of [KEY, KEY.toLowerCase(), 'GuessedPassword1']) assert.ok(!text().includes(secret));
});

test('the log can be turned off', async (t) => {
	const { proxy, echo, lines } = await setUp(t, { logsConnections: false });
	await open(t, proxy, `127.0.0.1:${echo}`, basic('alice', 'wrong')).closed;
	const client = open(t, proxy, `127.0.0.1:${echo}`);
	await client.until('\r\n\r\n');
	client.socket.destroy();
	await eventually(async () => assert.equal(proxy.stats.connections, 0), LIMIT_MS);
	assert.deepEqual([...lines('connection'), ...lines('refused')], []);
});

test('of a flood of refusals fifty lines are written in a second, and the next one says how many were left out', () => {
	const lines: Line[] = [];
	const clock = { nowMs: 0 };
	const logger = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) });
	const log = createConnectionLog(logger, () => clock.nowMs);
	for (let refusal = 0; refusal < 1_000; refusal++) log.refused({ client: '192.0.2.1', reason: 'wrong_pair' });
	assert.equal(lines.length, 50);
	clock.nowMs = 1_000;
	for (let refusal = 0; refusal < 2; refusal++) log.refused({ client: '192.0.2.1', reason: 'wrong_pair' });
	assert.deepEqual(
		lines.slice(50).map(({ leftOut }) => leftOut),
		[950, undefined],
	);
});

test('what looks like a key is not logged as a name', () => {
	assert.equal(claimedName('alice.smith'), 'alice.smith');
	assert.equal(claimedName('Alice'), 'Alice');
	for (const text of [KEY, `${KEY}_us`, `${KEY}_country-US`, 'a b', '', 'x'.repeat(33), 'line\nbreak']) {
		assert.equal(claimedName(text), undefined, text);
	}
});
