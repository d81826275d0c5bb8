import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allEndpoints } from '@bursar/contract';
import { edgeRoutes } from '@bursar/contract/edge';
import { assertFailure, call } from '@bursar/testing/api';
import { callEdge, checkEdgeAnswer, edgeApi } from '@bursar/testing/edge';
import { eventually } from '@bursar/testing/eventually';
import { startTestService } from '@bursar/testing/service';
import { edgeIsKnown, startEdgeService } from '../../support/edge-service.ts';
import { rawCall, rawConnection } from '../../support/raw-socket.ts';
import { wholeFile } from '../../support/whole-file.ts';

const service = await startEdgeService(wholeFile, { BURSAR_DASHBOARD: '1' });
const { url, edgeUrl, key, token, alice, edge, openEdge, revokeEdge } = service;
const PATHS = Object.values(edgeRoutes).map(({ path }) => path);

test('the edge listener is off by default, and its paths are not on the other listeners', async (t) => {
	const off = await startTestService(t);
	assert.equal(off.edgeUrl, undefined);
	for (const path of PATHS) {
		assertFailure(await call(off.url, path, { body: {} }), 404, 'not_found');
		assert.equal((await fetch(off.opsUrl + path, { method: 'POST' })).status, 404);
	}
});

test('only a key of an edge opens the edge listener, and only tokens of resellers open the API', async () => {
	for (const path of PATHS) {
		for (const wrong of [undefined, '', token, alice, `${key}x`, key.slice(1), key.toUpperCase(), `${key},${key}`]) {
			const { errorCode, headers } = await callEdge(edgeUrl, path, { body: {}, key: wrong });
			assert.equal(errorCode, 'unauthorized');
			const challenge = wrong === undefined || wrong === '' ? 'Bearer' : 'Bearer error="invalid_token"';
			assert.equal(headers.get('www-authenticate'), challenge);
		}
		for (const authorization of [
			key,
			`Basic ${key}`,
			`Token ${key}`,
			`Basic ${btoa(key)}`,
			`Basic ${btoa(`${key}:`)}`,
			`Basic ${btoa(`edge:${key}`)}`,
		]) {
			assert.equal((await callEdge(edgeUrl, path, { body: {}, headers: { authorization } })).errorCode, 'unauthorized');
		}
		assert.equal((await callEdge(edgeUrl, `${path}?key=${key}`, { body: {} })).errorCode, 'unauthorized');
		assert.equal((await callEdge(edgeUrl, path, { body: {}, key })).errorCode, 'invalid_request');
		const lowercase = { authorization: `bearer  ${key}` };
		assert.equal((await callEdge(edgeUrl, path, { body: {}, headers: lowercase })).errorCode, 'invalid_request');
	}
	for (const { method, path } of Object.values(allEndpoints)) {
		const body = method === 'POST' ? { username: 'alice', amount_usd_cents: 1 } : undefined;
		assertFailure(await call(url, path, { token: key, ...(body && { body }) }), 401, 'unauthorized');
	}
	const dashboard = await fetch(`${url}/dashboard/api/session`, { headers: { authorization: `Bearer ${key}` } });
	const { data } = (await dashboard.json()) as { data: { person: unknown } };
	assert.equal(data.person, null);
});

test('there is nothing of the API, the dashboard or the operator on the edge listener', async () => {
	for (const path of [
		'/reseller/my_info',
		'/dashboard',
		'/dashboard/api/session',
		'/metrics',
		'/readyz',
		'/',
		'/edge',
	]) {
		for (const credential of [key, token]) {
			assert.equal((await callEdge(edgeUrl, path, { key: credential })).errorCode, 'not_found', path);
		}
	}
	for (const path of PATHS) assert.equal((await callEdge(edgeUrl, path, { key })).errorCode, 'method_not_allowed');
});

test('a request without a valid key is refused before its body is read', async (t) => {
	const connection = await rawConnection(t, edgeUrl);
	connection.write(
		'POST /edge/v1/usage HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\nContent-Length: 500000\r\n\r\n',
	);
	const [answer] = await connection.answers(1);
	assert.equal(answer?.status, 401);
	connection.socket.destroy();
});

test('input that is not HTTP is answered in the form of the edge listener', async (t) => {
	for (const [bytes, status, code] of [
		['hello there\r\n\r\n', 400, 'bad_request'],
		['POST /edge/v1/check HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400, 'bad_request'],
		[`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
		[`GET /openapi.json HTTP/1.1\r\nHost: x\r\n${'X: y\r\n'.repeat(150)}\r\n`, 431, 'headers_too_large'],
		['GET /%ff HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'bad_request'],
	] as const) {
		const answer = await rawCall(t, edgeUrl, bytes);
		assert.equal(checkEdgeAnswer(answer.status, answer.headers, answer.body).errorCode, code);
		assert.equal(answer.status, status);
	}
});

test('a revoked key is refused about a second later; other edges go on, and a new key of the same name works', async () => {
	const second = edgeApi(edgeUrl, await openEdge('gw2'));
	await edgeIsKnown(second);
	await revokeEdge('gw');
	await eventually(async () => assert.equal((await edge.usage({ counters: [] })).errorCode, 'unauthorized'), 20_000);
	assert.equal((await second.usage({ counters: [] })).status, 200);
	const newKey = await openEdge('gw');
	assert.notEqual(newKey, key);
	await edgeIsKnown(edgeApi(edgeUrl, newKey));
	assert.equal((await edge.usage({ counters: [] })).errorCode, 'unauthorized', 'the old key stays revoked');
});
