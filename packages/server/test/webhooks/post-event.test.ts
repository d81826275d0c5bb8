import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createDestinationPolicy } from '@bursar/terminal/network';
import { listen } from '@bursar/testing/listen';
import { createPoster, type Posted, type PosterOptions } from '../../src/webhooks/post-event.ts';

const CLIENT_SUPPORT = join(import.meta.dirname, '../../../client/test/support');
const pem = (...path: readonly string[]) => readFileSync(join(...path), 'utf8');
/** For `receiver.example`, and trusted here. */
const TRUSTED = {
	key: pem(CLIENT_SUPPORT, 'key.pem'),
	cert: pem(import.meta.dirname, '../support/receiver.pem'),
};
const UNTRUSTED = { key: TRUSTED.key, cert: pem(CLIENT_SUPPORT, 'self-signed.pem') };
setDefaultCACertificates([...getCACertificates(), TRUSTED.cert]);

const SECRET = 'brs_secret_in_the_url';
const BODY = '{"id":"evt_1","note":"ü"}';
const HEADERS = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1700000000', 'webhook-signature': 'v1,x' };

interface Posting extends Partial<PosterOptions> {
	readonly host?: string;
	readonly signal?: AbortSignal;
	/** What the name server answers at each look-up. */
	readonly found?: readonly (readonly string[])[];
}

/** Posts to `receiver.example`, whose address is that of this machine. Only this port of it is allowed. */
async function post(port: number, posting: Posting = {}) {
	const { host = 'receiver.example', signal = new AbortController().signal, found = [['127.0.0.1']] } = posting;
	const looked: string[] = [];
	const policy = createDestinationPolicy({
		allowPrivate: false,
		allowed: [{ address: '127.0.0.1', port }],
		lookUp: async (name) => {
			looked.push(name);
			return found[looked.length - 1] ?? assert.fail('it was looked up too often');
		},
	});
	const poster = createPoster({ allowLoopback: false, policy, ...posting });
	const posted = await poster({
		url: `https://${host}:${port}/hook?key=${SECRET}`,
		headers: HEADERS,
		body: BODY,
		signal,
	});
	assert.doesNotMatch(JSON.stringify(posted), new RegExp(SECRET));
	assert.ok(Number.isInteger(posted.tookMs) && posted.tookMs >= 0);
	return { posted, looked };
}

function answered(posted: Posted) {
	assert.ok('status' in posted, JSON.stringify(posted));
	return posted;
}

function failed(posted: Posted) {
	assert.ok('failure' in posted, JSON.stringify(posted));
	return posted;
}

interface Request {
	readonly method: string | undefined;
	readonly url: string | undefined;
	readonly headers: IncomingMessage['headers'];
	readonly body: string;
}

/** A receiver that speaks HTTP, and what it has received. */
async function startReceiver(
	t: TestContext,
	answer: (response: ServerResponse) => void,
	certificate = TRUSTED,
): Promise<{ port: number; requests: Request[] }> {
	const requests: Request[] = [];
	const server = createHttpsServer(certificate, async (request, response) => {
		let body = '';
		for await (const chunk of request.setEncoding('utf8')) body += chunk;
		const { method, url, headers } = request;
		requests.push({ method, url, headers, body });
		answer(response);
	});
	const { port } = await listen(t, server);
	return { port, requests };
}

/** A receiver that writes any bytes once the whole request has come. */
async function startRawReceiver(t: TestContext, write: (socket: Socket) => void): Promise<number> {
	const server = createTlsServer(TRUSTED, (socket) => {
		let text = '';
		socket.on('error', () => {});
		socket.on('data', (bytes) => {
			text += bytes;
			if (text.endsWith(BODY)) write(socket);
		});
	});
	return (await listen(t, server)).port;
}

/** A deadline that passes when the test says so. */
function openDeadline() {
	const controller = new AbortController();
	return { deadline: () => controller.signal, pass: () => controller.abort() };
}

test('an event is posted with its headers, and what the receiver says is told', async (t) => {
	const { port, requests } = await startReceiver(t, (response) => {
		response.writeHead(202, { 'Retry-After': '7', 'Set-Cookie': 'a=b' }).end('taken\r\n\0\u001b[31m\u202eü');
	});
	const { posted, looked } = await post(port);
	const { tookMs: _, ...rest } = answered(posted);
	assert.deepEqual(rest, { status: 202, retryAfterMs: 7_000, answer: 'taken    [31m ü' });
	assert.deepEqual(looked, ['receiver.example']);
	assert.equal(requests.length, 1);
	const [{ headers, ...request } = assert.fail()] = requests;
	assert.deepEqual(request, { method: 'POST', url: `/hook?key=${SECRET}`, body: BODY });
	const version = JSON.parse(pem(import.meta.dirname, '../../package.json')).version;
	assert.deepEqual(headers, {
		...HEADERS,
		host: `receiver.example:${port}`,
		'content-type': 'application/json',
		'content-length': String(Buffer.byteLength(BODY)),
		'user-agent': `Bursar-Webhooks/${version}`,
		'accept-encoding': 'identity',
		connection: 'close',
	});
});

test('the body goes to each try on a connection of its own, without the cookie of an earlier answer', async (t) => {
	const ports = new Set<number | undefined>();
	const { port, requests } = await startReceiver(t, (response) => {
		ports.add(response.socket?.remotePort);
		response.writeHead(200, { 'Set-Cookie': 'a=b', Connection: 'keep-alive' }).end();
	});
	for (let time = 0; time < 2; time++) answered((await post(port)).posted);
	assert.equal(ports.size, 2);
	assert.equal(requests[1]?.headers.cookie, undefined);
});

test('a redirect is not followed', async (t) => {
	const other = await startReceiver(t, (response) => response.end());
	for (const location of ['http://127.0.0.1/', 'http://169.254.169.254/', `https://receiver.example:${other.port}/`]) {
		const { port } = await startReceiver(t, (response) => response.writeHead(307, { location }).end());
		assert.equal(answered((await post(port)).posted).status, 307);
	}
	assert.deepEqual(other.requests, []);
});

test('Retry-After is a number of seconds or a date, and anything else is none', async (t) => {
	let value = '';
	const { port } = await startReceiver(t, (response) => response.writeHead(503, { 'Retry-After': value }).end());
	const told = async (text: string) => {
		value = text;
		return answered((await post(port)).posted).retryAfterMs;
	};
	assert.equal(await told('0'), 0);
	const untilMs = await told(new Date(Date.now() + 100_000).toUTCString());
	assert.ok(untilMs !== undefined && untilMs > 50_000 && untilMs <= 100_000);
	for (const text of ['-1', 'soon', '', '9'.repeat(400), new Date(0).toUTCString()]) {
		assert.equal(await told(text), undefined, text);
	}
});

test('a private address is never connected to, whatever else the name has', async (t) => {
	const { port, requests } = await startReceiver(t, (response) => response.end());
	const mixed = await post(port, { found: [['10.0.0.1', '169.254.169.254', '127.0.0.1', '::1', 'fd00::1']] });
	assert.equal(answered(mixed.posted).status, 200);
	for (const found of [['10.0.0.1'], ['169.254.169.254', '::ffff:10.0.0.1'], ['::1'], ['127.0.0.2']]) {
		assert.equal(failed((await post(port, { found: [found] })).posted).failure, 'refused_address', String(found));
	}
	assert.equal(requests.length, 1);
});

test('an address that this machine has is private', async (t) => {
	const { port, requests } = await startReceiver(t, (response) => response.end());
	const policy = createDestinationPolicy({
		allowPrivate: false,
		ownAddresses: () => new Set(['203.0.112.9']),
		lookUp: async () => ['203.0.112.9'],
	});
	assert.equal(failed((await post(port, { policy })).posted).failure, 'refused_address');
	assert.deepEqual(requests, []);
});

test('a name is looked up once, so it cannot change between the check and the connection', async (t) => {
	const { port } = await startReceiver(t, (response) => response.end());
	const { posted, looked } = await post(port, { found: [['127.0.0.1'], ['10.0.0.1']] });
	assert.equal(answered(posted).status, 200);
	assert.equal(looked.length, 1);
});

test('an address that does not accept is followed by the next one', async (t) => {
	const { port } = await startReceiver(t, (response) => response.end());
	const policy = createDestinationPolicy({
		allowPrivate: false,
		allowed: ['127.0.0.2', '127.0.0.1'].map((address) => ({ address, port })),
		lookUp: async () => ['127.0.0.2', '127.0.0.1'],
	});
	assert.equal(answered((await post(port, { policy })).posted).status, 200);
});

test('a name without an address, and a name server that fails', async () => {
	assert.equal(failed((await post(8443, { found: [[]] })).posted).failure, 'unresolvable');
	const policy = createDestinationPolicy({ allowPrivate: false, lookUp: () => Promise.reject(new Error(SECRET)) });
	assert.equal(failed((await post(8443, { policy })).posted).failure, 'unresolvable');
});

test('a URL that no webhook may have is refused before anything is looked up', async () => {
	for (const host of ['127.0.0.1', '[::1]', 'localhost', 'intranet', 'user:password@receiver.example', '0x7f.1']) {
		const { posted, looked } = await post(8443, { host });
		assert.equal(failed(posted).failure, 'refused_address', host);
		assert.deepEqual(looked, []);
	}
});

test('nothing is sent to a receiver whose certificate is not trusted or names another host', async (t) => {
	// Certificates are checked whatever the environment says.
	process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
	t.after(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED);
	for (const [certificate, host, code] of [
		[UNTRUSTED, 'receiver.example', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
		[TRUSTED, 'other.example', 'ERR_TLS_CERT_ALTNAME_INVALID'],
	] as const) {
		const { port, requests } = await startReceiver(t, (response) => response.end(), certificate);
		const { failure, message } = failed((await post(port, { host })).posted);
		assert.deepEqual([failure, message], ['certificate', `The certificate is refused (${code}).`]);
		assert.deepEqual(requests, []);
	}
});

test('a receiver that does not listen, speaks no TLS, or resets the connection', async (t) => {
	const closed = await listen(t, createServer());
	closed.close();
	const plain = await listen(t, createHttpServer());
	const resetting = await startRawReceiver(t, (socket) => socket.destroy());
	const ending = await startRawReceiver(t, (socket) => socket.end());
	const torn = await startRawReceiver(t, (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-'));
	for (const port of [closed.port, plain.port, resetting, ending, torn]) {
		const { failure, message } = failed((await post(port)).posted);
		assert.equal(failure, 'connection', message);
	}
});

test('what is no HTTP, has an endless head or asks to change the protocol is no answer', async (t) => {
	const line = `X: ${'x'.repeat(1_000)}\r\n`;
	for (const answer of [
		'SSH-2.0-OpenSSH\r\n',
		`HTTP/1.1 200 OK\r\n${line.repeat(20)}`,
		`HTTP/1.1 200 ${'x'.repeat(20_000)}`,
	]) {
		const port = await startRawReceiver(t, (socket) => socket.write(answer));
		const { failure, message } = failed((await post(port)).posted);
		assert.equal(failure, 'invalid_answer', message);
	}
	const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
	const port = await startRawReceiver(t, (socket) => socket.write(upgrade));
	assert.equal(failed((await post(port)).posted).failure, 'connection');
});

test('a few interim answers are passed over, and a flood of them ends the try', async (t) => {
	const interim = 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n';
	const few = await startRawReceiver(t, (socket) => {
		socket.end(`${interim.repeat(16)}HTTP/1.1 204 No Content\r\n\r\n`);
	});
	assert.equal(answered((await post(few)).posted).status, 204);
	const many = await startRawReceiver(t, (socket) => {
		const flood = () => {
			while (socket.writable && socket.write(interim));
		};
		socket.on('drain', flood);
		flood();
	});
	assert.equal(failed((await post(many)).posted).failure, 'invalid_answer');
});

test('an endless answer is read to 4 KiB, and then the connection is closed', async (t) => {
	const sockets = new EventEmitter();
	const port = await startRawReceiver(t, (socket) => {
		socket.on('close', () => sockets.emit('closed'));
		const flood = () => {
			while (socket.writable && socket.write('ü'.repeat(1_000)));
		};
		socket.on('drain', flood);
		socket.write('HTTP/1.1 200 OK\r\n\r\nx');
		flood();
	});
	const closed = once(sockets, 'closed');
	// The last character is cut in two.
	assert.equal(answered((await post(port)).posted).answer, `x${'ü'.repeat(2_047)}`);
	await closed;
});

test('endless trailers and tiny chunks do not keep an answer open', async (t) => {
	const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
	for (const flooding of ['1\r\nx\r\n', `1;${'e'.repeat(100)}\r\nx\r\n`, `0\r\n${'T: x\r\n'.repeat(10_000)}`]) {
		const port = await startRawReceiver(t, (socket) => {
			const flood = () => {
				while (socket.writable && socket.write(flooding));
			};
			socket.on('drain', flood);
			socket.write(head);
			flood();
		});
		const { status, answer } = answered((await post(port)).posted);
		assert.equal(status, 200);
		assert.match(answer, /^x{0,4096}$/);
	}
});

test('a compressed answer is not decompressed', async (t) => {
	const { port } = await startReceiver(t, (response) => {
		response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(Buffer.from([0x1f, 0x8b, 8, 0]));
	});
	assert.equal(answered((await post(port)).posted).answer, ' \ufffd  ');
});

test('once the status has come it counts, even if the answer is cut off', async (t) => {
	const head = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n';
	const port = await startRawReceiver(t, (socket) => socket.end(`${head}half`));
	const { status, answer } = answered((await post(port)).posted);
	assert.deepEqual([status, answer], [200, 'half']);
});

test('the deadline ends an answer that drips, and what has come is kept', async (t) => {
	const { deadline, pass } = openDeadline();
	const port = await startRawReceiver(t, (socket) => {
		socket.write('HTTP/1.1 500 No\r\nContent-Length: 100\r\n\r\ndrip');
		// Something reads the drip before the deadline passes.
		setTimeout(pass, 50);
	});
	const { status, answer } = answered((await post(port, { deadline })).posted);
	assert.deepEqual([status, answer], [500, 'drip']);
});

test('the deadline ends a try at each step: look-up, connection, TLS, and the wait for an answer', async (t) => {
	const lookingUp = openDeadline();
	const policy = {
		resolve: () => {
			queueMicrotask(lookingUp.pass);
			return new Promise<never>(() => {});
		},
	};
	assert.equal(failed((await post(8443, { ...lookingUp, policy })).posted).failure, 'timeout');

	const connecting = openDeadline();
	const silent = createServer((socket) => socket.once('data', connecting.pass));
	const { port: silentPort } = await listen(t, silent);
	assert.equal(failed((await post(silentPort, connecting)).posted).failure, 'timeout');

	for (const beginning of ['', 'HTTP/1.1 200 OK\r\nX-A: b\r\n']) {
		const waiting = openDeadline();
		const port = await startRawReceiver(t, (socket) => socket.write(beginning, waiting.pass));
		assert.equal(failed((await post(port, waiting)).posted).failure, 'timeout', beginning);
	}
});

test('the caller can stop a try, also before it begins', async (t) => {
	const stopping = new AbortController();
	const port = await startRawReceiver(t, () => stopping.abort());
	assert.equal(failed((await post(port, { signal: stopping.signal })).posted).failure, 'stopped');
	assert.equal(failed((await post(port, { signal: AbortSignal.abort() })).posted).failure, 'stopped');
});

test('this machine is posted to over http, if that is allowed, and nothing else is', async (t) => {
	const { port } = await listen(
		t,
		createHttpServer((request, response) => response.end(request.headers.host)),
	);
	const signal = new AbortController().signal;
	const to = (url: string, allowLoopback: boolean) =>
		createPoster({ allowLoopback })({ url, headers: HEADERS, body: BODY, signal });
	for (const host of ['127.0.0.1', 'localhost']) {
		const url = `http://${host}:${port}/`;
		assert.equal(answered(await to(url, true)).answer, `${host}:${port}`);
		assert.equal(failed(await to(url, false)).failure, 'refused_address');
	}
	for (const url of [
		'http://127.0.0.2:8080/',
		'http://10.0.0.1/',
		'http://receiver.example/',
		'https://127.0.0.1:8443/',
	]) {
		assert.equal(failed(await to(url, true)).failure, 'refused_address', url);
	}
});
