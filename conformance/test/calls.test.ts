import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { CallError, sendCall } from '../src/wire/http-call.ts';
import { openSocket } from '../src/wire/raw-connection.ts';
import { startForwardingServer } from './support/forwarding-server.ts';

const NOWHERE = 'http://127.0.0.1:9';
const limits = { timeoutMs: 15_000, abandon: new AbortController().signal };

function startEcho(t: TestContext): Promise<string> {
	return startForwardingServer(t, NOWHERE, {
		instead(request, response) {
			// Answers late, so that all bytes after the request have arrived.
			Promise.all([buffer(request), setTimeout(20)]).then(([body]) => {
				response.setHeader('x-seen', `${request.method} ${request.headers['content-length']}`);
				response.end(body);
			});
			return true;
		},
	});
}

test('a body arrives complete and with its length, for every method', async (t) => {
	const url = new URL(await startEcho(t));
	for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
		const call = { method, url, headers: {}, body: Buffer.from('{"username":"é"}') };
		const { status, headers, text } = await sendCall(call, limits);
		assert.deepEqual([status, headers.get('x-seen'), text], [200, `${method} 17`, '{"username":"é"}']);
	}
	const bare = await sendCall({ method: 'DELETE', url, headers: {}, body: undefined }, limits);
	assert.equal(bare.headers.get('x-seen'), 'DELETE undefined');
	const empty = await sendCall({ method: 'POST', url, headers: {}, body: Buffer.alloc(0) }, limits);
	assert.equal(empty.headers.get('x-seen'), 'POST 0');
});

test('the suite gives up an endless answer, on calls and on raw connections', async (t) => {
	const part = Buffer.alloc(1024 ** 2, 'x');
	const front = await startForwardingServer(t, NOWHERE, {
		instead(_request, response) {
			const write = () => {
				while (!response.destroyed && response.write(part));
			};
			response.on('drain', write);
			write();
			return true;
		},
	});
	const url = new URL(front);
	const isTooLong = (error: unknown) => error instanceof CallError && /longer than \d+ MiB/.test(error.message);
	await assert.rejects(sendCall({ method: 'GET', url, headers: {}, body: undefined }, limits), isTooLong);
	const socket = await openSocket(url, ['GET'], limits);
	socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
	await assert.rejects(socket.answers(1, limits), isTooLong);
});

test('an abandoned call ends at once', async (t) => {
	const front = await startForwardingServer(t, NOWHERE, { instead: () => true });
	const abandoning = new AbortController();
	const abandonable = { timeoutMs: 15_000, abandon: abandoning.signal };
	const call = { method: 'GET', url: new URL(front), headers: {}, body: undefined };
	const socket = await openSocket(call.url, ['GET'], abandonable);
	const startedAt = performance.now();
	const ended = Promise.allSettled([sendCall(call, abandonable), socket.answers(1, abandonable)]);
	await setTimeout(50);
	abandoning.abort();
	assert.deepEqual(
		(await ended).map(({ status }) => status),
		['rejected', 'rejected'],
	);
	assert.ok(performance.now() - startedAt < 5000);
	socket.close();
});
