import assert from 'node:assert/strict';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import { MAX_REST_BYTES } from '../../src/proxy/http/end-answer.ts';
import { startCountingRelay } from '../support/counting-relay.ts';
import { answerTo, openRawClient } from '../support/raw-client.ts';
import { basic, KEY, startOrigin, startTestProxy, upstreamsOf } from '../support/running-proxy.ts';

const LIMIT_MS = 120_000;
/** Far above the time limit of the tests: nothing here is ended because nothing moves. */
const IDLE_MS = 1_000_000;
const PAIR = `Host: x\r\nProxy-Authorization: ${basic('alice', KEY)}\r\n`;
/** Nothing listens on it. */
const CLOSED_PORT = 1;

function upload(port: number, bytes: number, headers = ''): string {
	const head = `POST http://127.0.0.1:${port}/ HTTP/1.1\r\n${PAIR}${headers}`;
	return `${head}Content-Length: ${bytes}\r\n\r\n${'z'.repeat(bytes)}`;
}

/** An origin that answers when the head of a request has come, and reads nothing of the body. */
async function startHasty(test: TestContext, answer: (socket: Socket) => void): Promise<number> {
	const server = createServer({ pauseOnConnect: true }, (socket) => {
		socket
			.on('error', () => {})
			.once('readable', () => {
				socket.read(1);
				answer(socket);
			});
	});
	return (await listen(test, server)).port;
}

for (const bytes of [200_000, 20_000_000]) {
	test(`a client that sends ${bytes} bytes to a destination that refuses gets its answer, and the one of its next request`, async (t) => {
		const proxy = await startTestProxy(t, { checkTimeoutMs: LIMIT_MS, idleMs: IDLE_MS });
		const relay = await startCountingRelay(t, proxy.port);
		const origin = await startOrigin(t);
		const client = openRawClient(t, relay.port);
		client.write(`${upload(CLOSED_PORT, bytes)}GET http://127.0.0.1:${origin}/ HTTP/1.1\r\n${PAIR}\r\n`);
		assert.match(await client.until('from the origin'), /^HTTP\/1\.1 502 .*HTTP\/1\.1 200 /s);
		assert.match(
			await answerTo(t, relay.port, upload(CLOSED_PORT, bytes, 'Connection: close\r\n')),
			/^HTTP\/1\.1 502 /,
		);
		await eventually(async () => assert.deepEqual(proxy.service.usedBy('alice'), relay.bytes), LIMIT_MS);
	});
}

test('a client whose origin answers early and resets gets that answer, and the one of its next request', async (t) => {
	const proxy = await startTestProxy(t, { checkTimeoutMs: LIMIT_MS, idleMs: IDLE_MS });
	const hasty = await startHasty(t, (socket) =>
		socket.write('HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\nno', () => socket.resetAndDestroy()),
	);
	const origin = await startOrigin(t);
	const client = openRawClient(t, proxy.port);
	client.write(`${upload(hasty, 5_000_000)}GET http://127.0.0.1:${origin}/ HTTP/1.1\r\n${PAIR}\r\n`);
	assert.match(await client.until('from the origin'), /^HTTP\/1\.1 401 .*no.*HTTP\/1\.1 200 /s);
});

test('an origin that answers early keeps no client, whether it reads the rest or not', async (t) => {
	const proxy = await startTestProxy(t, { checkTimeoutMs: LIMIT_MS, idleMs: IDLE_MS });
	const hasty = await startHasty(t, (socket) =>
		socket.write('HTTP/1.1 405 No\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno'),
	);
	const origin = await startOrigin(t);
	for (const [early, answer] of [
		[hasty, 'no'],
		[origin, 'from the origin'],
	] as const) {
		const client = openRawClient(t, proxy.port);
		client.write(upload(early, 20_000_000));
		await client.until(answer);
		client.write(`GET http://127.0.0.1:${origin}/?next HTTP/1.1\r\n${PAIR}\r\n`);
		await eventually(async () => assert.match(client.text(), /HTTP.*HTTP.*from the origin$/s), LIMIT_MS);
	}
});

test('clients that go after the early answer to their upload leave nothing behind', async (t) => {
	const proxy = await startTestProxy(t, { checkTimeoutMs: LIMIT_MS, idleMs: IDLE_MS });
	const hasty = await startHasty(t, (socket) => socket.end('HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno'));
	for (const port of [CLOSED_PORT, hasty]) {
		const clients = Array.from({ length: 20 }, () => openRawClient(t, proxy.port));
		await Promise.all(
			clients.map(async (client) => {
				// The rest never comes.
				client.write(upload(port, 5_000_000).slice(0, 3_000_000));
				await client.until('HTTP/1.1 ');
				client.socket.end();
			}),
		);
		await eventually(async () => assert.equal(proxy.stats.connections, 0), LIMIT_MS);
	}
});

test('the answer of an origin that answers and closes reaches the client, whatever was still sent', async (t) => {
	const hasty = await startHasty(t, (socket) => {
		socket.end('HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 8\r\n\r\ntoo much');
		socket.once('finish', () => socket.destroy());
	});
	const exit = createHttpServer((request, response) => {
		response.writeHead(413, { connection: 'close', 'content-length': 8 }).end('too much');
		response.once('finish', () => request.socket.destroy());
	});
	const { port: exitPort } = await listen(t, exit);
	for (const upstreams of [undefined, upstreamsOf(`http://127.0.0.1:${exitPort}`)]) {
		const proxy = await startTestProxy(t, { checkTimeoutMs: LIMIT_MS, idleMs: IDLE_MS, upstreams });
		for (let round = 0; round < 40; round++) {
			const client = openRawClient(t, proxy.port);
			client.write(upload(hasty, 200_000 + 10_000 * round));
			assert.match(await client.until('too much'), /^HTTP\/1\.1 413 /, `round ${round}`);
			client.socket.destroy();
		}
	}
});

test('what is read of a body after the answer is bounded, and counted', async (t) => {
	const proxy = await startTestProxy(t, { checkTimeoutMs: LIMIT_MS, idleMs: IDLE_MS });
	const client = connect({ port: proxy.port, host: '127.0.0.1' });
	t.after(() => client.destroy());
	const closed = new Promise<void>((resolve) => client.on('error', () => {}).on('close', () => resolve()));
	client.resume();
	const chunk = `10000\r\n${'z'.repeat(65_536)}\r\n`;
	const pour = () => {
		while (client.writable && client.write(chunk));
	};
	client.write(`POST http://127.0.0.1:${CLOSED_PORT}/ HTTP/1.1\r\n${PAIR}Transfer-Encoding: chunked\r\n\r\n`);
	client.on('drain', pour);
	pour();
	await closed;
	await eventually(async () => {
		const { up } = proxy.service.usedBy('alice');
		assert.ok(up > MAX_REST_BYTES && up < MAX_REST_BYTES + 5_000_000, `${up} bytes`);
	}, LIMIT_MS);
});

test('an early answer reaches a client that waits to send its body, and one whose connection ends with it', async (t) => {
	const proxy = await startTestProxy(t, { checkTimeoutMs: LIMIT_MS, idleMs: IDLE_MS });
	const empty = await startHasty(t, (socket) => socket.write('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n'));
	const chunked = await startHasty(t, (socket) =>
		socket.write('HTTP/1.1 302 Found\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n'),
	);
	for (const [port, answer] of [
		[empty, /^HTTP\/1\.1 401 /],
		[chunked, /^HTTP\/1\.1 302 .*\r\nno\r\n0\r\n\r\n$/s],
		[CLOSED_PORT, /^HTTP\/1\.1 502 /],
	] as const) {
		assert.match(await answerTo(t, proxy.port, upload(port, 5, 'Expect: 100-continue\r\n').slice(0, -5)), answer);
	}
	const client = openRawClient(t, proxy.port);
	client.write(upload(empty, 5_000_000, 'Connection: close\r\n').slice(0, 1_000_000));
	await client.until('HTTP/1.1 401 ');
});
