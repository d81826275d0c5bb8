import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { endpoints } from '@bursar/contract';
import { resellerApi } from '@bursar/testing/api';
import { startTestService } from '@bursar/testing/service';
import { openStore } from '../../../src/engine.ts';
import { assertRawFailure, type RawAnswer, rawConnection, requestText } from '../../support/raw-socket.ts';

const { path } = endpoints.giveBalance;
const ALICE = '{"username":"alice","amount_usd_cents":5}';
const PAUSE_MS = 100;
const SHORT = { requestTimeouts: { requestMs: 600, headersMs: 300, checkMs: 50 } };
/** For tests whose whole requests must be served within the same limits, also if the machine is busy. */
const GENEROUS = { requestTimeouts: { requestMs: 4_000, headersMs: 2_000, checkMs: 100 } };

/** Sends the parts with a pause before each, and reads only after the last one. */
async function sendThenRead(t: TestContext, url: string, parts: readonly string[]): Promise<readonly RawAnswer[]> {
	const connection = await rawConnection(t, url);
	connection.socket.setNoDelay(true).pause();
	for (const part of parts) {
		await setTimeout(PAUSE_MS);
		connection.write(part);
	}
	await setTimeout(PAUSE_MS);
	connection.socket.resume();
	return connection.closed();
}

/** Splits the text into parts. */
function split(text: string, parts: number): string[] {
	const length = Math.ceil(text.length / parts);
	return Array.from({ length: parts }, (_, index) => text.slice(index * length, (index + 1) * length));
}

describe('a connection ends gently', { concurrency: true }, () => {
	test('a client that sends for seconds after an error gets its answer, and the connection ends cleanly', async (t) => {
		const { url } = await startTestService(t);
		const long = 'x'.repeat(200_000);
		for (const [bytes, status, code] of [
			[`GET /nothing HTTP/1.1\r\nHost: x\r\nX: ${long}\r\n\r\n`, 431, 'headers_too_large'],
			[`hello\r\n${long}`, 400, 'bad_request'],
		] as const) {
			const answers = await sendThenRead(t, url, split(bytes, 25));
			assert.equal(answers.length, 1);
			assertRawFailure(answers[0], status, code);
		}
	});

	test('a body that breaks while the client still sends is answered once', async (t) => {
		const { url, openReseller } = await startTestService(t);
		const { token } = await openReseller('acme', 1000);
		const rest = ['no length\r\n', ...Array<string>(25).fill('x'.repeat(5_000))];
		for (const [sent, status, code] of [
			[token, 400, 'bad_request'],
			['unknown', 401, 'unauthorized'],
		] as const) {
			const head = requestText('POST', path, [`Authorization: Bearer ${sent}`, 'Transfer-Encoding: chunked']);
			const answers = await sendThenRead(t, url, [head, '2\r\n{"\r\n', ...rest]);
			assert.equal(answers.length, 1);
			assertRawFailure(answers[0], status, code);
		}
	});

	test('a client with `Connection: close` gets an answer that is sent before its short body has arrived', async (t) => {
		const { url } = await startTestService(t);
		const body = 'x'.repeat(10_000);
		for (const [target, status, code] of [
			['/nothing', 404, 'not_found'],
			[endpoints.myInfo.path, 405, 'method_not_allowed'],
			[path, 401, 'unauthorized'],
		] as const) {
			for (const version of ['1.1', '1.0']) {
				const request = requestText('POST', target, ['Connection: close'], body).replace('HTTP/1.1', `HTTP/${version}`);
				const bodyAt = request.indexOf(body);
				const answers = await sendThenRead(t, url, [request.slice(0, bodyAt), ...split(body, 5)]);
				assert.equal(answers.length, 1);
				assertRawFailure(answers[0], status, code);
				assert.equal(answers[0]?.headers.get('connection'), 'close');
			}
		}
	});

	test('a service that stops answers 503 to a client whose body is still arriving', async (t) => {
		const releasing = Promise.withResolvers<void>();
		t.after(() => releasing.resolve());
		const { url, stop, openReseller } = await startTestService(
			t,
			{},
			{
				async openStore(config) {
					const store = await openStore(config);
					return {
						...store,
						async runCommands(...args: Parameters<typeof store.runCommands>) {
							await releasing.promise;
							return store.runCommands(...args);
						},
					};
				},
			},
		);
		const { token } = await openReseller('acme', 1000);
		const authorized = [`Authorization: Bearer ${token}`];
		const holding = await rawConnection(t, url);
		const late = await rawConnection(t, url);
		late.socket.pause();
		const request = requestText('POST', path, authorized, ALICE);
		late.write(request.slice(0, 20));
		holding.write(requestText('POST', endpoints.createSubUser.path, authorized, '{"username":"alice"}'));
		await setTimeout(PAUSE_MS);
		const stopped = stop();
		for (const part of [request.slice(20, -30), request.slice(-30, -15), request.slice(-15)]) {
			await setTimeout(PAUSE_MS);
			late.write(part);
		}
		await setTimeout(PAUSE_MS);
		late.socket.resume();
		assertRawFailure((await late.closed())[0], 503, 'unavailable');
		releasing.resolve();
		assert.equal((await holding.answers(1))[0]?.status, 200);
		await stopped;
	});

	test('a request that begins or is completed only after its 408 is not run', async (t) => {
		const { url, openReseller } = await startTestService(t, {}, GENEROUS);
		const { token } = await openReseller('acme', 1000);
		const api = resellerApi(url, token);
		await api.create({ username: 'alice' });
		const request = requestText('POST', path, [`Authorization: Bearer ${token}`], ALICE);
		for (const end of [0, request.indexOf('\r\n\r\n'), request.length - 5]) {
			const connection = await rawConnection(t, url);
			connection.write(request.slice(0, end));
			assertRawFailure((await connection.answers(1))[0], 408, 'request_timeout');
			connection.socket.on('error', () => {});
			connection.write(request.slice(end));
			await setTimeout(3 * PAUSE_MS);
		}
		assert.equal((await api.viewSingle({ username: 'alice' })).data.balance, 0);
	});

	test('a body that was answered before it had arrived gets no 408 after its answer', async (t) => {
		const { url, openReseller } = await startTestService(t, {}, SHORT);
		const { token } = await openReseller('acme', 1000);
		const connection = await rawConnection(t, url);
		const headers = [`Authorization: Bearer ${token}`];
		connection.write(requestText('POST', endpoints.viewSubUser.path, headers, 'x'.repeat(40_000)).slice(0, -1));
		assertRawFailure((await connection.answers(1))[0], 413, 'payload_too_large');
		assert.equal((await connection.closed()).length, 1);
	});

	test('an idle connection stays open, and the next request on it is served', async (t) => {
		const { url } = await startTestService(t, {}, GENEROUS);
		const connection = await rawConnection(t, url);
		connection.write(requestText('GET', '/nothing'));
		await connection.answers(1);
		await setTimeout(GENEROUS.requestTimeouts.requestMs + 500);
		connection.write(requestText('GET', '/nothing'));
		assertRawFailure((await connection.answers(2))[1], 404, 'not_found');
	});

	test('a stop does not wait for clients that keep sending after an error', async (t) => {
		const { url, stop } = await startTestService(t);
		const { hostname, port } = new URL(url);
		for (const bytes of ['hello\r\n', `GET /${'p'.repeat(20_000)}`]) {
			// The client's direction stays open when the service ends its own.
			const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
			socket.on('error', () => {});
			socket.write(bytes);
			socket.resume();
			await once(socket, 'end');
			const sending = setInterval(() => socket.write('x'), 50);
			t.after(() => {
				clearInterval(sending);
				socket.destroy();
			});
		}
		const startedAtMs = performance.now();
		await stop();
		assert.ok(performance.now() - startedAtMs < 20_000, 'the stop took as long as clients may send otherwise');
	});
});
