import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { endpoints } from '@bursar/contract';
import { resellerApi } from '@bursar/testing/api';
import { startTestService } from '@bursar/testing/service';
import { openStore } from '../../../src/engine.ts';
import { assertRawFailure, rawConnection, requestText } from '../../support/raw-socket.ts';

test('a stop answers running requests, refuses late ones with 503, and accepts no new connection', async (t) => {
	let release = () => {};
	let isHeld = () => {};
	const held = new Promise<void>((resolve) => {
		isHeld = resolve;
	});
	const released = new Promise<void>((resolve) => {
		release = resolve;
	});
	const { url, stop, openReseller } = await startTestService(
		t,
		{},
		{
			async openStore(config) {
				const store = await openStore(config);
				return {
					...store,
					async runCommands(commands, nowMs) {
						isHeld();
						await released;
						return store.runCommands(commands, nowMs);
					},
				};
			},
		},
	);
	const { token } = await openReseller('acme', 1000);
	const authorized = [`Authorization: Bearer ${token}`];
	const [writing, reading, half] = await Promise.all([
		rawConnection(t, url),
		rawConnection(t, url),
		rawConnection(t, url),
	]);
	const create = requestText('POST', endpoints.createSubUser.path, authorized, '{"username":"alice"}');
	half.write(create.slice(0, 20));
	reading.write(requestText('GET', endpoints.myInfo.path, authorized));
	await reading.answers(1);
	writing.write(create);
	await held;

	const stopped = stop();
	half.write(create.slice(20));
	const [late] = await half.closed();
	assertRawFailure(late, 503, 'unavailable');
	assert.equal(late?.headers.get('retry-after'), '1');
	const [, onTheWay, ...more] = await reading.closed();
	assertRawFailure(onTheWay, 503, 'unavailable');
	assert.deepEqual(more, [], 'an idle connection ends with one refusal, for a request that may be on its way');
	await assert.rejects(rawConnection(t, url), { code: 'ECONNREFUSED' });
	release();
	const [answer] = await writing.answers(1);
	assert.equal(answer?.status, 200);
	await writing.closed();
	await stopped;
});

test('a stop does not wait for clients that keep their connections open', async (t) => {
	const { url, stop, openReseller } = await startTestService(t);
	const { token } = await openReseller('acme', 1000);
	const connection = await rawConnection(t, url);
	const request = requestText(
		'POST',
		endpoints.createSubUser.path,
		[`Authorization: Bearer ${token}`],
		'{"username":"alice"}',
	);
	connection.write(request.slice(0, -1));
	await resellerApi(url, token).myInfo();
	const startedAtMs = performance.now();
	const stopped = stop();
	connection.write(request.slice(-1));
	const [answer] = await connection.closed();
	assert.ok(answer?.status === 200 || answer?.status === 503, 'answered, and then the connection closed');
	await stopped;
	assert.ok(
		performance.now() - startedAtMs < 7_000,
		'the stop took as long as the time after which connections are cut',
	);
});

test('a stop does not wait for a client that asked for CONNECT and reads nothing', async (t) => {
	for (const side of ['url', 'opsUrl'] as const) {
		const service = await startTestService(t);
		await (await fetch(`${service.url}/docs/reference.js`)).arrayBuffer();
		const connection = await rawConnection(t, service[side]);
		connection.socket.pause();
		const unread = side === 'url' ? requestText('GET', '/docs/reference.js').repeat(20) : requestText('GET', '/livez');
		connection.write(`${unread}CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n`);
		await setTimeout(200);
		const sinceMs = performance.now();
		await service.stop();
		assert.ok(performance.now() - sinceMs < 5_000, `${performance.now() - sinceMs} ms`);
	}
});
