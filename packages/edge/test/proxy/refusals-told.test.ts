import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { answerTo, openRawClient } from '../support/raw-client.ts';
import { basic, KEY, startEcho, startTestProxy } from '../support/running-proxy.ts';

const LIMIT_MS = 60_000;

const connect = (port: number, password = KEY, username = 'alice') =>
	`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nProxy-Authorization: ${basic(username, password)}\r\n\r\n`;

test('the service is told once of each client that was refused, whoever decided it, and of no password', async (t) => {
	const proxy = await startTestProxy(t, { destinations: { allowPrivate: true, closedPorts: [25] } });
	const { service, port } = proxy;
	const echo = await startEcho(t);
	const refused = (request: string) => answerTo(t, port, request);

	await refused(connect(25));
	await refused(connect(echo, `${KEY}_city-x`));
	const open = openRawClient(t, port);
	open.write(connect(echo));
	await open.until('\r\n\r\n');
	service.refused.set('alice', 'suspended');
	await open.closed;
	// Two of these are answered from the memory of the proxy.
	for (let time = 0; time < 3; time++) await refused(connect(echo));
	await refused(connect(echo, 'Wrong-Password'));
	await refused(connect(echo, 'Wrong-Password', 'nobody'));

	const sumOf = (wanted: string) =>
		service.refusedClients
			.filter(({ username, reason }) => `${username} ${reason}` === wanted)
			.reduce((sum, { count }) => sum + count, 0);
	const expected = {
		'alice closed_port': 1,
		'alice invalid_options': 1,
		'alice suspended': 4,
		'alice wrong_pair': 1,
		'nobody wrong_pair': 1,
	};
	await eventually(async () => {
		const told = Object.fromEntries(Object.keys(expected).map((each) => [each, sumOf(each)]));
		assert.deepEqual(told, expected);
	}, LIMIT_MS);
	const text = JSON.stringify(service.refusedClients);
	assert.ok(!text.includes(KEY) && !text.includes('Wrong-Password'));
	assert.ok(service.refusedClients.every(({ network }) => network === '127.0.0.0/24'));
});

test('the last refusals are told when the proxy stops', async (t) => {
	const proxy = await startTestProxy(t);
	await eventually(async () => assert.equal(proxy.unreadyBecause(), undefined), LIMIT_MS);
	await answerTo(t, proxy.port, connect(await startEcho(t), 'wrong'));
	await proxy.stop(0);
	assert.deepEqual(
		proxy.service.refusedClients.map(({ username, reason, count }) => [username, reason, count]),
		[['alice', 'wrong_pair', 1]],
	);
});
