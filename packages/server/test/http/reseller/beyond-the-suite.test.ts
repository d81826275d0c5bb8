// Tests behaviour that the conformance suite leaves open or cannot test on every server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CREATE_FEE_CENTS, endpoints, MAX_CENTS } from '@bursar/contract';
import { assertFailure, type CallOptions, call, resellerApi } from '@bursar/testing/api';
import { startTestService } from '@bursar/testing/service';

/** Bodies that a framework would refuse before the route. */
const UNREADABLE: readonly [options: CallOptions, status: number, code: string][] = [
	[{ body: '{}', headers: { 'content-type': 'application' } }, 415, 'unsupported_media_type'],
	[{ body: '{}', headers: { 'content-type': 'a/b; =;' } }, 415, 'unsupported_media_type'],
	[{}, 415, 'unsupported_media_type'],
	[{ body: '["alice"]' }, 400, 'invalid_request'],
	[{ body: Buffer.from('{"username":"al\xffce"}', 'latin1') }, 400, 'invalid_request'],
	[{ body: { username: '' } }, 400, 'invalid_username'],
];

test('a create with an unreadable body costs the fee; with a balance below the fee it costs nothing', async (t) => {
	const { url, openReseller } = await startTestService(t);
	const rich = await openReseller('rich', 1000);
	const poor = await openReseller('poor', CREATE_FEE_CENTS - 1);
	const create = (token: string, options: CallOptions) =>
		call(url, endpoints.createSubUser.path, { token, method: 'POST', ...options });
	for (const [index, [options, status, code]] of UNREADABLE.entries()) {
		assertFailure(await create(rich.token, options), status, code);
		const { data } = await resellerApi(url, rich.token).myInfo();
		assert.equal(data.balance, 1000 - CREATE_FEE_CENTS * (index + 1));
		assertFailure(await create(poor.token, options), 402, 'insufficient_balance');
	}
	assert.equal((await resellerApi(url, poor.token).myInfo()).data.balance, CREATE_FEE_CENTS - 1);
});

test('an amount of another type is invalid_request, and an invalid number is invalid_amount', async (t) => {
	const { url, openReseller } = await startTestService(t);
	const api = resellerApi(url, (await openReseller('acme', 1000)).token);
	await api.create({ username: 'alice' });
	for (const amount_usd_cents of ['5', true, null, [5], {}, undefined]) {
		for (const move of [api.give, api.take]) {
			assertFailure(await move({ username: 'alice', amount_usd_cents }), 400, 'invalid_request');
		}
	}
	assertFailure(await api.give({ username: 'alice', amount_usd_cents: 0.5 }), 400, 'invalid_amount');
});

test('in lenient mode, digits out of range are invalid_amount, and any other string is invalid_request', async (t) => {
	const { url, openReseller } = await startTestService(t, { BURSAR_LENIENT: '1' });
	const api = resellerApi(url, (await openReseller('acme', 1000)).token);
	await api.create({ username: 'alice' });
	const give = (amount_usd_cents: string) => api.give({ username: 'alice', amount_usd_cents });
	for (const digits of ['0', '1'.repeat(400)]) assertFailure(await give(digits), 400, 'invalid_amount');
	for (const other of ['', '-5', '5.0', '\u0665']) assertFailure(await give(other), 400, 'invalid_request');
});

test('a transfer of the largest exact JSON number stays exact', async (t) => {
	const { url, openReseller } = await startTestService(t);
	const api = resellerApi(url, (await openReseller('acme', MAX_CENTS)).token);
	await api.create({ username: 'alice' });
	const rest = MAX_CENTS - 10;
	assert.equal((await api.give({ username: 'alice', amount_usd_cents: rest })).data.balance, rest);
	assert.match((await api.viewSingle({ username: 'alice' })).text, /"balance":9007199254740981,/);
	assert.equal((await api.take({ username: 'alice', amount_usd_cents: rest })).data.balance, 0);
	assert.equal((await api.myInfo()).data.balance, rest);
});

test('names of built-in JavaScript properties are ordinary usernames', async (t) => {
	const { url, openReseller } = await startTestService(t);
	const api = resellerApi(url, (await openReseller('acme', 1000)).token);
	for (const username of ['constructor', 'tostring', 'valueof', 'hasownproperty', 'null', 'undefined', 'nan0']) {
		assert.equal((await api.create({ username })).status, 200, username);
		assert.equal((await api.viewSingle({ username })).data.username, username);
	}
	assert.equal((await api.viewAll()).data.length, 7);
});

test('a client cannot choose the id of its request', async (t) => {
	const { url } = await startTestService(t);
	const { headers } = await call(url, '/nothing', { headers: { 'x-request-id': 'mine' } });
	assert.notEqual(headers.get('x-request-id'), 'mine');
});
