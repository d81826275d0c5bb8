import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { oneAtATime } from '../../../src/http/server/connections/one-at-a-time.ts';
import { watchConnections } from '../../../src/http/server/connections/quiet-connections.ts';

const LIMITS = { keepAliveMs: 72_000, stalledMs: 120_000 };
/** More than the sockets of both sides can hold. */
const LARGE = Buffer.alloc(32 * 1024 * 1024);
const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

/** A server, and a function that looks at its connections at a time that the test chooses. */
async function startServer(t: TestContext, answer: string | Buffer | undefined) {
	const server = createServer(
		oneAtATime((_request, response) => {
			if (answer !== undefined) response.end(answer);
		}),
	);
	server.timeout = 0;
	server.keepAliveTimeout = 0;
	const look = watchConnections(server, LIMITS);
	await once(server.listen(0, '127.0.0.1'), 'listening');
	t.after(() => {
		server.close();
		server.closeAllConnections();
	});
	return { server, look };
}

/** Both ends of a new connection. */
async function open(server: Server) {
	const accepted = once(server, 'connection');
	const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
	client.on('error', () => {});
	const [socket] = (await accepted) as [Socket];
	return { client, socket };
}

test('a connection is closed once it was unused between requests for 72 seconds', async (t) => {
	const { server, look } = await startServer(t, 'done');
	const { client, socket } = await open(server);
	client.write(GET);
	await once(client, 'data');
	const nowMs = performance.now();
	look(nowMs);
	look(nowMs + 71_000);
	assert.equal(socket.destroyed, false);
	client.write(GET);
	await once(client, 'data');
	look(nowMs + 71_500);
	look(nowMs + 143_000);
	assert.equal(socket.destroyed, false, 'the second request began a new time');
	look(nowMs + 144_000);
	assert.equal(socket.destroyed, true);
});

test('a connection is closed 120 seconds after the last byte of an unanswered request, or without any request', async (t) => {
	const { server, look } = await startServer(t, undefined);
	const waiting = await open(server);
	const silent = await open(server);
	waiting.client.write(GET);
	await once(server, 'request');
	const nowMs = performance.now();
	look(nowMs);
	look(nowMs + 119_000);
	assert.deepEqual([waiting.socket.destroyed, silent.socket.destroyed], [false, false]);
	look(nowMs + 121_000);
	assert.deepEqual([waiting.socket.destroyed, silent.socket.destroyed], [true, true]);
});

test('while an answer is being written, only a timer that sees the writing may close the connection', async (t) => {
	const { server, look } = await startServer(t, LARGE);
	const { client, socket } = await open(server);
	client.write(GET);
	await once(client, 'readable');
	const nowMs = performance.now();
	look(nowMs);
	assert.equal(socket.timeout, LIMITS.stalledMs);
	look(nowMs + 1_000_000);
	assert.equal(socket.destroyed, false);
	client.resume();
	while (socket.writableLength > 0) await setTimeout(5);
	look(nowMs + 1_000_001);
	assert.equal(socket.timeout, 0);
	look(nowMs + 1_073_000);
	assert.equal(socket.destroyed, true);
});
