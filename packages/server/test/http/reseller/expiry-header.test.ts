import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CREATE_FEE_CENTS, type Endpoint, endpoints } from '@bursar/contract';
import { assertFailure, call } from '@bursar/testing/api';
import { AMOUNT, expiring, startExpiryService, toldSeconds } from '../../support/expiry-service.ts';
import { rawConnection } from '../../support/raw-socket.ts';

const ALL: readonly Endpoint[] = Object.values(endpoints);
const MALFORMED = ['', '-1', '+5', '1795271340.5', '1e9', '0x5', '1795271340000', '5, 6', '5,5', 'soon', 'honoured'];

test('an expired create is not looked at any further, whatever is wrong with it', async (t) => {
	const service = await startExpiryService(t);
	const poor = await service.openReseller('poor', CREATE_FEE_CENTS - 1);
	const { path } = endpoints.createSubUser;
	const before = await service.books();
	for (const body of ['{', { username: '.' }, { username: 'alice' }, 'x'.repeat(20_000)]) {
		for (const token of [service.token, poor.token]) {
			assertFailure(await call(service.url, path, { token, body, ...expiring(1) }), 503, 'unavailable');
		}
	}
	assertFailure(await call(service.url, path, { body: '{', ...expiring(1) }), 401, 'unauthorized');
	assert.deepEqual(await service.books(), before);
});

test('a malformed expiry is 400 on every endpoint, in the place of that row; a create with one costs the fee', async (t) => {
	const service = await startExpiryService(t);
	const { url, token } = service;
	const poor = await service.openReseller('poor', CREATE_FEE_CENTS - 1);
	for (const value of MALFORMED) {
		for (const { method, path } of ALL) {
			const before = (await service.api.myInfo()).data.balance;
			const options = { method, ...(method === 'POST' && { body: AMOUNT }), ...expiring(value) };
			const answer = await call(url, path, { ...options, token });
			assertFailure(answer, 400, 'invalid_request', `${path} ${value}`);
			assert.equal(answer.headers.get('x-request-expires'), 'honoured');
			const fee = path === endpoints.createSubUser.path ? CREATE_FEE_CENTS : 0;
			assert.equal((await service.api.myInfo()).data.balance, before - fee);
			assertFailure(await call(url, path, options), 401, 'unauthorized');
		}
		assertFailure(await call(url, '/reseller/nothing', { token, ...expiring(value) }), 404, 'not_found');
	}
	const malformed = expiring('soon').headers;
	const { path } = endpoints.createSubUser;
	assertFailure(
		await call(url, path, { token: poor.token, body: AMOUNT, headers: malformed }),
		402,
		'insufficient_balance',
	);
	for (const { path } of ALL.filter(({ method }) => method === 'POST')) {
		const asText = { ...malformed, 'content-type': 'text/plain' };
		assertFailure(await call(url, path, { token, body: AMOUNT, headers: asText }), 415, 'unsupported_media_type');
		const large = 'x'.repeat(20_000);
		assertFailure(await call(url, path, { token, body: large, headers: malformed }), 413, 'payload_too_large');
		if (path === endpoints.createSubUser.path) continue;
		const nobody = { username: 'nobody', amount_usd_cents: 5 };
		assertFailure(await call(url, path, { token, body: nobody, headers: malformed }), 400, 'invalid_request');
	}
	assert.deepEqual((await service.api.viewAll()).data.length, 1, 'none of it made a sub-user');
});

test('every answer repeats the value of its request, and says that it is honoured where there was none', async (t) => {
	const service = await startExpiryService(t);
	const { url, token } = service;
	const inAMinute = `0${(await toldSeconds(service)) + 60}`;
	for (const [value, shown] of [
		[inAMinute, inAMinute],
		[undefined, 'honoured'],
		['tomorrow', 'honoured'],
	]) {
		const headers = value === undefined ? {} : { 'x-request-expires': value };
		for (const [path, options] of [
			['/nothing', {}],
			['/reseller/my_info', { method: 'DELETE' }],
			['/reseller/my_info', { token: 'unknown' }],
			['/reseller/my_info', { token }],
			['/reseller/sub_users/view_all', { token }],
			['/reseller/sub_users/view_single', { token, body: 'x'.repeat(20_000) }],
		] as const) {
			const answer = await call(url, path, { ...options, headers });
			assert.equal(answer.headers.get('x-request-expires'), shown, path);
		}
		for (const path of ['/openapi.json', '/docs', '/docs/', '/docs/reference.js']) {
			const response = await fetch(url + path, { headers, redirect: 'manual' });
			await response.arrayBuffer();
			assert.equal(response.headers.get('x-request-expires'), shown, path);
		}
	}
});

test('answers below the level of requests say that it is honoured, too', async (t) => {
	const { url } = await startExpiryService(t);
	for (const [bytes, status, method] of [
		['hello\r\n\r\n', 400, ''],
		[`GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431, ''],
		['GET /%ff HTTP/1.1\r\nHost: x\r\n\r\n', 400, ''],
		['GET / HTTP/1.1\r\n\r\n', 400, ''],
		['CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n', 405, 'CONNECT'],
		['HEAD /nothing HTTP/1.1\r\nHost: x\r\n\r\n', 404, 'HEAD'],
	] as const) {
		const connection = await rawConnection(t, url, { methods: [method] });
		connection.write(bytes);
		const [answer] = await connection.answers(1);
		assert.equal(answer?.status, status);
		assert.equal(answer?.headers.get('x-request-expires'), 'honoured');
	}
});
