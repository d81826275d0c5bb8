import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { type CallCode, CallError, callErrorOf, change, read } from '../src/calls/call.ts';

/** Answers the calls of the pages. In a browser, paths are relative to the page; here, to this server. */
async function answering(t: TestContext, answer: (request: IncomingMessage, response: ServerResponse) => void) {
	const server = createServer(answer).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const fetched = globalThis.fetch;
	globalThis.fetch = (path, init) => fetched(`http://127.0.0.1:${port}${path}`, init);
	t.after(() => {
		globalThis.fetch = fetched;
		server.closeAllConnections();
		server.close();
	});
}

function send(response: ServerResponse, status: number, envelope: unknown, headers: Record<string, string> = {}) {
	response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(envelope));
}

const envelopeOf = (status: number, data: unknown = null) => ({ status, message: '', timestamp: 1_700_000_000, data });

function failsWith(code: CallCode, status: number, waitSeconds?: number) {
	return (error: unknown) => {
		assert.ok(error instanceof CallError);
		const { name, message, ...fields } = error;
		assert.deepEqual(fields, { code, status, waitSeconds });
		return true;
	};
}

test('a read sends its query, and a change its body as JSON', async (t) => {
	await answering(t, async (request, response) => {
		const { method, url } = request;
		send(response, 200, envelopeOf(200, [method, url, request.headers['content-type'], await text(request)]));
	});
	assert.deepEqual(await read('/account/acts', { before: 7 }), [
		'GET',
		'/dashboard/api/account/acts?before=7',
		null,
		'',
	]);
	assert.deepEqual(await read('/account/acts', {}), ['GET', '/dashboard/api/account/acts', null, '']);
	assert.deepEqual(await change('/invitation', { link: 'x' }), [
		'POST',
		'/dashboard/api/invitation',
		'application/json',
		'{"link":"x"}',
	]);
});

test('a refusal says why, and how long to wait', async (t) => {
	await answering(t, (_request, response) => {
		send(response, 429, envelopeOf(429), { 'x-error-code': 'too_many_tries', 'retry-after': '90' });
	});
	await assert.rejects(read('/session', {}), failsWith('too_many_tries', 429, 90));
});

test('an answer that the service did not make is lost, and the change may have happened', async (t) => {
	const answers: Record<string, (response: ServerResponse) => void> = {
		'the page of a proxy': (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad</h1>'),
		'JSON of a proxy': (response) => send(response, 503, { error: 'down' }),
		'an envelope of another status': (response) => send(response, 502, envelopeOf(200)),
		'a failure without a code': (response) => send(response, 500, envelopeOf(500)),
		'a failure with an unknown code': (response) =>
			send(response, 500, envelopeOf(500), { 'x-error-code': 'toString' }),
		'a connection that ends at once': (response) => response.destroy(),
		'half an answer': (response) => {
			response.writeHead(200, { 'content-length': '1000' }).write('{"status":200,');
			setImmediate(() => response.destroy());
		},
	};
	for (const [name, answer] of Object.entries(answers)) {
		await t.test(name, async (t) => {
			await answering(t, (_request, response) => answer(response));
			await assert.rejects(change('/sign-out', {}), failsWith('lost', 0));
		});
	}
});

test('a read that is given up ends its connection, and is not lost', async (t) => {
	const ended = Promise.withResolvers<void>();
	const asked = Promise.withResolvers<void>();
	await answering(t, (request) => {
		request.socket.once('close', () => ended.resolve());
		asked.resolve();
	});
	const unwanted = new AbortController();
	const answer = read('/session', {}, unwanted.signal);
	await asked.promise;
	unwanted.abort('not wanted any more');
	await assert.rejects(answer, (reason) => reason === 'not wanted any more');
	await ended.promise;
});

test('a fault of the page is not called a lost answer, and the console tells it', (t) => {
	const log = t.mock.method(console, 'error', () => {});
	const lost = new CallError('lost');
	assert.equal(callErrorOf(lost), lost);
	const fault = new TypeError('x is undefined');
	assert.equal(callErrorOf(fault).code, 'page_fault');
	assert.deepEqual(
		log.mock.calls.map(({ arguments: said }) => said),
		[[fault]],
	);
});
