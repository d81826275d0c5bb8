import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import type { KnownPair } from '../../src/agent/pair-checker.ts';
import { startBalanceWatch } from '../../src/proxy/account/balance-watch.ts';
import { answerTo, openRawClient } from '../support/raw-client.ts';
import { basic, KEY, startEcho, startFountain, startOrigin, startTestProxy } from '../support/running-proxy.ts';

const LIMIT_MS = 60_000;
const PAIR = `Proxy-Authorization: ${basic('alice', KEY)}\r\n`;
const MB = 1_000_000;

function openTunnel(test: TestContext, proxyPort: number, port: number) {
	const client = openRawClient(test, proxyPort);
	client.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n${PAIR}\r\n`);
	return client;
}

describe('a balance that pays for bandwidth', { concurrency: true }, () => {
	test('all tunnels of a user together are cut when they have passed it', async (t) => {
		const proxy = await startTestProxy(t);
		const port = await startFountain(t);
		proxy.service.paidBytes.set('alice', 20 * MB);
		const tunnels = Array.from({ length: 5 }, () => openTunnel(t, proxy.port, port));
		await Promise.all(tunnels.map(({ closed }) => closed));
		assert.equal(proxy.stats.cut, 5);
		await proxy.reporter.flush();
		const { up, down } = proxy.service.usedBy('alice');
		t.diagnostic(`passed ${up + down} bytes`);
		assert.ok(up + down >= 20 * MB);
	});

	test('a report that the service has counted and not answered yet takes nothing of it twice', async (t) => {
		const { service, port } = await startTestProxy(t);
		const echo = await startEcho(t);
		service.paidBytes.set('alice', 10 * MB);
		const client = openTunnel(t, port, echo);
		await client.until('\r\n\r\n');
		const pass = async (last: string) => {
			client.write(Buffer.alloc(2 * MB, '.'));
			client.write(last);
			await client.until(last);
		};
		const answered = Promise.withResolvers<void>();
		t.after(() => answered.resolve());
		service.reportAnswersHeld = answered.promise;
		await pass('first');
		await eventually(async () => assert.ok(service.usedBy('alice').down > 2 * MB), LIMIT_MS);
		const asked = service.checks.length;
		await eventually(async () => assert.ok(service.checks.length > asked + 1), LIMIT_MS);
		await pass('second');
	});

	test('then a client is told why, until there is more', async (t) => {
		const proxy = await startTestProxy(t);
		const port = await startOrigin(t);
		proxy.service.paidBytes.set('alice', 0);
		const request = `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n${PAIR}Connection: close\r\n\r\n`;
		const get = () => answerTo(t, proxy.port, request);
		const answers = [await get(), await openTunnel(t, proxy.port, port).closed];
		for (const answer of answers) {
			assert.match(answer, /^HTTP\/1\.1 402 Balance used up\r\n/);
			assert.match(answer, /\r\nX-Bursar-Reason: exhausted\r\n/i);
		}
		assert.deepEqual(proxy.service.usedBy('alice'), { up: 0, down: 0 });
		proxy.service.paidBytes.set('alice', MB);
		const toppedUpAtMs = performance.now();
		await eventually(async () => assert.match(await get(), / 200 /), LIMIT_MS);
		t.diagnostic(`open again after ${Math.round(performance.now() - toppedUpAtMs)} ms`);
	});

	test('an answer and an upload without a tunnel are cut in the middle', async (t) => {
		const proxy = await startTestProxy(t);
		const origin = createServer((request, response) => {
			if (request.method === 'POST') return void request.resume();
			const chunk = Buffer.alloc(16_384, 'x');
			const pour = () => {
				while (response.writable && response.write(chunk));
			};
			response.on('drain', pour);
			pour();
		});
		const { port } = await listen(t, origin);
		proxy.service.paidBytes.set('alice', 5 * MB);
		const head = (method: string) => `${method} http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n${PAIR}`;
		assert.match(await answerTo(t, proxy.port, `${head('GET')}\r\n`), /^HTTP\/1\.1 200 /);
		await proxy.reporter.flush();
		const { up, down } = proxy.service.usedBy('alice');
		proxy.service.paidBytes.set('alice', up + down + 5 * MB);
		// Longer than a refusal is remembered.
		await new Promise((resolve) => setTimeout(resolve, 1_100));
		const upload = openRawClient(t, proxy.port);
		upload.write(`${head('POST')}Content-Length: 500000000\r\n\r\n`);
		const pouring = setInterval(() => upload.socket.writableLength < MB && upload.write(Buffer.alloc(MB)), 10);
		t.after(() => clearInterval(pouring));
		await upload.closed;
		assert.equal(proxy.stats.cut, 2);
	});

	test('a tunnel on which nothing moves is cut when others have used the balance up, and one of another user goes on', async (t) => {
		const proxy = await startTestProxy(t);
		const echo = await startEcho(t);
		proxy.service.paidBytes.set('alice', MB);
		const idle = openTunnel(t, proxy.port, echo);
		const other = openRawClient(t, proxy.port);
		other.write(
			`CONNECT 127.0.0.1:${echo} HTTP/1.1\r\nProxy-Authorization: ${basic('bob.b', 'Bbbbbbbb12345678')}\r\n\r\n`,
		);
		await Promise.all([idle.until('\r\n\r\n'), other.until('\r\n\r\n')]);
		proxy.service.counters.set('of another edge', { username: 'alice', up: MB, down: 0 });
		await idle.closed;
		other.write('unharmed');
		await other.until('unharmed');
	});
});

/** A connection that a watch looks at. */
function watched(username: string, limits: Omit<KnownPair, 'username' | 'keyId'>) {
	const seen = { counts: 0, cutBecause: undefined as string | undefined };
	const counter = { username, connections: 1, passedBytes: 0, countedAtMs: 0, add() {}, close() {} };
	const count = () => void seen.counts++;
	const cut = (reason: string) => {
		seen.cutBecause = reason;
	};
	return Object.assign(seen, {
		...{ client: '192.0.2.7', counter, count, cut },
		pair: { username, keyId: 'x', ...limits },
	});
}

/** A watch with a clock of its own. */
function watch(t: TestContext, connections: readonly ReturnType<typeof watched>[]) {
	t.mock.timers.enable({ apis: ['setInterval'] });
	const state = { nowMs: 0, asked: [] as string[], answer: Promise.resolve() };
	const { stop } = startBalanceWatch({
		connections: () => connections,
		async ask(pairs) {
			state.asked.push(Array.from(pairs, ({ username }) => username).join());
			await state.answer;
		},
		nowMs: () => state.nowMs,
	});
	t.after(stop);
	async function look(times: number): Promise<void> {
		for (let time = 0; time < times; time++) {
			state.nowMs += 20;
			t.mock.timers.tick(20);
			await new Promise(setImmediate);
		}
	}
	return { state, look };
}

test('an account is counted only as often as it could have run out', async (t) => {
	const [poor, rich, free] = [
		watched('poor', { limitBytes: 1_000 }),
		watched('rich', { limitBytes: 1_000 * MB }),
		watched('free', {}),
	];
	const { look } = watch(t, [poor, rich, free]);
	await look(100);
	assert.deepEqual([poor.counts, rich.counts, free.counts], [100, 2, 0]);
	poor.counter.passedBytes = 1_000;
	await look(1);
	assert.deepEqual([poor.cutBecause, rich.cutBecause, free.cutBecause], ['exhausted', undefined, undefined]);
});

test('while the last part of a balance is used, the service is asked four times a second at most', async (t) => {
	const low = watched('low', { limitBytes: MB, askAgainBytes: MB / 2 });
	const other = watched('other', { limitBytes: MB, askAgainBytes: MB / 2 });
	const { state, look } = watch(t, [low, other]);
	await look(100);
	assert.deepEqual(state.asked, []);
	low.counter.passedBytes = MB / 2;
	await look(100);
	assert.deepEqual(new Set(state.asked), new Set(['low']));
	assert.ok(state.asked.length >= 7 && state.asked.length <= 8, String(state.asked.length));
	const answered = Promise.withResolvers<void>();
	state.answer = answered.promise;
	state.asked = [];
	await look(100);
	assert.deepEqual(state.asked, ['low'], 'and not again before it has answered');
	answered.resolve();
});

test('an account is cut at the moment at which it expires, and for the reason that its bytes end', async (t) => {
	const [expires, later, limited] = [
		watched('expires', { endsAtMs: 400 }),
		watched('later', { endsAtMs: 420 }),
		watched('limited', { limitBytes: 1_000, leftReason: 'limit_reached' }),
	];
	const { look } = watch(t, [expires, later, limited]);
	await look(19);
	assert.equal(expires.cutBecause, undefined);
	limited.counter.passedBytes = 1_000;
	await look(1);
	assert.deepEqual([expires.cutBecause, later.cutBecause, limited.cutBecause], ['expired', undefined, 'limit_reached']);
	await look(1);
	assert.equal(later.cutBecause, 'expired');
});
