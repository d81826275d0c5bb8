import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { endpoints } from '@bursar/contract';
import { resellerApi } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import { startTestService } from '@bursar/testing/service';
import { openStore } from '../../../src/engine.ts';
import { assertRawFailure, rawConnection, requestText } from '../../support/raw-socket.ts';

async function start(t: Parameters<typeof startTestService>[0]) {
	const { url, openReseller } = await startTestService(t);
	const { token } = await openReseller('acme', 1000);
	const authorized = [`Authorization: Bearer ${token}`];
	return {
		api: resellerApi(url, token),
		connection: await rawConnection(t, url),
		create: (username: string) =>
			requestText('POST', endpoints.createSubUser.path, authorized, JSON.stringify({ username })),
		give: (amount: number) =>
			requestText(
				'POST',
				endpoints.giveBalance.path,
				authorized,
				JSON.stringify({ username: 'alice', amount_usd_cents: amount }),
			),
		chunked: (path: string, headers = authorized) =>
			requestText('POST', path, [...headers, 'Transfer-Encoding: chunked']),
	};
}

test('garbage after a request does not replace its answer', async (t) => {
	const { api, connection, create } = await start(t);
	connection.write(`${create('alice')}garbage\r\n\r\n`);
	const answers = await connection.closed();
	assert.deepEqual(
		answers.map(({ status }) => status),
		[200, 400],
	);
	assertRawFailure(answers[1], 400, 'bad_request');
	assert.equal((await api.viewSingle({ username: 'alice' })).status, 200);
});

test('CONNECT after a request does not replace its answer', async (t) => {
	const { connection, create } = await start(t);
	connection.write(`${create('alice')}CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n`);
	await connection.answers(1);
	assert.match(connection.received, /^HTTP\/1\.1 200 /);
	const rest = await connection.closed();
	assert.equal(rest[1]?.status, 405);
});

test('a body that breaks is answered 400 once, and its request is not run', async (t) => {
	const { api, connection, chunked } = await start(t);
	connection.write(`${chunked(endpoints.createSubUser.path)}5\r\n{"use\r\n`);
	connection.write('not a chunk\r\n');
	const answers = await connection.closed();
	assert.equal(answers.length, 1);
	assertRawFailure(answers[0], 400, 'bad_request');
	assert.equal((await api.myInfo()).data.balance, 1000);
});

test('a request that breaks after its answer gets no second answer', async (t) => {
	const { connection, chunked } = await start(t);
	connection.write(chunked(endpoints.createSubUser.path, []));
	assertRawFailure((await connection.answers(1))[0], 401, 'unauthorized');
	connection.write('zz\r\n\r\n');
	assert.equal((await connection.closed()).length, 1);
});

test('a request whose client disconnects in the middle of the body is not run', async (t) => {
	const { api, connection, create } = await start(t);
	connection.write(create('alice').slice(0, -3));
	connection.socket.destroy();
	assert.deepEqual((await api.viewAll()).data, []);
	assert.equal((await api.myInfo()).data.balance, 1000);
});

test('a request on a connection begins after the previous answer', async (t) => {
	const batches: number[] = [];
	const { url, openReseller } = await startTestService(
		t,
		{},
		{
			async openStore(config) {
				const store = await openStore(config);
				return {
					...store,
					runCommands(commands, nowMs) {
						batches.push(commands.length);
						return store.runCommands(commands, nowMs);
					},
				};
			},
		},
	);
	const { token } = await openReseller('acme', 1000);
	const create = requestText('POST', endpoints.createSubUser.path, [`Authorization: Bearer ${token}`], '{}');
	const connection = await rawConnection(t, url);
	connection.write(create.repeat(20));
	await connection.answers(20);
	assert.deepEqual(batches, Array(20).fill(1));
});

test('waiting requests are not begun after their connection has ended', async (t) => {
	const held = Promise.withResolvers<void>();
	let reads = 0;
	const { url, openReseller } = await startTestService(
		t,
		{},
		{
			async openStore(config) {
				const store = await openStore(config);
				return {
					...store,
					async findAccount(...name) {
						reads++;
						await held.promise;
						return store.findAccount(...name);
					},
				};
			},
		},
	);
	const { token } = await openReseller('acme', 1000);
	const connection = await rawConnection(t, url);
	connection.write(requestText('GET', endpoints.myInfo.path, [`Authorization: Bearer ${token}`]).repeat(5));
	await eventually(async () => assert.equal(reads, 1));
	connection.socket.resetAndDestroy();
	held.resolve();
	assert.equal((await resellerApi(url, token).myInfo()).status, 200);
	assert.equal(reads, 2);
});

test('when too many requests wait, the connections with the most are cut, and the others are served', async (t) => {
	const { url, openReseller } = await startTestService(t);
	const { token } = await openReseller('acme', 1000);
	const greedy = await Promise.all(Array.from({ length: 16 }, () => rawConnection(t, url)));
	for (const { socket } of greedy) {
		socket.pause();
		// Unread answers, and as many requests after them as one read can hold.
		socket.write(requestText('GET', '/docs/reference.js').repeat(4) + 'GET / HTTP/1.1\r\n\r\n'.repeat(3_000));
	}
	await setTimeout(200);
	const modest = await rawConnection(t, url);
	const create = requestText('POST', endpoints.createSubUser.path, [`Authorization: Bearer ${token}`], '{}');
	modest.write(create.repeat(20));
	assert.equal((await modest.answers(20)).length, 20);
	assert.equal((await resellerApi(url, token).myInfo()).data.balance, 1000 - 20 * 10);
});

test('requests after one that closes the connection are not begun', async (t) => {
	const { url, openReseller } = await startTestService(t);
	const { token } = await openReseller('acme', 1000);
	const authorized = [`Authorization: Bearer ${token}`];
	const create = requestText('POST', endpoints.createSubUser.path, authorized, '{"username":"alice"}');
	for (const last of [
		requestText('GET', endpoints.myInfo.path, [...authorized, 'Connection: close']),
		requestText('GET', endpoints.viewAllSubUsers.path, [...authorized, 'Connection: close']),
		requestText('POST', endpoints.giveBalance.path, [...authorized, 'Connection: close'], 'x'.repeat(20_000)),
		requestText('GET', '/nothing', ['Connection: close']),
	]) {
		const connection = await rawConnection(t, url);
		connection.write(last + create.repeat(5));
		const [, ...others] = await connection.closed();
		for (const answer of others) assert.equal(answer.status, 400);
	}
	assert.equal((await resellerApi(url, token).myInfo()).data.balance, 1000);
});
