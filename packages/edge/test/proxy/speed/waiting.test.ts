import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import { openRawClient, type RawClient } from '../../support/raw-client.ts';
import {
	basic,
	startEcho,
	startFountain,
	startTestProxy,
	type TestProxy,
	upstreamsOf,
} from '../../support/running-proxy.ts';
import {
	BYTES,
	LEAST_MS,
	MEGABYTE,
	PAIR,
	startSink,
	startSlowProxy,
	timeOf,
	tunnelTo,
} from '../../support/slow-proxy.ts';
import { startUpstream } from '../../support/upstreams.ts';

const LIMIT_MS = 60_000;
const OTHER_PAIR = basic('bob.b', 'Bbbbbbbb12345678');

/** How much a client has received in this time, at most, if it has this speed. */
const mostOf = (bytesPerSecond: number, ms: number) => bytesPerSecond * (0.25 + ms / 1_000) + 65_536;

describe('while bytes pass', { concurrency: true }, () => {
	test('a limit that is set, changed and removed holds soon for the connections that are open', async (t) => {
		const proxy = await startTestProxy(t);
		const client = await tunnelTo(t, proxy.port, await startFountain(t));
		let received = 0;
		client.socket.removeAllListeners('data').on('data', (bytes: string) => {
			received += bytes.length;
		});
		const { limits } = proxy.service;
		const arrives = (bytes: number) => {
			const goal = received + bytes;
			return eventually(async () => assert.ok(received >= goal), LIMIT_MS);
		};
		await arrives(20 * MEGABYTE);
		for (const speed of [50_000, 500_000]) {
			limits.set('alice', { max_bytes_per_second: speed });
			await rechecked(proxy);
			// What the proxy had written before is on its way.
			await arrives(1);
			let before = received;
			await eventually(async () => {
				const now = received;
				const isQuiet = now - before < speed / 10;
				before = now;
				assert.ok(isQuiet);
			}, LIMIT_MS);
			const from = received;
			const tookMs = await timeOf(() => arrives(speed));
			assert.ok(received - from <= mostOf(speed, tookMs), `${received - from} bytes in ${tookMs} ms`);
		}
		limits.delete('alice');
		// At the last limit, this would take minutes.
		await arrives(200 * MEGABYTE);
	});

	test('accounts without a limit are not slowed, and little is kept for those that wait', async (t) => {
		const proxy = await startSlowProxy(t, 8_000);
		const poured: Socket[] = [];
		const chunk = Buffer.alloc(65_536, 'x');
		const fountain = createTcpServer((socket) => {
			poured.push(socket.on('error', () => {}));
			const pour = () => {
				while (socket.writable && socket.write(chunk));
			};
			socket.on('drain', pour);
			pour();
		});
		const { port } = await listen(t, fountain);
		for (let times = 0; times < 20; times++) await tunnelTo(t, proxy.port, port);
		const waiting = [...poured];
		const fast = await tunnelTo(t, proxy.port, port, OTHER_PAIR);
		let received = 0;
		fast.socket.removeAllListeners('data').on('data', (bytes: string) => {
			received += bytes.length;
		});
		await eventually(async () => assert.ok(received > 500 * MEGABYTE), LIMIT_MS);
		// Only the system's own memory for connections is full.
		const kept = waiting.reduce((sum, { bytesWritten, writableLength }) => sum + bytesWritten - writableLength, 0);
		assert.ok(kept < 20 * 16 * MEGABYTE, `${kept} bytes`);
	});

	test('a connection that waits is cut like any other, and one of another account goes on', async (t) => {
		const proxy = await startSlowProxy(t, 8_000);
		const [fountain, sink] = [await startFountain(t), (await startSink(t)).port];
		const waiting = await Promise.all([
			...Array.from({ length: 5 }, () => tunnelTo(t, proxy.port, fountain)),
			...Array.from({ length: 5 }, () => tunnelTo(t, proxy.port, sink)),
		]);
		for (const { socket } of waiting.slice(5)) socket.write(Buffer.alloc(MEGABYTE));
		const other = await tunnelTo(t, proxy.port, await startEcho(t), OTHER_PAIR);
		proxy.service.refused.set('alice', 'suspended');
		await Promise.all(waiting.map(({ closed }) => closed));
		other.write('still here');
		await other.until('still here');
		assert.equal(proxy.stats.cut, 10);
	});

	test('a proxy that stops cuts connections that wait', async (t) => {
		const proxy = await startSlowProxy(t, 8_000);
		const client = await tunnelTo(t, proxy.port, await startFountain(t));
		await client.until('xxxx');
		await proxy.stop(0);
		await client.closed;
		const { down } = proxy.service.usedBy('alice');
		assert.equal(down, client.text().length);
	});

	test('a connection that waits for its turn is not idle; one on which nothing is to move is', async (t) => {
		const accepted: Socket[] = [];
		const note = (message: unknown) => void accepted.push((message as { readonly socket: Socket }).socket);
		subscribe('net.server.socket', note);
		t.after(() => unsubscribe('net.server.socket', note));
		const proxy = await startSlowProxy(t, 8_000);
		const origin = createServer((_request, response) => response.end(Buffer.alloc(BYTES, 'x')));
		const { port } = await listen(t, origin);
		const plain = openRawClient(t, proxy.port);
		plain.write(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${PAIR}\r\n\r\n`);
		const down = await tunnelTo(t, proxy.port, await startFountain(t));
		const up = await tunnelTo(t, proxy.port, (await startSink(t)).port);
		up.write(Buffer.alloc(MEGABYTE));
		const idle = await tunnelTo(t, proxy.port, await startEcho(t));
		await Promise.all([plain.until('xxxx'), down.until('xxxx')]);
		await eventually(async () => assert.ok(proxy.service.usedBy('alice').up > 8_192), LIMIT_MS);
		/** What Node says once nothing has moved on the proxy's side of this connection. */
		const rest = ({ socket: { localPort } }: RawClient) =>
			accepted.find(({ remotePort }) => remotePort === localPort)?.emit('timeout');
		for (let times = 0; times < 5; times++) {
			const length = plain.text().length + down.text().length;
			for (const waiting of [plain, down, up]) rest(waiting);
			await eventually(async () => assert.ok(plain.text().length + down.text().length > length), LIMIT_MS);
		}
		assert.deepEqual(
			[plain, down, up].map(({ socket }) => socket.destroyed),
			[false, false, false],
		);
		rest(idle);
		await idle.closed;
	});

	test('an end passes behind the bytes that wait, in each direction by itself', async (t) => {
		const proxy = await startSlowProxy(t, 50_000);
		const sink = await startSink(t);
		const client = await tunnelTo(t, proxy.port, sink.port);
		const sent = randomBytes(100_000);
		client.socket.end(sent);
		await once(client.socket, 'close');
		assert.ok(client.text().endsWith('thanks'));
		assert.ok(sink.got[0]?.equals(sent));
	});

	test('the sign-in at an exit does not wait, however much of the account does', async (t) => {
		const exit = await startUpstream.socks5(t);
		const upstreams = upstreamsOf(`socks5://out:pass@127.0.0.1:${exit.port}`);
		const proxy = await startSlowProxy(t, 8_000, { upstreams });
		const sink = await startSink(t);
		const uploads = await Promise.all(Array.from({ length: 40 }, () => tunnelTo(t, proxy.port, sink.port)));
		for (const { socket } of uploads) socket.write(Buffer.alloc(MEGABYTE));
		// A round of all of them takes 7 seconds, and exits have 10 to answer.
		await Promise.all(Array.from({ length: 40 }, () => tunnelTo(t, proxy.port, sink.port)));
		assert.equal(exit.seen.length, 80);
		assert.equal(upstreams.states[0]?.isUp, true);
	});

	test('on a connection whose account changes, the limit is that of the account that pays', async (t) => {
		const proxy = await startSlowProxy(t);
		const { port } = await listen(
			t,
			createServer((_request, response) => response.end(Buffer.alloc(BYTES, 'x'))),
		);
		const client = openRawClient(t, proxy.port);
		const ask = async (pair: string) => {
			const goal = client.text().length + BYTES;
			client.write(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${pair}\r\n\r\n`);
			await eventually(async () => assert.ok(client.text().length > goal), LIMIT_MS);
		};
		assert.ok((await timeOf(() => ask(PAIR))) >= LEAST_MS);
		for (let times = 0; times < 10; times++) await ask(OTHER_PAIR);
		assert.ok((await timeOf(() => ask(PAIR))) >= LEAST_MS);
	});
});

/** The proxy has asked again about all pairs since now. */
async function rechecked({ service }: TestProxy): Promise<void> {
	const { length } = service.checks;
	await eventually(async () => assert.ok(service.checks.length >= length + 2), LIMIT_MS);
}
