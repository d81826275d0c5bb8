import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import { dropRestOfCut, oneAtATime } from '../../../src/http/server/connections/one-at-a-time.ts';
import { rawConnection, requestText } from '../../support/raw-socket.ts';

/** Counts the turns of the event loop, as long as the test runs. */
function countTurns(t: TestContext): () => number {
	let turn = 0;
	let ended = false;
	function count(): void {
		turn++;
		if (!ended) setImmediate(count);
	}
	setImmediate(count);
	t.after(() => {
		ended = true;
	});
	return () => turn;
}

test('of the requests that arrive together on a connection, one begins in each turn, in their order', async (t) => {
	const turnNow = countTurns(t);
	const count = 200;
	const answered: Record<string, RequestListener> = {
		'at once': (_request, response) => void response.end('x'),
		'after their body': (request, response) => void request.resume().on('end', () => response.end('x')),
		later: (_request, response) => void setTimeout(1).then(() => response.end('x')),
	};
	for (const [when, answer] of Object.entries(answered)) {
		const begun: { readonly path: string | undefined; readonly turn: number }[] = [];
		const server = createServer(
			oneAtATime((request, response) => {
				begun.push({ path: request.url, turn: turnNow() });
				answer(request, response);
			}),
		);
		const connection = await rawConnection(t, `http://127.0.0.1:${(await listen(t, server)).port}`);
		const paths = Array.from({ length: count }, (_, index) => `/${index}`);
		connection.write(paths.map((path) => requestText('POST', path, [], '{}')).join(''));
		await connection.answers(count);
		assert.deepEqual(
			begun.map(({ path }) => path),
			paths,
		);
		assert.equal(new Set(begun.map(({ turn }) => turn)).size, count, when);
	}
});

test('a request that arrives alone begins as soon as it is read', async (t) => {
	const turnNow = countTurns(t);
	let readIn: number | undefined;
	const begunIn: number[] = [];
	const server = createServer(
		oneAtATime((_request, response) => {
			begunIn.push(turnNow());
			response.end('x');
		}),
	);
	const connection = await rawConnection(t, `http://127.0.0.1:${(await listen(t, server)).port}`);
	for (let sent = 1; sent <= 20; sent++) {
		server.once('request', () => {
			readIn = turnNow();
		});
		connection.write(requestText('GET', '/'));
		await connection.answers(sent);
		assert.equal(begunIn.at(-1), readIn);
	}
});

test('many connections that send many requests at once are cut, and what is left of them is not even parsed', async (t) => {
	let parsed = 0;
	const count = () => {
		parsed++;
	};
	subscribe('http.server.request.start', count);
	t.after(() => unsubscribe('http.server.request.start', count));
	let release = () => {};
	const released = new Promise<void>((resolve) => {
		release = resolve;
	});
	const server = createServer(
		oneAtATime((_request, response) => {
			void released.then(() => response.end('x'));
		}),
	);
	dropRestOfCut(server);
	const url = `http://127.0.0.1:${(await listen(t, server)).port}`;
	const [connections, requests] = [60, 1_500];
	const floods = await Promise.all(Array.from({ length: connections }, () => rawConnection(t, url)));
	const polite = await rawConnection(t, url);
	polite.write(requestText('GET', '/').repeat(10));
	await eventually(async () => assert.equal(parsed, 10));
	for (const flood of floods) flood.write(requestText('GET', '/').repeat(requests));
	await eventually(async () => assert.ok((await cutOf(server)) >= connections / 2));
	assert.ok(parsed < (connections * requests) / 2, `${parsed} requests were parsed`);
	release();
	await polite.answers(10);
});

function cutOf(server: Server): Promise<number> {
	return new Promise((resolve, reject) => {
		server.getConnections((error, open) => (error ? reject(error) : resolve(61 - open)));
	});
}
