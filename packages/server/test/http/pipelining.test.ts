import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '@bursar/contract';
import { resellerApi } from '../support/api.ts';
import { assertRawFailure, rawConnection, requestText } from '../support/raw-socket.ts';
import { startTestService } from '../support/service.ts';

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

test('requests that are sent without waiting are answered each, in their order', async (t) => {
	const { api, connection, create, give } = await start(t);
	const requests = [create('alice'), give(1), requestText('GET', '/nothing'), give(2), create('alice'), give(3)];
	connection.write(requests.join(''));
	const answers = await connection.answers(requests.length);
	assert.deepEqual(
		answers.map(({ status }) => status),
		[200, 200, 404, 200, 409, 200],
	);
	const balances = [1, 3, 5].map((place) => JSON.parse(answers[place]?.body ?? '').data.balance);
	assert.deepEqual(balances, [1, 3, 6]);
	assert.equal((await api.myInfo()).data.balance, 1000 - 20 - 6);
});

test('garbage behind a request never takes the place of its answer', async (t) => {
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

test('a broken body behind a request never takes the place of its answer', async (t) => {
	const { connection, create, chunked } = await start(t);
	connection.write(`${create('alice')}${chunked(endpoints.giveBalance.path)}zz\r\n`);
	const answers = await connection.closed();
	assert.deepEqual(
		answers.map(({ status }) => status),
		[200, 400],
	);
	assertRawFailure(answers[1], 400, 'bad_request');
});

test('CONNECT behind a request never takes the place of its answer', async (t) => {
	const { connection, create } = await start(t);
	connection.write(`${create('alice')}CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n`);
	await connection.answers(1);
	assert.match(connection.received, /^HTTP\/1\.1 200 /);
	const rest = await connection.closed();
	assert.equal(rest[1]?.status, 405);
});

test('a body that breaks is answered 400 once, and nothing of it is run', async (t) => {
	const { api, connection, chunked } = await start(t);
	connection.write(`${chunked(endpoints.createSubUser.path)}5\r\n{"use\r\n`);
	connection.write('not a chunk\r\n');
	const answers = await connection.closed();
	assert.equal(answers.length, 1);
	assertRawFailure(answers[0], 400, 'bad_request');
	assert.equal((await api.myInfo()).data.balance, 1000);
});

test('a request that has its answer gets no second one when the rest of it breaks', async (t) => {
	const { connection, chunked } = await start(t);
	connection.write(chunked(endpoints.createSubUser.path, []));
	assertRawFailure((await connection.answers(1))[0], 401, 'unauthorized');
	connection.write('zz\r\n\r\n');
	assert.equal((await connection.closed()).length, 1);
});

test('a client that goes away in the middle of its body has asked for nothing', async (t) => {
	const { api, connection, create } = await start(t);
	connection.write(create('alice').slice(0, -3));
	connection.socket.destroy();
	assert.deepEqual((await api.viewAll()).data, []);
	assert.equal((await api.myInfo()).data.balance, 1000);
});
