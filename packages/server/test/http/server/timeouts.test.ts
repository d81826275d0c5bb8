import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '@bursar/contract';
import { startTestService } from '@bursar/testing/service';
import { assertRawFailure, rawConnection, requestText } from '../../support/raw-socket.ts';

const SHORT = { requestTimeouts: { requestMs: 600, headersMs: 300, checkMs: 50 } };

test('a body that was answered before it had arrived gets no 408 behind its answer', async (t) => {
	const { url, openReseller } = await startTestService(t, {}, SHORT);
	const { token } = await openReseller('acme', 1000);
	const connection = await rawConnection(t, url);
	const headers = [`Authorization: Bearer ${token}`];
	connection.write(requestText('POST', endpoints.viewSubUser.path, headers, 'x'.repeat(40_000)).slice(0, -1));
	assertRawFailure((await connection.answers(1))[0], 413, 'payload_too_large');
	assert.equal((await connection.closed()).length, 1);
});

test('a connection that sends nothing more is kept, and the next request on it is served', async (t) => {
	const { url } = await startTestService(t, {}, SHORT);
	const connection = await rawConnection(t, url);
	connection.write(requestText('GET', '/nothing'));
	await connection.answers(1);
	await new Promise((resolve) => setTimeout(resolve, 800));
	connection.write(requestText('GET', '/nothing'));
	assertRawFailure((await connection.answers(2))[1], 404, 'not_found');
});
