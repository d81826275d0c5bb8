import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import { type Attempt, connectThrough, isFaultOfExit } from '../../../src/proxy/upstream/connect-through.ts';
import type { Exit } from '../../../src/proxy/upstream/exit.ts';

const CERTIFICATES = join(import.meta.dirname, '../../../../client/test/support');
const certificate = (name: string) => ({
	key: readFileSync(join(CERTIFICATES, 'key.pem'), 'utf8'),
	cert: readFileSync(join(CERTIFICATES, `${name}.pem`), 'utf8'),
});
setDefaultCACertificates([...getCACertificates(), certificate('self-signed').cert]);

const TO = { host: 'origin.example', port: 443 };
const CREDENTIALS = { username: 'carol', password: 'S3cret' };

/** What an exit waits for, and what it does then. */
type Step = readonly [expected: string | Buffer, answer: string | Buffer | ((socket: Socket) => void)];

/** An exit that goes through these steps with each connection. */
async function startExit(test: TestContext, steps: readonly Step[], certificateName?: string) {
	const sockets: Socket[] = [];
	const handle = (socket: Socket) => {
		sockets.push(socket);
		const waiting = [...steps];
		let seen = '';
		socket.on('error', () => {});
		socket.setEncoding('latin1').on('data', (chunk: string) => {
			seen += chunk;
			for (let step = waiting[0]; step && seen.length >= step[0].length; step = waiting[0]) {
				const [expected, answer] = [step[0].toString('latin1'), step[1]];
				assert.equal(seen.slice(0, expected.length), expected);
				seen = seen.slice(expected.length);
				if (typeof answer === 'function') answer(socket);
				else socket.write(answer);
				waiting.shift();
			}
		});
	};
	const server = certificateName
		? createTlsServer({ ...certificate(certificateName), allowHalfOpen: true }, handle)
		: createServer({ allowHalfOpen: true }, handle);
	return { port: (await listen(test, server)).port, sockets };
}

/** A try of an exit at that port, and what the exit is told. */
function exitAt(port: number, protocol: Exit['protocol'], more: Partial<Exit> = {}) {
	const told: string[] = [];
	const exit: Exit = {
		number: 1,
		address: `localhost:${port}`,
		protocol,
		host: 'localhost',
		port,
		credentials: CREDENTIALS,
		isCurrent: true,
		others: 0,
		another: () => undefined,
		answered: () => void told.push('answered'),
		failed: () => void told.push('failed'),
		refused: () => void told.push('refused'),
		...more,
	};
	const attempt: Attempt = { exit, connectMs: 10_000, refused: () => exit.refused(false) };
	return { attempt, told };
}

/** All that can be read until the end. */
async function readAll(socket: Socket): Promise<string> {
	const chunks: Buffer[] = [];
	await once(socket.on('data', (chunk: Buffer) => chunks.push(chunk)).resume(), 'end');
	return Buffer.concat(chunks).toString();
}

/** Opens a tunnel to an exit that must fail, and returns the code of the error. */
async function fails(test: TestContext, attempt: Attempt, to = TO): Promise<NodeJS.ErrnoException> {
	let socket: Socket | undefined;
	const error: NodeJS.ErrnoException = await connectThrough(attempt, to, (opened) => {
		socket = opened;
		test.after(() => opened.destroy());
	}).then(
		() => assert.fail('it was opened'),
		(cause) => cause,
	);
	assert.doesNotMatch(`${error.stack}${JSON.stringify(error)}`, /S3cret|carol|Y2Fyb2w/);
	assert.ok(socket?.destroyed);
	return error;
}

const oneByOne = (answer: string | Buffer) => (socket: Socket) => {
	for (const byte of typeof answer === 'string' ? Buffer.from(answer) : answer) socket.write(Buffer.from([byte]));
};

const ORIGIN = `CONNECT origin.example:443 HTTP/1.1\r\nHost: origin.example:443\r\n`;
const SOCKS_NAME = Buffer.from('\x05\x01\x00\x03\x0eorigin.example\x01\xbb', 'latin1');
const SOCKS_LOGIN = Buffer.from('\x01\x05carol\x06S3cret');
const SOCKS_OPEN = Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 80]);

test('a tunnel is opened over HTTP, HTTPS and SOCKS, for names and addresses', async (t) => {
	const http = 'HTTP/1.1 200 Connection established\r\n\r\n';
	const login = `${ORIGIN}Proxy-Authorization: Basic Y2Fyb2w6UzNjcmV0\r\n\r\n`;
	const six = 'CONNECT [2001:db8::1]:443 HTTP/1.1\r\nHost: [2001:db8::1]:443\r\n\r\n';
	const socksSix = Buffer.from('050100042001 0db8 0000 0000 0000 0000 0000 0001 01bb'.replaceAll(' ', ''), 'hex');
	const none: Partial<Exit> = { credentials: undefined };
	const cases: readonly (readonly [Exit['protocol'], Partial<Exit>, string, readonly Step[]])[] = [
		['http', {}, 'origin.example', [[login, http]]],
		['http', none, 'origin.example', [[`${ORIGIN}\r\n`, oneByOne('HTTP/1.0 299 \r\nContent-Length: 5\r\n\r\n')]]],
		['http', none, '2001:db8::1', [[six, http]]],
		['https', {}, 'origin.example', [[login, http]]],
		[
			'socks5',
			{},
			'origin.example',
			[
				['\x05\x01\x02', Buffer.from([5, 2])],
				[SOCKS_LOGIN, Buffer.from([1, 0])],
				[SOCKS_NAME, SOCKS_OPEN],
			],
		],
		[
			'socks5',
			none,
			'192.0.2.7',
			[
				['\x05\x01\x00', oneByOne(Buffer.from([5, 0]))],
				['\x05\x01\x00\x01\xc0\x00\x02\x07\x01\xbb', oneByOne(Buffer.from('\x05\x00\x00\x03\x04name\x00\x50'))],
			],
		],
		[
			'socks5',
			none,
			'2001:db8::1',
			[
				['\x05\x01\x00', Buffer.from([5, 0])],
				[socksSix, Buffer.concat([Buffer.from([5, 0, 0, 4]), Buffer.alloc(18)])],
			],
		],
	];
	for (const [protocol, more, host, steps] of cases) {
		const echo: Step = ['from the client', 'from the origin'];
		const { port, sockets } = await startExit(t, [...steps, echo], protocol === 'https' ? 'self-signed' : undefined);
		const { attempt, told } = exitAt(port, protocol, more);
		let first: Socket | undefined;
		const socket = await connectThrough(attempt, { host, port: 443 }, (opened) => {
			first = opened;
		});
		assert.equal(socket, first);
		assert.deepEqual(told, ['answered']);
		assert.ok(socket.isPaused());
		socket.write('from the client');
		assert.equal(String(await once(socket.resume(), 'data')), 'from the origin');
		socket.end();
		sockets[0]?.end();
		await once(socket, 'close');
	}
});

test('what comes behind the answer is read from the socket, also if the exit ends at once', async (t) => {
	const behind = 'x'.repeat(40_000);
	for (const [protocol, certificateName, steps] of [
		['http', undefined, [[`${ORIGIN}\r\n`, (socket) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${behind}`)]]],
		['https', 'self-signed', [[`${ORIGIN}\r\n`, (socket) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${behind}`)]]],
		[
			'socks5',
			undefined,
			[
				['\x05\x01\x00', Buffer.concat([Buffer.from([5, 0]), SOCKS_OPEN])],
				[SOCKS_NAME, (socket) => socket.end(behind)],
			],
		],
	] as const satisfies readonly (readonly [Exit['protocol'], string | undefined, readonly Step[]])[]) {
		const { port } = await startExit(t, steps, certificateName);
		const { attempt } = exitAt(port, protocol, { credentials: undefined });
		const socket = await connectThrough(attempt, TO, () => {});
		// The end comes before it is read.
		await new Promise((resolve) => setTimeout(resolve, 50));
		assert.equal(await readAll(socket), behind, protocol);
		assert.ok(socket.writable, 'each half ends by itself');
		socket.destroy();
	}
});

test('a destination that the exit does not reach is no failure of the exit', async (t) => {
	for (const [status, code] of [
		['403 Forbidden', undefined],
		['502 Bad Gateway', undefined],
		['504 Gateway Timeout', 'ETIMEDOUT'],
		['301 Moved', undefined],
	] as const) {
		const { port } = await startExit(t, [[`${ORIGIN}\r\n`, `HTTP/1.1 ${status}\r\nContent-Length: 100000\r\n\r\n`]]);
		const { attempt, told } = exitAt(port, 'http', { credentials: undefined });
		const error = await fails(t, attempt);
		assert.deepEqual([error.code, isFaultOfExit(error)], [code, false], status);
		assert.deepEqual(told, ['answered'], status);
	}
	for (const [reply, code] of [
		[1, undefined],
		[2, undefined],
		[5, undefined],
		[6, 'ETIMEDOUT'],
		[255, undefined],
	] as const) {
		const steps: readonly Step[] = [
			['\x05\x01\x00', Buffer.from([5, 0])],
			[SOCKS_NAME, (socket) => socket.end(Buffer.from([5, reply]))],
		];
		const { port } = await startExit(t, steps);
		const { attempt, told } = exitAt(port, 'socks5', { credentials: undefined });
		const error = await fails(t, attempt);
		assert.deepEqual([error.code, isFaultOfExit(error)], [code, false], `${reply}`);
		assert.deepEqual(told, ['answered'], `${reply}`);
	}
});

test('an exit that has no traffic for us works, and another one may be tried', async (t) => {
	for (const status of ['402 Payment Required', '429 Too Many Requests']) {
		const { port } = await startExit(t, [[`${ORIGIN}\r\n`, `HTTP/1.1 ${status}\r\nContent-Length: 100000\r\n\r\n`]]);
		const { attempt, told } = exitAt(port, 'http', { credentials: undefined });
		assert.ok(isFaultOfExit(await fails(t, attempt)), status);
		assert.deepEqual(told, ['answered'], status);
	}
});

/** Sends without end, as fast as the other side reads. */
const pour = (text: string) => (socket: Socket) => {
	const more = () => {
		while (socket.writable && socket.write(text));
	};
	socket.on('drain', more);
	more();
};

test('an exit that refuses us, or answers nonsense, is told so, and costs little', async (t) => {
	const end = (socket: Socket) => void socket.end();
	const reset = (socket: Socket) => void socket.resetAndDestroy();
	const http: readonly (readonly [string, Step[1]])[] = [
		['407', 'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n'],
		['an interim answer', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'],
		['another protocol', 'SSH-2.0-OpenSSH\r\n\r\n'],
		['another version', 'HTTP/2 200\r\n\r\n'],
		['a broken status', 'HTTP/1.1 20 OK\r\n\r\n'],
		['nothing', end],
		['a reset', reset],
		['half a head', (socket) => socket.end('HTTP/1.1 200 OK\r\nX: y\r\n')],
		['a head without end', pour('X: y\r\n'.repeat(1_000))],
		['a line without end', pour('HTTP/1.1 200'.repeat(1_000))],
		['bytes without end', pour('\0'.repeat(10_000))],
	];
	const greeting: Step = ['\x05\x01\x02', Buffer.from([5, 2])];
	const login: Step = [SOCKS_LOGIN, Buffer.from([1, 0])];
	const socks: readonly (readonly [string, readonly Step[]])[] = [
		['no method', [['\x05\x01\x02', Buffer.from([5, 255])]]],
		['another method', [['\x05\x01\x02', Buffer.from([5, 0])]]],
		['another version', [['\x05\x01\x02', Buffer.from([4, 90])]]],
		['another protocol', [['\x05\x01\x02', 'HTTP/1.1 400 Bad Request\r\n\r\n']]],
		['an end at once', [['\x05\x01\x02', end]]],
		['half a method', [['\x05\x01\x02', (socket) => socket.end(Buffer.from([5]))]]],
		['a wrong password', [greeting, [SOCKS_LOGIN, Buffer.from([1, 1])]]],
		['an end after the login', [greeting, [SOCKS_LOGIN, end]]],
		['an end instead of a reply', [greeting, login, [SOCKS_NAME, reset]]],
		['half a reply', [greeting, login, [SOCKS_NAME, (socket) => socket.end(SOCKS_OPEN.subarray(0, 9))]]],
		['half a name', [greeting, login, [SOCKS_NAME, (socket) => socket.end('\x05\x00\x00\x03\xffname')]]],
		['a reply of another version', [greeting, login, [SOCKS_NAME, Buffer.from([0, 90, 0, 0, 0, 0, 0, 0])]]],
		['an address of no type', [greeting, login, [SOCKS_NAME, Buffer.from([5, 0, 0, 9, 0, 0, 0, 0, 0, 0])]]],
	];
	const head = `${ORIGIN}Proxy-Authorization: Basic Y2Fyb2w6UzNjcmV0\r\n\r\n`;
	for (const [what, steps, protocol] of [
		...http.map(([what, answer]) => [what, [[head, answer]], 'http'] as const),
		...socks.map(([what, steps]) => [what, steps, 'socks5'] as const),
	] as const) {
		const { port, sockets } = await startExit(t, steps);
		const { attempt, told } = exitAt(port, protocol);
		assert.ok(isFaultOfExit(await fails(t, attempt)), `${protocol}: ${what}`);
		assert.deepEqual(told, ['refused'], `${protocol}: ${what}`);
		await eventually(async () => assert.ok(sockets[0]?.destroyed || sockets[0]?.readableEnded), 30_000);
	}
});

test('an exit that cannot be connected to has failed', async (t) => {
	const closed = await listen(t, createServer());
	closed.close();
	for (const protocol of ['http', 'https', 'socks5'] as const) {
		const { attempt, told } = exitAt(closed.port, protocol);
		const error = await fails(t, attempt);
		assert.deepEqual([error.code, isFaultOfExit(error)], ['ECONNREFUSED', true]);
		assert.deepEqual(told, ['failed']);
	}
	const nowhere = exitAt(1, 'http', { host: 'upstream.invalid' });
	await fails(t, nowhere.attempt);
	assert.deepEqual(nowhere.told, ['failed']);
	const speaksHttp = await startExit(t, [['\x16', 'HTTP/1.1 400 Bad Request\r\n\r\n']]);
	const expired = await startExit(t, [], 'expired');
	for (const { port } of [speaksHttp, expired]) {
		const { attempt, told } = exitAt(port, 'https');
		await fails(t, attempt);
		assert.deepEqual(told, ['failed']);
	}
	// The certificate is for another name.
	const { port } = await startExit(t, [], 'self-signed');
	const { attempt, told } = exitAt(port, 'https', { host: '127.0.0.2' });
	await fails(t, attempt);
	assert.deepEqual(told, ['failed']);
});

test('an exit that is silent is given up after ten seconds', async (t) => {
	const { port, sockets } = await startExit(t, []);
	t.mock.timers.enable({ apis: ['setTimeout'] });
	for (const [protocol, expected] of [
		['http', 'refused'],
		['socks5', 'refused'],
		// It is silent before the connection is open.
		['https', 'failed'],
	] as const) {
		const { attempt, told } = exitAt(port, protocol, { host: '127.0.0.1' });
		const before = sockets.length;
		const failing = fails(t, attempt);
		while ((sockets[before]?.bytesRead ?? 0) === 0) await new Promise((resolve) => setImmediate(resolve));
		t.mock.timers.tick(9_999);
		await new Promise((resolve) => setImmediate(resolve));
		assert.deepEqual(told, []);
		t.mock.timers.tick(1);
		const error = await failing;
		// Its destination may be silent, if it has accepted.
		assert.deepEqual([error.code, isFaultOfExit(error)], ['ETIMEDOUT', expected === 'failed'], protocol);
		assert.deepEqual(told, [expected], protocol);
	}
});

test('a client that is gone cuts the connection, and says nothing of the exit', async (t) => {
	const { port, sockets } = await startExit(t, []);
	for (const protocol of ['http', 'https', 'socks5'] as const) {
		for (const isAtOnce of [true, false]) {
			const { attempt, told } = exitAt(port, protocol);
			const before = sockets.length;
			await assert.rejects(
				connectThrough(attempt, TO, async (socket) => {
					if (!isAtOnce) await eventually(async () => assert.ok((sockets[before]?.bytesRead ?? 0) > 0), 30_000);
					socket.destroy();
				}),
			);
			assert.deepEqual(told, []);
		}
	}
});

test('a host that means more than a host is sent to no exit', async (t) => {
	const { port, sockets } = await startExit(t, []);
	const { attempt, told } = exitAt(port, 'http');
	for (const host of ['', 'a b', 'a\r\nX: y', 'a/b', 'a@b', 'a?b', '[::1]', 'h\u00f6st', 'a'.repeat(256)]) {
		await assert.rejects(
			connectThrough(attempt, { host, port: 443 }, () => assert.fail()),
			/no host/,
		);
	}
	assert.deepEqual(told, []);
	assert.equal(sockets.length, 0);
});
