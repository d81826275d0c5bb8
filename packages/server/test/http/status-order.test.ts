import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Endpoint, endpoints } from '@bursar/contract';
import { assertFailure, type CallOptions, call, resellerApi } from '@bursar/testing/api';
import { startTestService, type TestReseller, type TestService } from '@bursar/testing/service';

const ALL: readonly Endpoint[] = Object.values(endpoints);
const POSTS = ALL.filter(({ method }) => method === 'POST');
const TRANSFERS = [endpoints.giveBalance.path, endpoints.takeBalance.path] as const;
const TOO_LARGE = `{"username":"${'x'.repeat(16 * 1024)}"}`;
const VALID = { username: 'nobody', amount_usd_cents: 5 };

async function start(t: Parameters<typeof startTestService>[0]): Promise<[TestService, TestReseller]> {
	const service = await startTestService(t);
	return [service, await service.openReseller('acme', 1000)];
}

test('a path that does not exist is 404 and a wrong method 405, whatever the token and the body', async (t) => {
	const [{ url }] = await start(t);
	const bad: CallOptions = { token: 'nonsense', headers: { 'content-type': 'text/html' }, body: TOO_LARGE };
	for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
		assertFailure(await call(url, '/reseller/nothing', { ...bad, method }), 404, 'not_found');
	}
	assertFailure(await call(url, '/reseller/my_info/'), 404, 'not_found');
	assertFailure(await call(url, '/Reseller/my_info'), 404, 'not_found');
	assertFailure(await call(url, '/'), 404, 'not_found');
	for (const { method: right, path } of ALL) {
		for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
			if (method === right) continue;
			const answer = await call(url, path, method === 'GET' ? { token: 'nonsense' } : { ...bad, method });
			assertFailure(answer, 405, 'method_not_allowed', `${method} ${path}`);
			assert.equal(answer.headers.get('allow'), right === 'GET' ? 'GET, HEAD' : 'POST');
		}
	}
});

test('without a good token every endpoint answers 401 before it looks at the body', async (t) => {
	const [{ url }, { token }] = await start(t);
	for (const { method, path } of ALL) {
		const bodies =
			method === 'GET'
				? [{}]
				: [{ body: TOO_LARGE }, { body: 'x', headers: { 'content-type': 'a/b' } }, { body: VALID }];
		for (const options of bodies) {
			const none = await call(url, path, { method, ...options });
			assertFailure(none, 401, 'unauthorized', path);
			assert.equal(none.headers.get('www-authenticate'), 'Bearer', 'no error where no token was sent');
			const wrong = await call(url, path, { method, ...options, token: `${token}x` });
			assertFailure(wrong, 401, 'unauthorized', path);
			assert.equal(wrong.headers.get('www-authenticate'), 'Bearer error="invalid_token"');
		}
	}
	assert.equal((await resellerApi(url, token).myInfo()).data.balance, 1000, 'none of it cost a fee');
});

test('a body over 16 KiB is 413 before its type is looked at, and 16 KiB are not too many', async (t) => {
	const [{ url }, { token }] = await start(t);
	for (const { path } of POSTS) {
		const answer = await call(url, path, { token, body: TOO_LARGE, headers: { 'content-type': 'text/plain' } });
		assertFailure(answer, 413, 'payload_too_large', path);
	}
	const exact = JSON.stringify({ ...VALID, padding: '' }).length;
	const fits = JSON.stringify({ ...VALID, padding: 'p'.repeat(16 * 1024 - exact) });
	assert.equal(fits.length, 16 * 1024);
	assertFailure(await call(url, endpoints.viewSubUser.path, { token, body: fits }), 404, 'unknown_sub_user');
	assertFailure(await call(url, endpoints.viewSubUser.path, { token, body: `${fits} ` }), 413, 'payload_too_large');
});

test('a body that is not application/json is 415 before it is read as JSON', async (t) => {
	const [{ url }, { token }] = await start(t);
	const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'application/vnd.api+json'];
	for (const { path } of POSTS) {
		for (const type of [...types, 'text/application/json', 'json', 'application/json/x', ';', 'a', null]) {
			const answer = await call(url, path, { token, body: '{', headers: { 'content-type': type } });
			assertFailure(answer, 415, 'unsupported_media_type', `${path} ${type}`);
		}
		assertFailure(await call(url, path, { token, method: 'POST' }), 415, 'unsupported_media_type', 'no body, no type');
	}
	for (const type of [
		'application/json; charset=utf-8',
		'APPLICATION/JSON',
		'application/json ;x="y;z"',
		'Application/Json;',
	]) {
		const answer = await call(url, endpoints.viewSubUser.path, {
			token,
			body: VALID,
			headers: { 'content-type': type },
		});
		assertFailure(answer, 404, 'unknown_sub_user', type);
	}
});

test('what is no JSON object with the right fields is 400 before the sub-user is looked for', async (t) => {
	const [{ url }, { token }] = await start(t);
	for (const { path } of POSTS) {
		const bodies = [
			'',
			' ',
			'{',
			'[]',
			'null',
			'5',
			'"x"',
			'true',
			'{}',
			'{"username":5}',
			'{"username":null}',
			'{"username":["alice"]}',
		];
		for (const body of [
			...bodies,
			'{"Username":"alice"}',
			"{'username':'alice'}",
			'{"username":"alice"}x',
			'{"username":"alice",}',
		]) {
			assertFailure(await call(url, path, { token, body }), 400, 'invalid_request', `${path} ${body}`);
		}
	}
});

test('a transfer is refused in the order: 400 fields, 400 amount, 404 sub-user, 402 balance', async (t) => {
	const [{ url }, { token }] = await start(t);
	const poor = resellerApi(url, token);
	await poor.create({ username: 'alice' });
	for (const path of TRANSFERS) {
		const ask = (body: unknown) => call(url, path, { token, body });
		assertFailure(await ask({ username: 5, amount_usd_cents: 0 }), 400, 'invalid_request');
		assertFailure(await ask({ amount_usd_cents: 0 }), 400, 'invalid_request');
		assertFailure(await ask({ username: 'alice' }), 400, 'invalid_request');
		assertFailure(await ask({ username: '..', amount_usd_cents: 0 }), 400, 'invalid_amount');
		assertFailure(await ask({ username: 'nobody', amount_usd_cents: 0 }), 400, 'invalid_amount');
		assertFailure(await ask({ username: 'nobody', amount_usd_cents: 999_999 }), 404, 'unknown_sub_user');
		assertFailure(await ask({ username: '..', amount_usd_cents: 999_999 }), 404, 'unknown_sub_user');
		assertFailure(await ask({ username: 'alice', amount_usd_cents: 999_999 }), 402, 'insufficient_balance');
	}
	assert.equal((await poor.myInfo()).data.balance, 990, 'only the fee moved');
	assert.equal((await poor.viewSingle({ username: 'alice' })).data.balance, 0);
});

test('the message for a taken username never changes', async (t) => {
	const [{ url }, { token }] = await start(t);
	const api = resellerApi(url, token);
	await api.create({ username: 'alice' });
	const answer = await api.create({ username: 'alice' });
	assertFailure(answer, 409, 'username_taken');
	assert.equal(answer.message, 'that username is already registered');
});

test('each answer has a request id of its own, and a client cannot choose it', async (t) => {
	const [{ url }, { token }] = await start(t);
	const ids = new Set<string | null>(['mine']);
	for (let i = 0; i < 5; i++) {
		const { headers } = await call(url, endpoints.myInfo.path, { token, headers: { 'x-request-id': 'mine' } });
		ids.add(headers.get('x-request-id'));
	}
	assert.equal(ids.size, 6);
});
