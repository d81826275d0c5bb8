import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allEndpoints, CREATE_FEE_CENTS, endpoints } from '@bursar/contract';
import { assertFailure, call, resellerApi } from '@bursar/testing/api';
import { AMOUNT, expiring, startExpiryService } from '../../support/expiry-service.ts';
import { rawCall, rawConnection, requestText } from '../../support/raw-socket.ts';

const ID = 'mgd3k1c0-Vn4xT8sQp2LzRw';
const MALFORMED = ['', 'short', 'a'.repeat(15), 'a'.repeat(65), `${ID}.`, `${ID} ${ID}`, `${ID}, ${ID}`, 'honoured'];
const CHANGES = [endpoints.createSubUser, endpoints.giveBalance, endpoints.takeBalance, endpoints.resetAuthKey];

const named = (id: string) => ({ headers: { 'x-change-id': id } });

test('a repeated change is 409 and does nothing, not even the fee, and its look says what the first one did', async (t) => {
	const { api, url, token } = await startExpiryService(t);
	const given = await api.give(AMOUNT, named(ID));
	assert.equal(given.data.balance, 105);
	const before = await api.myInfo();
	for (const { path } of CHANGES) {
		for (const body of [AMOUNT, { ...AMOUNT, username: 'other' }]) {
			assertFailure(await call(url, path, { token, body, ...named(ID) }), 409, 'change_repeated', path);
		}
	}
	assertFailure(await api.create('{', named(ID)), 409, 'change_repeated');
	assert.deepEqual((await api.myInfo()).data, before.data);
	const { data } = await api.viewChange({ change_id: ID, other: 5 });
	assert.ok(Math.abs(Date.parse(data.timestamp) - Date.now()) < 60_000);
	assert.deepEqual(data, {
		...{ change_id: ID, kind: 'give_balance', username: 'alice', amount: 5, balance: 105, error: null },
		timestamp: data.timestamp,
		request_id: given.headers.get('x-request-id'),
	});
});

test('a create that failed and cost its fee is told with the error that it was answered with', async (t) => {
	const { api, token, url } = await startExpiryService(t);
	const { path } = endpoints.createSubUser;
	const asText = { 'content-type': 'text/plain' };
	for (const [index, [options, code]] of (
		[
			[{ body: { username: 'ALICE' } }, 'username_taken'],
			[{ body: { username: 'al' } }, 'invalid_username'],
			[{ body: {} }, 'invalid_request'],
			[{ body: '{' }, 'invalid_request'],
			[{ body: { username: 'bruno' }, headers: asText }, 'unsupported_media_type'],
			[{ body: 'x'.repeat(20_000) }, 'payload_too_large'],
			[{ body: { username: 'bruno' }, headers: { 'x-request-expires': 'soon' } }, 'invalid_request'],
		] as const
	).entries()) {
		const id = `failed-create-${String(index).padStart(4, '0')}`;
		const headers = { ...('headers' in options && options.headers), 'x-change-id': id };
		const answer = await call(url, path, { token, body: options.body, headers });
		assert.equal(answer.errorCode, code);
		const { data } = await api.viewChange({ change_id: id });
		const { kind, username, amount, balance, error, request_id } = data;
		const asked = code === 'username_taken' ? 'alice' : null;
		assert.deepEqual([kind, username, amount, balance, error], ['create', asked, CREATE_FEE_CENTS, null, code]);
		assert.equal(request_id, answer.headers.get('x-request-id'));
	}
});

test('a look never shows a key', async (t) => {
	const { api } = await startExpiryService(t);
	const keys = [
		(await api.create({ username: 'bruno' }, named(`${ID}-create`))).data.proxy_authkey,
		(await api.resetAuthKey({ username: 'bruno' }, named(`${ID}-reset`))).data.proxy_authkey,
	];
	for (const change_id of [`${ID}-create`, `${ID}-reset`]) {
		const { status, data, text } = await api.viewChange({ change_id });
		assert.deepEqual([status, data.username], [200, 'bruno']);
		for (const key of keys) assert.ok(!text.includes(key));
	}
});

test('what was refused without cost, or has expired, or is of another reseller, is told as null', async (t) => {
	const { api, openReseller, url } = await startExpiryService(t);
	const headers = { ...expiring(1).headers, ...named(ID).headers };
	assertFailure(await api.give(AMOUNT, { headers }), 503, 'unavailable');
	assertFailure(await api.give({ ...AMOUNT, amount_usd_cents: 10 ** 9 }, named(ID)), 402, 'insufficient_balance');
	assertFailure(await api.give({ ...AMOUNT, username: 'nobody' }, named(ID)), 404, 'unknown_sub_user');
	assertFailure(await api.give({ ...AMOUNT, amount_usd_cents: 0 }, named(ID)), 400, 'invalid_amount');
	const none = await api.viewChange({ change_id: ID });
	assert.deepEqual([none.status, none.data], [200, null]);
	assert.equal((await api.give(AMOUNT, named(ID))).status, 200, 'the same id can be tried again');
	assertFailure(await api.give(AMOUNT, { headers }), 503, 'unavailable', 'the expiry is looked at first');
	const other = resellerApi(url, (await openReseller('bolt', 1000)).token);
	assert.equal((await other.viewChange({ change_id: ID })).data, null);
	assert.equal((await other.create({ username: 'bolty' }, named(ID))).status, 200);
	assert.equal((await other.viewChange({ change_id: ID })).data.kind, 'create');
	assert.equal((await api.viewChange({ change_id: ID })).data.kind, 'give_balance');
});

test('a malformed id is 400 on every change, and a create then costs the fee; reads ignore it', async (t) => {
	const service = await startExpiryService(t);
	const { url, token, api } = service;
	const poor = await service.openReseller('poor', CREATE_FEE_CENTS - 1);
	for (const value of MALFORMED) {
		for (const { path } of CHANGES) {
			const before = (await api.myInfo()).data.balance;
			const answer = await call(url, path, { token, body: AMOUNT, ...named(value) });
			assertFailure(answer, 400, 'invalid_request', `${path} ${value}`);
			assert.match(answer.message, /^X-Change-Id must be/);
			assert.equal(answer.headers.get('x-change-id'), 'honoured');
			const fee = path === endpoints.createSubUser.path ? CREATE_FEE_CENTS : 0;
			assert.equal((await api.myInfo()).data.balance, before - fee);
			const unknown = { username: 'nobody', amount_usd_cents: 5 };
			if (fee > 0) continue;
			assertFailure(await call(url, path, { token, body: unknown, ...named(value) }), 400, 'invalid_request');
		}
		for (const { method, path } of [endpoints.myInfo, endpoints.viewAllSubUsers]) {
			assert.equal((await call(url, path, { token, method, ...named(value) })).status, 200);
		}
		for (const read of [api.viewSingle, api.viewTxs]) assert.equal((await read(AMOUNT, named(value))).status, 200);
		assert.equal((await api.viewChange({ change_id: ID }, named(value))).status, 200);
	}
	const { path } = endpoints.createSubUser;
	const asText = { 'content-type': 'text/plain', 'x-change-id': 'short' };
	assertFailure(await call(url, path, { token, body: AMOUNT, headers: asText }), 415, 'unsupported_media_type');
	const refused = await call(url, path, { token: poor.token, body: AMOUNT, ...named('short') });
	assertFailure(refused, 402, 'insufficient_balance');
	assert.deepEqual((await api.viewAll()).data.length, 1, 'no request made a sub-user');
	assert.equal((await api.viewSingle({ username: 'alice' })).data.balance, 100, 'no request moved anything');
});

test('two ids are 400, even if they are equal', async (t) => {
	const { url, token, api } = await startExpiryService(t);
	const body = JSON.stringify(AMOUNT);
	const lines = [`Authorization: Bearer ${token}`, 'Content-Type: application/json', `Content-Length: ${body.length}`];
	for (const other of [ID, `${ID}2`]) {
		const ids = [`X-Change-Id: ${ID}`, `X-Change-Id: ${other}`];
		const sent = requestText('POST', endpoints.giveBalance.path, [...lines, ...ids]) + body;
		const { status, headers } = await rawCall(t, url, sent);
		assert.deepEqual(
			[status, headers.get('x-error-code'), headers.get('x-change-id')],
			[400, 'invalid_request', 'honoured'],
		);
	}
	assert.equal((await api.viewSingle({ username: 'alice' })).data.balance, 100);
});

test('a look without a well-formed id is 400', async (t) => {
	const { api, url, token } = await startExpiryService(t);
	for (const body of [
		'{',
		{},
		{ change_id: 5 },
		{ change_id: null },
		...MALFORMED.map((change_id) => ({ change_id })),
	]) {
		assertFailure(await api.viewChange(body), 400, 'invalid_request', JSON.stringify(body));
	}
	const { path } = allEndpoints.viewChange;
	assertFailure(await call(url, path, { body: { change_id: ID } }), 401, 'unauthorized');
	assertFailure(await call(url, path, { token }), 405, 'method_not_allowed');
	const large = await call(url, path, { token, body: 'x'.repeat(20_000) });
	assertFailure(large, 413, 'payload_too_large');
});

test('every answer repeats the id of its request, or says `honoured` if it has no valid one', async (t) => {
	const { url, token } = await startExpiryService(t);
	for (const [value, shown] of [
		[ID, ID],
		[undefined, 'honoured'],
		['short', 'honoured'],
	] as const) {
		const headers = value === undefined ? {} : { 'x-change-id': value };
		for (const [path, options] of [
			['/nothing', {}],
			['/reseller/my_info', { method: 'DELETE' }],
			['/reseller/my_info', { token: 'unknown' }],
			['/reseller/my_info', { token }],
			['/reseller/sub_users/view_all', { token }],
			['/reseller/sub_users/give_balance', { token, body: 'x'.repeat(20_000) }],
		] as const) {
			const answer = await call(url, path, { ...options, headers });
			assert.equal(answer.headers.get('x-change-id'), shown, path);
		}
	}
	for (const bytes of ['hello\r\n\r\n', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`]) {
		const connection = await rawConnection(t, url);
		connection.write(bytes);
		const [answer] = await connection.answers(1);
		assert.equal(answer?.headers.get('x-change-id'), 'honoured');
	}
});
