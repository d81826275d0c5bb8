import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import { answerTo, openRawClient } from '../support/raw-client.ts';
import { basic, KEY, startEcho, startOrigin, startTestProxy } from '../support/running-proxy.ts';

const LIMIT_MS = 30_000;

const connectTo = (port: number, authorization?: string) =>
	`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n${authorization ? `Proxy-Authorization: ${authorization}\r\n` : ''}\r\n`;
const getFrom = (port: number, authorization?: string) =>
	`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n${authorization ? `Proxy-Authorization: ${authorization}\r\n` : ''}\r\n`;

describe('a proxy lets only good pairs pass', { concurrency: true }, () => {
	test('without a good pair nothing passes, and no account pays', async (t) => {
		const proxy = await startTestProxy(t);
		let reached = 0;
		const origin = createServer((_request, response) => {
			reached++;
			response.end();
		});
		origin.on('connection', () => reached++);
		const { port } = await listen(t, origin);
		const wrong = [
			undefined,
			basic('alice', 'wrong'),
			basic('alice', `x${KEY}`),
			basic('alice', `_${KEY}`),
			basic('nobody', KEY),
			basic('bob.b', KEY),
			basic('alice\0', KEY),
			basic('', KEY),
			basic('alice', ''),
			'Basic',
			'Basic !!!!',
			`Basic ${Buffer.from([0xff, 0xfe, 0x3a, 0xff]).toString('base64')}`,
			'Bearer abc',
		];
		for (const authorization of wrong) {
			for (const text of [getFrom(port, authorization), connectTo(port, authorization)]) {
				assert.match(await answerTo(t, proxy.port, text), /^HTTP\/1\.1 4(07|00) /);
			}
		}
		assert.equal(reached, 0);
		await proxy.reporter.flush();
		assert.equal(proxy.service.counters.size, 0);
	});

	test('a wrong password on a connection ends it, and no account pays for its bytes', async (t) => {
		const proxy = await startTestProxy(t);
		const port = await startOrigin(t);
		const client = openRawClient(t, proxy.port);
		const good = getFrom(port, basic('alice', KEY));
		client.write(good);
		const { length } = await client.until('from the origin');
		client.write(getFrom(port, basic('alice', 'wrong')));
		assert.match(await client.closed, /from the originHTTP\/1\.1 407 /);
		const used = { up: good.length, down: length };
		await eventually(async () => assert.deepEqual(proxy.service.usedBy('alice'), used), LIMIT_MS);
		await eventually(async () => assert.equal(proxy.stats.connections, 0), LIMIT_MS);
		await proxy.reporter.flush();
		assert.deepEqual(proxy.service.usedBy('alice'), used);
	});

	test('a refused request behind a running answer makes none of its bytes free', async (t) => {
		const proxy = await startTestProxy(t);
		const rest = Promise.withResolvers<void>();
		const origin = createServer(async (_request, response) => {
			response.write('the beginning');
			await rest.promise;
			response.end(`${'x'.repeat(100_000)}the end`);
		});
		const { port } = await listen(t, origin);
		const client = openRawClient(t, proxy.port);
		client.write(getFrom(port, basic('alice', KEY)));
		await client.until('the beginning');
		const asked = proxy.service.requests.get('/edge/v1/check') ?? 0;
		proxy.service.behaviour = 'hang';
		client.write(getFrom(port, basic('alice', 'wrong')));
		await eventually(async () => assert.ok((proxy.service.requests.get('/edge/v1/check') ?? 0) > asked), LIMIT_MS);
		rest.resolve();
		const { length } = await client.until('the end');
		proxy.service.behaviour = 'usual';
		await client.closed;
		await eventually(async () => {
			await proxy.reporter.flush();
			assert.ok(proxy.service.usedBy('alice').down >= length);
		}, LIMIT_MS);
	});

	test('an open tunnel and an idle connection are cut within five seconds of a reset', async (t) => {
		const proxy = await startTestProxy(t);
		const [echo, origin] = [await startEcho(t), await startOrigin(t)];
		const tunnel = openRawClient(t, proxy.port);
		const idle = openRawClient(t, proxy.port);
		const other = openRawClient(t, proxy.port);
		tunnel.write(connectTo(echo, basic('alice', KEY)));
		idle.write(getFrom(origin, basic('alice', KEY)));
		other.write(connectTo(echo, basic('bob.b', 'Bbbbbbbb12345678')));
		await Promise.all([tunnel.until('\r\n\r\n'), idle.until('from the origin'), other.until('\r\n\r\n')]);
		const [, , atMs] = [
			proxy.service.keys.set('alice', 'New45678New45678'),
			tunnel.write('still here'),
			performance.now(),
		];
		await Promise.all([tunnel.closed, idle.closed]);
		t.diagnostic(`cut after ${Math.round(performance.now() - atMs)} ms`);
		other.write('unharmed');
		await other.until('unharmed');
		assert.equal(proxy.stats.cut, 2);
		assert.match(await answerTo(t, proxy.port, getFrom(origin, basic('alice', KEY))), / 407 /);
	});

	test('while the service is away, good pairs work, and their bytes arrive later', async (t) => {
		const proxy = await startTestProxy(t);
		const port = await startOrigin(t);
		const get = async (authorization: string) => {
			const client = openRawClient(t, proxy.port);
			client.write(getFrom(port, authorization));
			const text = await Promise.race([client.until('from the origin'), client.closed]);
			client.socket.destroy();
			return text;
		};
		assert.match(await get(basic('alice', KEY)), / 200 /);
		await proxy.service.goAway();
		// Longer than an answer counts.
		await new Promise((resolve) => setTimeout(resolve, 2_500));
		const texts = [await get(basic('alice', KEY)), await get(basic('alice', KEY))];
		assert.ok(texts.every((text) => text.includes(' 200 ')));
		assert.match(await get(basic('bob.b', 'Bbbbbbbb12345678')), / 503 /);
		assert.match(await get(basic('alice', 'wrong')), / 503 /);
		await eventually(async () => assert.notEqual(proxy.unreadyBecause(), undefined), LIMIT_MS);
		await proxy.service.comeBack();
		const sent = getFrom(port, basic('alice', KEY)).length;
		await eventually(async () => assert.equal(proxy.service.usedBy('alice').up, 3 * sent), LIMIT_MS);
		await eventually(async () => assert.equal(proxy.unreadyBecause(), undefined), LIMIT_MS);
		assert.match(await get(basic('bob.b', 'Bbbbbbbb12345678')), / 200 /);
	});

	test('stop ends within its limits, and reports the last bytes', async (t) => {
		const proxy = await startTestProxy(t);
		const tunnel = openRawClient(t, proxy.port);
		const request = connectTo(await startEcho(t), basic('alice', KEY));
		tunnel.write(request);
		await tunnel.until('\r\n\r\n');
		tunnel.write('last');
		await tunnel.until('last');
		assert.equal(await proxy.stop(), 0);
		const received = await tunnel.closed;
		assert.deepEqual(proxy.service.usedBy('alice'), { up: request.length + 4, down: received.length });
	});

	test('a client that goes away takes no check with it that others wait for', async (t) => {
		const proxy = await startTestProxy(t, { checkTimeoutMs: LIMIT_MS });
		const port = await startOrigin(t);
		const { promise: held, resolve: release } = Promise.withResolvers<void>();
		proxy.service.held = held;
		const first = openRawClient(t, proxy.port);
		first.write(getFrom(port, basic('alice', KEY)));
		await eventually(async () => assert.equal(proxy.service.requests.get('/edge/v1/check'), 1), LIMIT_MS);
		// The second one waits for the check of the first.
		const second = openRawClient(t, proxy.port);
		second.write(getFrom(port, basic('alice', KEY)));
		await eventually(async () => assert.equal(proxy.stats.requests, 2), LIMIT_MS);
		first.socket.destroy();
		await eventually(async () => assert.equal(proxy.stats.connections, 1), LIMIT_MS);
		release();
		await second.until('from the origin');
		// Without a password, the pair of an open connection is checked again, as always.
		assert.equal(proxy.service.checks.filter(({ password }) => password !== undefined).length, 1);
	});
});
