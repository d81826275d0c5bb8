import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTcpServer, Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import { unreachable } from '../../src/proxy/target/unreachable.ts';
import { startCountingRelay } from '../support/counting-relay.ts';
import { LOCAL_HEADER } from '../support/proxy-headers.ts';
import { answerTo, openRawClient, type RawClient } from '../support/raw-client.ts';
import { basic, KEY, startEcho, startOrigin, startTestProxy } from '../support/running-proxy.ts';

const LIMIT_MS = 60_000;
const PAIR = `Proxy-Authorization: ${basic('alice', KEY)}\r\n`;
/** Nothing listens on it. */
const CLOSED_PORT = 1;

/** An origin that answers only when it is told to, and notes the heads that it gets. */
async function startSlowOrigin(test: TestContext) {
	const seen: IncomingMessage[] = [];
	const { promise: told, resolve: answer } = Promise.withResolvers<void>();
	const origin = createServer(async (request, response) => {
		seen.push(request);
		response.write('the beginning');
		await told;
		response.end(' and the end');
	});
	return { seen, answer, port: (await listen(test, origin)).port };
}

test('a destination that refuses connections is a 502, for tunnels too, and is counted', async (t) => {
	const proxy = await startTestProxy(t);
	const relay = await startCountingRelay(t, proxy.port);
	for (const request of [`CONNECT 127.0.0.1:${CLOSED_PORT}`, `GET http://127.0.0.1:${CLOSED_PORT}/`]) {
		assert.match(
			await answerTo(t, relay.port, `${request} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${PAIR}\r\n`),
			/^HTTP\/1\.1 502 Destination not reached\r\n/,
			request,
		);
	}
	await eventually(async () => assert.deepEqual(proxy.service.usedBy('alice'), relay.bytes), LIMIT_MS);
});

test('requests one after another leave nothing behind on the connection to the origin', async (t) => {
	const warnings: string[] = [];
	const warn = ({ message }: Error) => void warnings.push(message);
	process.on('warning', warn);
	t.after(() => process.off('warning', warn));
	const proxy = await startTestProxy(t);
	const port = await startOrigin(t);
	const client = openRawClient(t, proxy.port);
	for (let times = 1; times <= 12; times++) {
		client.write(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n${PAIR}\r\n`);
		await eventually(async () => assert.equal(client.text().split('from the origin').length, times + 1), LIMIT_MS);
	}
	assert.deepEqual(warnings, []);
});

test('a client that walks over many origins has a connection to one of them at a time', async (t) => {
	const proxy = await startTestProxy(t);
	let open = 0;
	let most = 0;
	const client = openRawClient(t, proxy.port);
	for (let times = 1; times <= 20; times++) {
		const origin = createServer((_request, response) => response.end('from the origin'));
		origin.on('connection', (socket) => {
			most = Math.max(most, ++open);
			socket.on('close', () => open--);
		});
		const { port } = await listen(t, origin);
		client.write(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n${PAIR}\r\n`);
		await eventually(async () => assert.equal(client.text().split('from the origin').length, times + 1), LIMIT_MS);
	}
	// The one before ends while the next one begins.
	assert.ok(most <= 2, `${most} at a time`);
});

test('requests that are sent ahead go to their origins one after another', async (t) => {
	const proxy = await startTestProxy(t);
	let inProgress = 0;
	const seen: (string | undefined)[] = [];
	const origin = createServer(async (request, response) => {
		seen.push(request.url);
		assert.equal(++inProgress, 1);
		response.write('begins ');
		// Time enough for the next one to come too early.
		await new Promise((resolve) => setTimeout(resolve, 20));
		response.end(`and ends ${request.url}`, () => inProgress--);
	});
	const { port } = await listen(t, origin);
	const client = openRawClient(t, proxy.port);
	const paths = ['/1', '/2', '/3', '/4'];
	client.write(paths.map((path) => `GET http://127.0.0.1:${port}${path} HTTP/1.1\r\nHost: x\r\n${PAIR}\r\n`).join(''));
	await client.until('and ends /4');
	assert.deepEqual(seen, paths);
});

test('the phrase of a refusal says why, because most clients show nothing else of a refused CONNECT', async (t) => {
	const proxy = await startTestProxy(t, { destinations: { allowPrivate: false } });
	const { service } = proxy;
	const ask = async (request: string, pair = PAIR) => {
		return (await answerTo(t, proxy.port, `${request} HTTP/1.1\r\nHost: x\r\n${pair}\r\n`)).split('\r\n', 1)[0];
	};
	const phrases = [
		['suspended', '403 Account suspended'],
		['expired', '403 Account expired'],
		['address_not_allowed', '403 Address not allowed'],
		['exhausted', '402 Balance used up'],
		['limit_reached', '429 Traffic limit reached'],
		['limit_reached', '429 Too many connections', { limit: 'connections' }],
		['unavailable', '503 Password cannot be checked now'],
		['throttled', '429 Too many wrong passwords'],
	] as const;
	for (const [index, [reason, phrase, limit = {}]] of phrases.entries()) {
		for (const [kind, request] of ['CONNECT 127.0.0.1:443', 'GET http://127.0.0.1/'].entries()) {
			// What is refused is remembered for a while.
			const name = `user.${index}${kind}`;
			service.keys.set(name, KEY);
			service.refused.set(name, reason);
			service.limits.set(name, limit);
			assert.equal(await ask(request, `Proxy-Authorization: ${basic(name, KEY)}\r\n`), `HTTP/1.1 ${phrase}`);
		}
	}
	assert.equal(await ask('CONNECT 127.0.0.1:443'), 'HTTP/1.1 403 Destination not allowed');
	assert.equal(await ask('CONNECT 192.0.78.1:25'), 'HTTP/1.1 403 Port not allowed');
	const wrong = `Proxy-Authorization: ${basic('alice', 'x')}\r\n`;
	assert.equal(await ask('CONNECT 127.0.0.1:443', wrong), 'HTTP/1.1 407 Wrong username or password');
	assert.equal(await ask('CONNECT 127.0.0.1:443', ''), 'HTTP/1.1 407 Proxy Authentication Required');
});

test('a client that waits with its body is told to go on by its origin, after the pair was checked', async (t) => {
	const proxy = await startTestProxy(t);
	const origin = createServer((request, response) => void request.pipe(response));
	let continued = 0;
	origin.on('checkContinue', (request, response) => {
		continued++;
		response.writeContinue();
		request.pipe(response);
	});
	const { port } = await listen(t, origin);
	const head = `POST http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n`;
	assert.match(
		await answerTo(t, proxy.port, `${head}Proxy-Authorization: ${basic('alice', 'x')}\r\n\r\n`),
		/^HTTP\/1\.1 407 /,
	);
	assert.equal(continued, 0);
	const client = openRawClient(t, proxy.port);
	client.write(`${head}Connection: close\r\n${PAIR}\r\n`);
	await client.until('HTTP/1.1 100 Continue\r\n\r\n');
	client.write('body');
	assert.match(await client.closed, /HTTP\/1\.1 200 OK\r\n.*body/s);
});

test('trailers reach both sides, without those that frame a message', async (t) => {
	const proxy = await startTestProxy(t);
	let seen: readonly string[] = [];
	const origin = createServer((request, response) => {
		request.resume().on('end', () => {
			seen = request.rawTrailers;
			response.write('body');
			response.addTrailers([
				['X-Sum', '9'],
				['Content-Length', '1'],
			]);
			response.end();
		});
	});
	const { port } = await listen(t, origin);
	const client = openRawClient(t, proxy.port);
	const head = `POST http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${PAIR}`;
	client.write(`${head}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Up: 7\r\nHost: y\r\n\r\n`);
	assert.match(await client.closed, /4\r\nbody\r\n0\r\nX-Sum: 9\r\n\r\n$/);
	assert.deepEqual(seen, ['X-Up', '7']);
});

test('Max-Forwards is counted down, and at zero the proxy itself answers; two hosts are refused', async (t) => {
	const proxy = await startTestProxy(t);
	const seen: (string | string[] | undefined)[] = [];
	const origin = createServer(({ method, headers }, response) => {
		seen.push(`${method} ${headers['max-forwards']}`);
		response.end('from the origin');
	});
	const { port } = await listen(t, origin);
	const ask = async (method: string, headers: string) => {
		const client = openRawClient(t, proxy.port);
		client.write(
			`${method} http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n${PAIR}\r\n`,
		);
		return (await client.closed).split(' ')[1];
	};
	assert.equal(await ask('OPTIONS', 'Max-Forwards: 3'), '200');
	assert.equal(await ask('GET', 'Max-Forwards: 0'), '200');
	assert.deepEqual(seen, ['OPTIONS 2', 'GET 0']);
	assert.equal(await ask('OPTIONS', 'Max-Forwards: 0'), '200');
	assert.equal(await ask('TRACE', 'Max-Forwards: 0'), '405');
	assert.equal(await ask('GET', 'host: y'), '400');
	assert.equal(seen.length, 2);
});

test('a destination that does not answer in time is a 504, and every other fault of it a 502', () => {
	const statusOf = (code: string) => unreachable(Object.assign(new Error('of a test'), { code })).status;
	assert.equal(statusOf('ETIMEDOUT'), 504);
	for (const code of ['ECONNREFUSED', 'EHOSTUNREACH', 'ECONNRESET', 'HPE_INVALID_CONSTANT'])
		assert.equal(statusOf(code), 502);
});

test('what is meant for the proxy alone reaches no origin and no client', async (t) => {
	const proxy = await startTestProxy(t);
	let seen: IncomingMessage | undefined;
	const origin = createServer((request, response) => {
		seen = request;
		response.writeHead(200, { connection: 'X-Hop-Back', 'x-hop-back': '1', 'x-kept-back': '1' });
		request.pipe(response);
	});
	const { port } = await listen(t, origin);
	const client = openRawClient(t, proxy.port);
	const named = 'Connection: close, X-Hop, Content-Length, Host';
	const own = 'Proxy-Connection: keep-alive\r\nX-Hop: 1\r\nx-hop: 2\r\nX-Kept: 1\r\nContent-Length: 4';
	client.write(`POST http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n${named}\r\n${own}\r\n${PAIR}\r\nbody`);
	const answer = await client.closed;
	assert.match(answer, /\r\nbody\r\n/);
	assert.match(answer, /x-kept-back/i);
	assert.doesNotMatch(answer, /^x-hop-back/im);
	const { 'proxy-connection': hop, 'x-hop': named1, 'proxy-authorization': pair, ...rest } = seen?.headers ?? {};
	assert.deepEqual([hop, named1, pair], [undefined, undefined, undefined]);
	assert.equal(rest['x-kept'], '1');
	assert.equal(rest['content-length'], '4');
});

test('a request with an unknown expectation needs a pair too', async (t) => {
	const proxy = await startTestProxy(t);
	assert.match(
		await answerTo(t, proxy.port, 'GET http://127.0.0.1:1/ HTTP/1.1\r\nHost: x\r\nExpect: nonsense\r\n\r\n'),
		/^HTTP\/1\.1 407 /,
	);
});

test('an origin gets its own name as the host, and the length of a body that there is not', async (t) => {
	const proxy = await startTestProxy(t);
	const seen: IncomingMessage[] = [];
	const { port } = await listen(
		t,
		createServer((request, response) => {
			seen.push(request);
			response.end('done');
		}),
	);
	for (const request of [`POST http://127.0.0.1:${port}`, `GET http://127.0.0.1:${port}/a%20b?c=/../d`]) {
		assert.match(
			await answerTo(t, proxy.port, `${request} HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n${PAIR}\r\n`),
			/done/,
		);
	}
	assert.deepEqual(
		seen.map(({ url, headers }) => [url, headers.host, headers['content-length']]),
		[
			['/', `127.0.0.1:${port}`, '0'],
			['/a%20b?c=/../d', `127.0.0.1:${port}`, undefined],
		],
	);
});

test('a request is sent again if the origin had just closed the kept connection, unless it may not be repeated', async (t) => {
	const proxy = await startTestProxy(t);
	let requests = 0;
	const origin = createTcpServer((socket) => {
		socket.on('error', () => {});
		// The second request on a connection finds it closed.
		socket.once('data', () => {
			requests++;
			socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone');
			socket.once('data', () => socket.resetAndDestroy());
		});
	});
	const { port } = await listen(t, origin);
	const client = openRawClient(t, proxy.port);
	const send = (method: string, length: string) =>
		client.write(`${method} http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n${length}${PAIR}\r\n`);
	for (const expected of [1, 2, 3]) {
		send('GET', '');
		await eventually(async () => assert.equal(client.text().split('done').length - 1, expected), LIMIT_MS);
	}
	assert.equal(requests, 3);
	send('POST', 'Content-Length: 0\r\n');
	await client.until(' 502 ');
});

test('a proxy that stops answers what comes on its connections, and keeps tunnels for its time', async (t) => {
	const proxy = await startTestProxy(t);
	const { port, answer } = await startSlowOrigin(t);
	const { promise: told, resolve: tell } = Promise.withResolvers<void>();
	const late = await listen(
		t,
		createServer(async (_request, response) => {
			await told;
			response.end('late');
		}),
	);
	const echo = await startEcho(t);
	const get = `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n${PAIR}\r\n`;
	const [busy, tunnel] = [openRawClient(t, proxy.port), openRawClient(t, proxy.port)];
	const waiting = openRawClient(t, proxy.port);
	busy.write(get);
	waiting.write(`GET http://127.0.0.1:${late.port}/ HTTP/1.1\r\nHost: x\r\n${PAIR}\r\n`);
	tunnel.write(`CONNECT 127.0.0.1:${echo} HTTP/1.1\r\n${PAIR}\r\n`);
	await Promise.all([busy.until('the beginning'), tunnel.until('\r\n\r\n')]);
	const stopped = proxy.stop(LIMIT_MS);
	tell();
	tunnel.write('still here');
	await tunnel.until('still here');
	answer();
	await busy.until(' and the end');
	busy.write(get);
	assert.match(await busy.closed, /Connection: close.* and the end/s);
	assert.match(await waiting.closed, /Connection: close.*late$/s);
	tunnel.socket.end();
	assert.equal(await stopped, 0);
});

test('a proxy that stops serves a client that has just connected, also behind a load balancer', async (t) => {
	for (const loadBalancers of [[], ['127.0.0.1']]) {
		const proxy = await startTestProxy(t, { loadBalancers });
		const { port } = await listen(
			t,
			createServer((_request, response) => response.end('done')),
		);
		const ask = (client: RawClient) => {
			if (loadBalancers.length > 0) client.write(LOCAL_HEADER);
			client.write(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${PAIR}\r\n`);
			return client.closed;
		};
		const [client, other, last] = [
			openRawClient(t, proxy.port),
			openRawClient(t, proxy.port),
			openRawClient(t, proxy.port),
		];
		// Connections are accepted in their order.
		assert.match(await ask(last), /done/);
		const stopped = proxy.stop(LIMIT_MS);
		const answered = ask(client);
		assert.match(await answered, /done/);
		assert.equal(await other.closed, '', 'a silent one is not waited for');
		assert.equal(await stopped, 0);
	}
});

for (const [what, second] of [
	['a refused destination', `GET http://[::1/ HTTP/1.1\r\nHost: x\r\n${PAIR}\r\n`],
	[
		'a wrong pair',
		`GET http://127.0.0.1:9/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basic('alice', 'x')}\r\n\r\n`,
	],
	['a request that cannot be read', 'nonsense\r\n\r\n'],
] as const) {
	test(`the answer to ${what} waits until the answer before is complete`, async (t) => {
		const proxy = await startTestProxy(t);
		const { port, answer } = await startSlowOrigin(t);
		const client = openRawClient(t, proxy.port);
		client.write(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n${PAIR}\r\n`);
		await client.until('the beginning');
		client.write(second);
		// A request of another client that is answered: by then the refusal would have come.
		for (let round = 0; round < 3; round++) {
			await answerTo(t, proxy.port, second);
		}
		answer();
		assert.match(await client.closed, /the beginning.* and the end.*HTTP\/1\.1 4\d\d /s);
	});
}

test('a body that cannot be read is told at once, whatever its origin waits for', async (t) => {
	const proxy = await startTestProxy(t);
	const { port } = await listen(
		t,
		createTcpServer((socket) => socket.on('error', () => {}).resume()),
	);
	const client = openRawClient(t, proxy.port);
	const head = `POST http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n${PAIR}\r\n`;
	client.write(`${head}5\r\nhello\r\n`);
	await eventually(async () => assert.equal(proxy.stats.requests, 1), LIMIT_MS);
	client.write('zz\r\n');
	assert.match(await client.closed, /^HTTP\/1\.1 400 .*cannot be read\.$/s);
});

test('a tunnel does not begin in the middle of an answer', async (t) => {
	const proxy = await startTestProxy(t);
	const { port, answer } = await startSlowOrigin(t);
	const client = openRawClient(t, proxy.port);
	client.write(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n${PAIR}\r\n`);
	await client.until('the beginning');
	client.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n${PAIR}\r\n`);
	assert.doesNotMatch(await client.closed, /Connection Established/);
	answer();
});

test('small writes to a destination wait for nothing', async (t) => {
	const set = t.mock.method(Socket.prototype, 'setNoDelay');
	const proxy = await startTestProxy(t);
	const echo = await startEcho(t);
	const client = openRawClient(t, proxy.port);
	client.write(`CONNECT 127.0.0.1:${echo} HTTP/1.1\r\n${PAIR}\r\n`);
	await client.until('\r\n\r\n');
	const targets = set.mock.calls.map(({ this: socket }) => socket as Socket);
	assert.ok(targets.some(({ remotePort }) => remotePort === echo));
});

test('a tunnel whose client sends more than the destination has taken yet begins with all of it', async (t) => {
	const proxy = await startTestProxy(t);
	const echo = await startEcho(t);
	const client = openRawClient(t, proxy.port);
	client.write(`CONNECT 127.0.0.1:${echo} HTTP/1.1\r\n${PAIR}\r\nearly ${'x'.repeat(100_000)} late`);
	assert.match(await client.until(' late'), /\r\n\r\nearly x+ late$/);
});
