import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { constants, createGzip } from 'node:zlib';
import { listen } from '@bursar/testing/listen';
import { Bursar, type BursarOptions, OutcomeUnknownError, UnexpectedAnswerError } from '../src/index.ts';

/** How much of an answer the system may buffer after the client stopped reading. */
const MOST_SENT_BYTES = 48 * 2 ** 20;
const CHUNK = 'a'.repeat(64 * 1024);

/** A service that answers with `answer`, and what it has seen. */
async function serve(
	t: TestContext,
	answer: (request: IncomingMessage, response: ServerResponse) => void,
	options: BursarOptions = {},
) {
	const seen = { requests: 0, closed: 0, bytesSent: 0 };
	const server = createServer((request, response) => {
		seen.requests++;
		request.resume();
		response.on('close', () => {
			seen.closed++;
			seen.bytesSent += response.socket?.bytesWritten ?? request.socket.bytesWritten;
		});
		answer(request, response);
	});
	const baseUrl = `http://127.0.0.1:${(await listen(t, server)).port}`;
	return { seen, client: new Bursar({ baseUrl, token: 'brs_test', ...options }) };
}

/** An answer that begins correctly and never ends. */
function endless(_request: IncomingMessage, response: ServerResponse): void {
	response.writeHead(200, { 'Content-Type': 'application/json' });
	response.write('{"status":200,"timestamp":1,"message":"","data":"');
	const more = () => {
		while (!response.destroyed && response.write(CHUNK));
	};
	response.on('drain', more);
	more();
}

test('the client stops reading an endless answer at the limit, and does not ask again', async (t) => {
	const { client, seen } = await serve(t, endless);
	const calls = [
		() => client.account.retrieve(),
		() => client.subUsers.retrieve('alice'),
		() => client.subUsers.retrieveUsage('alice'),
	];
	for (const call of calls) {
		await assert.rejects(
			call(),
			(error) => error instanceof UnexpectedAnswerError && /larger than 1,048,576 bytes/.test(error.message),
		);
	}
	await new Promise((resolve) => setTimeout(resolve, 100));
	assert.equal(seen.requests, calls.length);
	assert.equal(seen.closed, calls.length, 'the connection is closed');
	assert.ok(seen.bytesSent < MOST_SENT_BYTES * calls.length, `${seen.bytesSent} bytes were sent`);
});

test('the limit counts the bytes of a compressed answer after decompression', async (t) => {
	const { client } = await serve(t, (_request, response) => {
		response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
		const packed = createGzip({ flush: constants.Z_SYNC_FLUSH });
		packed.pipe(response);
		const more = () => {
			while (!response.destroyed && packed.write(CHUNK));
		};
		packed.on('drain', more);
		more();
		response.on('close', () => packed.destroy());
	});
	const peakKibibytes = () => process.resourceUsage().maxRSS;
	const before = peakKibibytes();
	await assert.rejects(client.account.retrieve(), UnexpectedAnswerError);
	const grown = peakKibibytes() - before;
	assert.ok(grown < 100 * 2 ** 10, `it grew by ${grown} KiB`);
});

test('a change whose answer is too large may have been done', async (t) => {
	const { client } = await serve(
		t,
		(request, response) => {
			if (request.url?.endsWith('give_balance')) return endless(request, response);
			response.end(JSON.stringify({ status: 200, timestamp: 1, message: '', data: subUser('alice') }));
		},
		{ totalTimeoutMs: 3_000 },
	);
	await assert.rejects(client.subUsers.give('alice', 5), OutcomeUnknownError);
});

function subUser(username: string) {
	return { username, balance: 0, proxy_authkey: 'x'.repeat(16), date_created: '2026-11-21T00:00:00.000Z' };
}
