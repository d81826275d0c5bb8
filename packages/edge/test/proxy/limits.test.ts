import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { answerTo, openRawClient } from '../support/raw-client.ts';
import {
	basic,
	KEY,
	startEcho,
	startOrigin,
	startTestProxy,
	type TestProxy,
	upstreamsOf,
} from '../support/running-proxy.ts';

const LIMIT_MS = 60_000;
const PAIR = basic('alice', KEY);
const OTHER_PAIR = basic('bob.b', 'Bbbbbbbb12345678');

function connect(test: TestContext, { port }: TestProxy, target: number, pair = PAIR) {
	const client = openRawClient(test, port);
	client.write(`CONNECT 127.0.0.1:${target} HTTP/1.1\r\nProxy-Authorization: ${pair}\r\n\r\n`);
	return client;
}

const plainTo = (port: number) =>
	`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${PAIR}\r\n\r\n`;

test('a client with too many connections is told so, and those before go on', async (t) => {
	const proxy = await startTestProxy(t, { maxConnectionsPerClient: 2 });
	const [echo, origin] = [await startEcho(t), await startOrigin(t)];
	const first = connect(t, proxy, echo);
	const second = connect(t, proxy, echo);
	await Promise.all([first.until('\r\n\r\n'), second.until('\r\n\r\n')]);
	assert.match(await connect(t, proxy, echo).closed, /^HTTP\/1\.1 429 .*\r\nretry-after: 2\r\n/is);
	const plain = await answerTo(t, proxy.port, plainTo(origin));
	assert.match(plain, /^HTTP\/1\.1 429 .*This address has too many connections\.$/s);
	assert.equal(proxy.stats.dropped, 2);
	first.write('still here');
	await first.until('still here');
	second.socket.destroy();
	await eventually(async () => assert.equal(proxy.stats.connections, 1), LIMIT_MS);
	assert.match(await connect(t, proxy, echo).until('\r\n\r\n'), / 200 /);
});

test('a client with too many connections that asks nothing is closed soon', async (t) => {
	const proxy = await startTestProxy(t, { maxConnectionsPerClient: 1 });
	await connect(t, proxy, await startEcho(t)).until('\r\n\r\n');
	const silent = Array.from({ length: 300 }, () => openRawClient(t, proxy.port));
	for (const { closed } of silent) assert.equal(await closed, '');
	assert.equal(proxy.stats.dropped, 300);
});

test('an account with too many connections is told so, and other accounts are served', async (t) => {
	const proxy = await startTestProxy(t, { maxConnectionsPerAccount: 2 });
	const echo = await startEcho(t);
	const [first, second] = [connect(t, proxy, echo), connect(t, proxy, echo)];
	await Promise.all([first.until('\r\n\r\n'), second.until('\r\n\r\n')]);
	assert.match(await connect(t, proxy, echo).closed, /^HTTP\/1\.1 429 Too many connections of this account here\r\n/);
	assert.match(await connect(t, proxy, echo, OTHER_PAIR).until('\r\n\r\n'), / 200 /);
	first.write('still here');
	await first.until('still here');
	second.socket.destroy();
	await eventually(async () => assert.equal(proxy.stats.connections, 2), LIMIT_MS);
	assert.match(await connect(t, proxy, echo).until('\r\n\r\n'), / 200 /);
});

test('ports of mail are closed, for tunnels and plain requests, also behind an upstream', async (t) => {
	for (const upstreams of [undefined, upstreamsOf('http://127.0.0.1:1')]) {
		const proxy = await startTestProxy(t, { upstreams });
		for (const port of [25, 465, 587]) {
			assert.match(await connect(t, proxy, port).closed, /^HTTP\/1\.1 403 .*This port is not served here\.$/s);
			assert.match(await answerTo(t, proxy.port, plainTo(port)), /^HTTP\/1\.1 403 /);
		}
	}
});

test('the operator says which ports are closed, or which alone are open', async (t) => {
	const [echo, other] = [await startEcho(t), await startEcho(t)];
	const allowPrivate = true;
	for (const destinations of [
		{ allowPrivate, closedPorts: [other] },
		{ allowPrivate, openPorts: [echo] },
	]) {
		const proxy = await startTestProxy(t, { destinations });
		assert.match(await connect(t, proxy, echo).until('\r\n\r\n'), / 200 /);
		assert.match(await connect(t, proxy, other).closed, / 403 /);
	}
	const mail = await startTestProxy(t, { destinations: { allowPrivate, closedPorts: [] } });
	assert.match(await connect(t, mail, 25).closed, / 502 /);
});
