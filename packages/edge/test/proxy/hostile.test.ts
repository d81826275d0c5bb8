import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect, createServer as createTcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import { printedSeed, randomFrom } from '@bursar/testing/random';
import { answerTo, openRawClient } from '../support/raw-client.ts';
import { basic, KEY, startOrigin, startTestProxy, type TestProxy } from '../support/running-proxy.ts';

const ALICE = basic('alice', KEY);
const HEAD = `Host: x\r\nProxy-Authorization: ${ALICE}\r\n`;

/** A new connection is served as usual. */
async function assertServes(test: TestContext, { port }: TestProxy, origin: number): Promise<void> {
	const client = openRawClient(test, port);
	client.write(`GET http://127.0.0.1:${origin}/ HTTP/1.1\r\n${HEAD}\r\n`);
	await client.until('from the origin');
	client.socket.destroy();
}

/** Sends bytes on a connection of their own, and waits until the proxy closes it or has nothing to say. */
async function sendHostile(test: TestContext, { port }: TestProxy, bytes: string | Uint8Array): Promise<void> {
	const client = openRawClient(test, port);
	client.write(bytes);
	client.socket.end();
	await client.closed;
}

describe('hostile clients and origins', { concurrency: true }, () => {
	test('a URL with a user is answered at once', async (t) => {
		const proxy = await startTestProxy(t);
		const origin = await startOrigin(t);
		for (const user of ['user:%zz', '%', 'a%2', '%ff:x', 'carol', '']) {
			assert.match(
				await answerTo(t, proxy.port, `GET http://${user}@127.0.0.1:${origin}/ HTTP/1.1\r\n${HEAD}\r\n`),
				/^HTTP\/1\.1 400 .*without a user\.$/s,
			);
		}
		await assertServes(t, proxy, origin);
	});

	test('malformed requests harm no other client', async (t) => {
		const proxy = await startTestProxy(t);
		const origin = await startOrigin(t);
		const requests = [
			'\0\0\0\0',
			'GET / HTTP/1.1\r\n\r\n',
			`GET http://127.0.0.1:99999/ HTTP/1.1\r\n${HEAD}\r\n`,
			`GET http://[::1/ HTTP/1.1\r\n${HEAD}\r\n`,
			`GET ftp://127.0.0.1/ HTTP/1.1\r\n${HEAD}\r\n`,
			`GET http:///x HTTP/1.1\r\n${HEAD}\r\n`,
			`GET http://127.0.0.1:${origin}/\xff\xfe HTTP/1.1\r\n${HEAD}\r\n`,
			`GET http://127.0.0.1:${origin}/ HTTP/1.1\r\n${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
			`POST http://127.0.0.1:${origin}/ HTTP/1.1\r\n${HEAD}Content-Length: 10\r\n\r\nshort`,
			`POST http://127.0.0.1:${origin}/ HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
			`GET http://127.0.0.1:${origin}/ HTTP/1.1\r\n${HEAD}X-Long: ${'a'.repeat(100_000)}\r\n\r\n`,
			`GET http://127.0.0.1:${origin}/ HTTP/9.9\r\n${HEAD}\r\n`,
			`GET http://127.0.0.1:${origin}/ HTTP/1.1\r\n${HEAD}Expect: nonsense\r\n\r\n`,
			`GET http://127.0.0.1:${origin}/ HTTP/1.1\r\n${HEAD}Upgrade: websocket\r\nConnection: upgrade\r\n\r\n`,
			`GET http://127.0.0.1:${origin}/ HTTP/1.1\r\n${HEAD}${HEAD}${HEAD}\r\n`,
			`${`GET http://127.0.0.1:${origin}/ HTTP/1.1\r\n${HEAD}\r\n`.repeat(500)}`,
			`${`GET http://127.0.0.1:${origin}/ HTTP/1.1\r\n${HEAD}\r\n`.repeat(20)}nonsense`,
			`CONNECT 127.0.0.1 HTTP/1.1\r\n${HEAD}\r\n`,
			`CONNECT 127.0.0.1:0 HTTP/1.1\r\n${HEAD}\r\n`,
			`CONNECT 127.0.0.1:99999 HTTP/1.1\r\n${HEAD}\r\n`,
			`CONNECT [::ffff:127.0.0.1]:1 HTTP/1.1\r\n${HEAD}\r\n`,
			`CONNECT a%00b:80 HTTP/1.1\r\n${HEAD}\r\n`,
			`CONNECT ${'a'.repeat(8_000)}:80 HTTP/1.1\r\n${HEAD}\r\n`,
			`CONNECT 127.0.0.1:${origin} HTTP/1.1\r\n${HEAD}Content-Length: 3\r\n\r\nabc`,
			`PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
			`TRACE http://127.0.0.1:${origin}/ HTTP/1.1\r\n${HEAD}\r\n`,
			'\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
			'\x05\x01\x00',
		];
		for (const request of requests) await sendHostile(t, proxy, Buffer.from(request, 'latin1'));
		await assertServes(t, proxy, origin);
		await eventually(async () => assert.equal(proxy.stats.connections, 0), 60_000);
	});

	test('random bytes, also in the middle of requests, harm no other', async (t) => {
		const { below } = randomFrom(printedSeed(t));
		const proxy = await startTestProxy(t);
		const origin = await startOrigin(t);
		const request = Buffer.from(`POST http://127.0.0.1:${origin}/ HTTP/1.1\r\n${HEAD}Content-Length: 20\r\n\r\n`);
		for (let round = 0; round < 20; round++) {
			const sent = Array.from({ length: 20 }, () => {
				const bytes = Buffer.concat([request, randomBytes(below(200)), request]);
				for (let times = below(8); times > 0; times--) bytes[below(bytes.length)] = below(256);
				return sendHostile(t, proxy, bytes.subarray(0, 1 + below(bytes.length)));
			});
			await Promise.all(sent);
		}
		await assertServes(t, proxy, origin);
		await eventually(async () => assert.equal(proxy.stats.connections, 0), 60_000);
	});

	test('origins that send nonsense, break off or never answer harm no other', async (t) => {
		const proxy = await startTestProxy(t, { idleMs: 3_000 });
		const origin = await startOrigin(t);
		const answers = [
			'',
			'nonsense',
			'HTTP/1.1 099 x\r\n\r\n',
			'HTTP/1.1 1000 x\r\n\r\n',
			'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc',
			'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nabc',
			'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz',
			'HTTP/1.1 407 x\r\nContent-Length: 0\r\n\r\n',
			'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nabc',
			'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
			'HTTP/1.1 200 O\x01K\r\nX-\xff: \x02\r\nContent-Length: 0\r\n\r\n',
			`HTTP/1.1 200 OK\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`,
			`HTTP/1.1 304 ${'\xff'.repeat(100)}\r\nContent-Length: 5\r\n\r\nabcde`,
		];
		for (const answer of answers) {
			const server = createTcpServer((socket) => {
				socket.on('error', () => {}).once('data', () => socket.end(Buffer.from(answer, 'latin1')));
			});
			const { port } = await listen(t, server);
			await sendHostile(t, proxy, `GET http://127.0.0.1:${port}/ HTTP/1.1\r\n${HEAD}\r\n`);
			await sendHostile(t, proxy, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n${HEAD}\r\nabc`);
		}
		// Nothing moves on these, so they are closed.
		const { port } = await listen(
			t,
			createTcpServer(() => {}),
		);
		const idle = [
			`GET http://127.0.0.1:${port}/ HTTP/1.1\r\n${HEAD}\r\n`,
			`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n${HEAD}\r\n`,
		].map((request) => {
			const client = openRawClient(t, proxy.port);
			client.write(request);
			return client;
		});
		await Promise.all(idle.map(({ closed }) => closed));
		await assertServes(t, proxy, origin);
	});

	test('a refused client cannot hold its connection, and a flood of them locks no other client out', async (t) => {
		const proxy = await startTestProxy(t);
		const origin = await startOrigin(t);
		await assertServes(t, proxy, origin);
		const clients = Array.from({ length: 300 }, (_, index) => {
			const client = openRawClient(t, proxy.port);
			const authorization = basic('alice', `guess${index}`);
			client.write(`POST http://127.0.0.1:${origin}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${authorization}\r\n`);
			client.write('Transfer-Encoding: chunked\r\n\r\n');
			const drip = setInterval(() => client.write('1\r\nx\r\n'), 300);
			void client.closed.then(() => clearInterval(drip));
			return client;
		});
		await assertServes(t, proxy, origin);
		for (const text of await Promise.all(clients.map(({ closed }) => closed)))
			assert.match(text, /^HTTP\/1\.1 (407|429) |^$/);
		await assertServes(t, proxy, origin);
	});

	test('a client with too many requests at a time loses its connection, and opens few to origins', async (t) => {
		const proxy = await startTestProxy(t);
		let opened = 0;
		const silent = createTcpServer((socket) => {
			opened++;
			socket.on('error', () => {}).resume();
		});
		const { port } = await listen(t, silent);
		const client = openRawClient(t, proxy.port);
		const request = `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basic('alice', KEY)}\r\n\r\n`;
		client.write(request.repeat(500));
		assert.equal(await client.closed, '');
		assert.ok(opened <= 8, `${opened} connections`);
		await eventually(async () => assert.equal(proxy.stats.connections, 0), 30_000);
	});

	test('many refused requests on one connection make no warning of too many listeners', async (t) => {
		const warnings: Error[] = [];
		const warn = (warning: Error) => {
			if (warning.name === 'MaxListenersExceededWarning') warnings.push(warning);
		};
		process.on('warning', warn);
		t.after(() => process.off('warning', warn));
		const proxy = await startTestProxy(t);
		for (const request of ['GET http://127.0.0.1/ HTTP/1.1\r\nHost: x\r\n\r\n', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n']) {
			await answerTo(t, proxy.port, request.repeat(500));
		}
		assert.deepEqual(warnings, []);
	});

	test('a chunked body of a method that has none is refused, and reaches no origin', async (t) => {
		const proxy = await startTestProxy(t);
		let reached = 0;
		const { port } = await listen(
			t,
			createTcpServer(() => reached++),
		);
		for (const method of ['GET', 'DELETE', 'OPTIONS', 'FOO']) {
			const client = openRawClient(t, proxy.port);
			const inner = 'GET /inner HTTP/1.1\r\nHost: x\r\n\r\n';
			client.write(
				`${method} http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basic('alice', KEY)}\r\n` +
					`Transfer-Encoding: chunked\r\n\r\n${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`,
			);
			assert.match(await client.closed, /^HTTP\/1\.1 4(11|00) /, method);
		}
		assert.equal(reached, 0);
	});

	test('connections beyond the bound are closed, and those before go on', async (t) => {
		const proxy = await startTestProxy(t, { maxConnections: 20 });
		const origin = await startOrigin(t);
		const first = openRawClient(t, proxy.port);
		first.write(`GET http://127.0.0.1:${origin}/ HTTP/1.1\r\n${HEAD}\r\n`);
		await first.until('from the origin');
		const more = Array.from({ length: 40 }, () => openRawClient(t, proxy.port));
		await eventually(async () => assert.ok(proxy.stats.dropped >= 21), 30_000);
		assert.ok(proxy.stats.connections <= 20);
		first.write(`GET http://127.0.0.1:${origin}/x HTTP/1.1\r\n${HEAD}\r\n`);
		await eventually(async () => assert.equal(first.text().split('from the origin').length, 3), 30_000);
		for (const { socket } of more) socket.destroy();
	});

	test('one client cannot take the connections of all others', async (t) => {
		const proxy = await startTestProxy(t, { maxConnectionsPerClient: 10 });
		const origin = await startOrigin(t);
		const clients = Array.from({ length: 30 }, () => openRawClient(t, proxy.port));
		await eventually(async () => assert.equal(proxy.stats.dropped, 20), 30_000);
		assert.equal(proxy.stats.connections, 10);
		const other = connect({ port: proxy.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
		other.write(`GET http://127.0.0.1:${origin}/ HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`);
		assert.match(await text(other), /from the origin$/);
		for (const { socket } of clients) socket.destroy();
		await eventually(async () => assert.equal(proxy.stats.connections, 0), 30_000);
		await assertServes(t, proxy, origin);
	});

	test('a client that goes away while its tunnel begins leaves nothing behind', async (t) => {
		const proxy = await startTestProxy(t);
		let open = 0;
		const server = createTcpServer((socket) => {
			open++;
			socket.on('error', () => {}).on('close', () => open--);
		});
		const { port } = await listen(t, server);
		for (let times = 0; times < 200; times++) {
			const client = openRawClient(t, proxy.port);
			client.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n${HEAD}\r\n`);
			setTimeout(() => client.socket.resetAndDestroy(), times % 20);
			await client.closed;
		}
		await eventually(async () => assert.deepEqual([proxy.stats.connections, open], [0, 0]), 60_000);
	});
});
