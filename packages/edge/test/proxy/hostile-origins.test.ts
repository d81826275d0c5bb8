import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import { printedSeed, randomFrom } from '@bursar/testing/random';
import { startCountingRelay } from '../support/counting-relay.ts';
import { answerTo, openRawClient } from '../support/raw-client.ts';
import { basic, KEY, startOrigin, startTestProxy } from '../support/running-proxy.ts';

const LIMIT_MS = 120_000;
/** Far above the time limit of the tests: nothing here is ended because nothing moves. */
const IDLE_MS = 1_000_000;
const HEAD = `Host: x\r\nConnection: close\r\nProxy-Authorization: ${basic('alice', KEY)}\r\n\r\n`;

/** An origin that answers each request in this way, and never closes the connection. */
async function startHostile(test: TestContext, answer: (socket: Socket) => void): Promise<number> {
	const server = createServer((socket) => {
		socket.on('error', () => {}).once('data', () => answer(socket));
	});
	return (await listen(test, server)).port;
}

/** Writes this without end, as fast as it is read. */
function endless(text: string): (socket: Socket) => void {
	return (socket) => {
		const more = () => {
			while (socket.write(text.repeat(100)));
		};
		socket.on('drain', more);
		more();
	};
}

describe('origins that break the rules', { concurrency: true }, () => {
	test('a client gets an answer at once if its origin sends nonsense and keeps the connection, and is counted', async (t) => {
		const proxy = await startTestProxy(t, { idleMs: IDLE_MS });
		const relay = await startCountingRelay(t, proxy.port);
		const upgrade = 'Upgrade: x\r\nConnection: upgrade\r\n\r\n';
		const answers = [
			['nonsense', 502],
			['<html>HTTP/0.9</html>\n', 502],
			['SSH-2.0-OpenSSH_9.2\r\n', 502],
			['\0\0\x12\x04\0\0\0\0\0', 502],
			['HTTP/1.1 abc OK\r\n\r\n', 502],
			['HTTP/1.1 1000 x\r\n\r\n', 502],
			['HTTP/1.1 200 OK\r\nno colon\r\n\r\n', 502],
			['HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n', 502],
			[`HTTP/1.1 200 OK\r\nX: ${'a'.repeat(100_000)}`, 502],
			[`HTTP/1.1 200 OK\r\nX: ${'a'.repeat(60_000)}\r\nContent-Length: 0\r\n\r\n`, 200],
			[`HTTP/1.1 101 Switching\r\n${upgrade}abc`, 502],
			['HTTP/1.1 101 Switching\r\n\r\n', 502],
			// An error because of this reason would end the process if a body follows that must not be there.
			['HTTP/1.1 200 O\x01K\r\nContent-Length: 5\r\n\r\nabcde', 200],
			['HTTP/1.1 999 O\x01K\r\nContent-Length: 0\r\n\r\n', 999],
			['HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n', '502 Destination not reached'],
		] as const;
		for (const [answer, status] of answers) {
			const port = await startHostile(t, (socket) => socket.write(Buffer.from(answer, 'latin1')));
			for (const method of ['GET', 'HEAD']) {
				assert.match(
					await answerTo(t, relay.port, `${method} http://127.0.0.1:${port}/ HTTP/1.1\r\n${HEAD}`),
					new RegExp(`^HTTP/1.1 ${status}[ \r]`),
					`${method}: ${answer.slice(0, 60)}`,
				);
			}
		}
		await eventually(async () => assert.deepEqual(proxy.service.usedBy('alice'), relay.bytes), LIMIT_MS);
	});

	test('an answer with a length and with chunks reaches the client without that length', async (t) => {
		const proxy = await startTestProxy(t, { idleMs: IDLE_MS });
		const forged = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged';
		const chunks = ['hello', forged].map((text) => `${text.length.toString(16)}\r\n${text}\r\n`).join('');
		for (const framing of [
			'Content-Length: 5\r\nTransfer-Encoding: chunked',
			'Transfer-Encoding: chunked\r\nContent-Length: 5',
			'content-length: 5\r\ntransfer-encoding: gzip, chunked',
			'Content-Length: 5\r\nTransfer-Encoding : chunked',
		]) {
			const port = await startHostile(t, (socket) =>
				socket.write(`HTTP/1.1 200 OK\r\n${framing}\r\n\r\n${chunks}0\r\n\r\n`),
			);
			const answer = await answerTo(t, proxy.port, `GET http://127.0.0.1:${port}/ HTTP/1.1\r\n${HEAD}`);
			const [head = ''] = answer.split('\r\n\r\n', 1);
			assert.doesNotMatch(head, /\r\ncontent-length:/i, framing);
			assert.match(head, /^HTTP\/1\.1 200 .*\r\ntransfer-encoding: chunked/is, framing);
		}
	});

	test('answers whose head never ends are given up, and counted', async (t) => {
		const proxy = await startTestProxy(t, { idleMs: IDLE_MS });
		const relay = await startCountingRelay(t, proxy.port);
		const begins = (answer: string, rest: string) => (socket: Socket) => {
			socket.write(answer);
			endless(rest)(socket);
		};
		for (const answer of [
			begins('HTTP/1.1 200 OK\r\n', 'X-Name: value\r\n'),
			begins('HTTP/1.1 200 OK\r\nX: ', 'value'),
			begins('HTTP/1.1 200 ', 'reason'),
			endless('HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'),
			endless('HTTP/1.1 100 Continue\r\n\r\n'),
			endless('\r\n'),
		]) {
			const port = await startHostile(t, answer);
			assert.match(
				await answerTo(t, relay.port, `GET http://127.0.0.1:${port}/ HTTP/1.1\r\n${HEAD}`),
				/^HTTP\/1\.1 502 /m,
			);
		}
		await eventually(async () => assert.deepEqual(proxy.service.usedBy('alice'), relay.bytes), LIMIT_MS);
	});

	test('an answer of which hardly anything is for the client is given up, and one in small chunks is not', async (t) => {
		const proxy = await startTestProxy(t, { idleMs: IDLE_MS });
		const relay = await startCountingRelay(t, proxy.port);
		const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
		for (const rest of ['0'.repeat(1_000), `1;${'x'.repeat(15_000)}\r\na\r\n`]) {
			let sent = 0;
			const port = await startHostile(t, (socket) => {
				socket.write(chunked);
				endless(rest)(socket);
				socket.on('close', () => {
					sent = socket.bytesWritten;
				});
			});
			await answerTo(t, relay.port, `GET http://127.0.0.1:${port}/ HTTP/1.1\r\n${HEAD}`);
			await eventually(async () => assert.ok(sent > 0 && sent < 50_000_000, `${sent} bytes`), LIMIT_MS);
		}
		const port = await startHostile(t, (socket) => socket.write(`${chunked}${'1\r\na\r\n'.repeat(200_000)}0\r\n\r\n`));
		assert.match(await answerTo(t, relay.port, `GET http://127.0.0.1:${port}/ HTTP/1.1\r\n${HEAD}`), /0\r\n\r\n$/);
		await eventually(async () => assert.deepEqual(proxy.service.usedBy('alice'), relay.bytes), LIMIT_MS);
	});

	test('interim answers reach the client before the answer', async (t) => {
		const proxy = await startTestProxy(t);
		const early = 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'.repeat(5);
		const port = await startHostile(t, (socket) =>
			socket.write(`${early}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody`),
		);
		const client = openRawClient(t, proxy.port);
		client.write(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\n${HEAD}`);
		assert.match(
			await client.closed,
			/^(HTTP\/1\.1 103 Early Hints\r\nLink: x\r\n\r\n){5}HTTP\/1\.1 200 OK\r\n.*body$/s,
		);
		assert.match(
			await answerTo(t, proxy.port, `GET http://127.0.0.1:${await startOrigin(t)}/ HTTP/1.1\r\n${HEAD}`),
			/from the origin$/,
		);
	});

	test('answers with random faults end nothing but their own request, and are counted', async (t) => {
		const { below } = randomFrom(printedSeed(t));
		const proxy = await startTestProxy(t, { idleMs: IDLE_MS });
		const relay = await startCountingRelay(t, proxy.port);
		const answers = [
			'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nabcde',
			'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n3\r\nabc\r\n0\r\nX: y\r\n\r\n',
			'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
			'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nabc',
			'HTTP/1.0 407 No\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nno',
		];
		const methods = ['GET', 'HEAD', 'POST', 'DELETE'];
		const faulty = (): Buffer => {
			const bytes = Buffer.from(answers[below(answers.length)] ?? '', 'latin1');
			for (let times = 1 + below(4); times > 0; times--) bytes[below(bytes.length)] = below(256);
			return bytes.subarray(0, bytes.length - (below(4) === 0 ? below(bytes.length) : 0));
		};
		const port = await startHostile(t, (socket) => {
			socket.write(faulty());
			// Some break off, with or without a reset.
			if (below(2) === 0) socket.destroySoon();
			else setTimeout(() => socket.resetAndDestroy(), below(20));
		});
		for (let round = 0; round < 20; round++) {
			const request = () => `${methods[below(methods.length)]} http://127.0.0.1:${port}/ HTTP/1.1\r\n${HEAD}`;
			const sent = Array.from({ length: 20 }, () => answerTo(t, relay.port, request()));
			await Promise.all(sent);
		}
		assert.match(
			await answerTo(t, relay.port, `GET http://127.0.0.1:${await startOrigin(t)}/ HTTP/1.1\r\n${HEAD}`),
			/from the origin$/,
		);
		await eventually(async () => assert.deepEqual(proxy.service.usedBy('alice'), relay.bytes), LIMIT_MS);
	});
});
