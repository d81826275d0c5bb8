import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '@bursar/contract';
import { assertFailure, call, resellerApi } from '@bursar/testing/api';
import { startTestService } from '@bursar/testing/service';

async function start(t: Parameters<typeof startTestService>[0]) {
	const { url, openReseller } = await startTestService(t, { BURSAR_LENIENT: '1' });
	const { token } = await openReseller('acme', 1000);
	return { url, token, api: resellerApi(url, token) };
}

test('leniently, a POST may have any content type, an ill-formed one, or none', async (t) => {
	const { url, token, api } = await start(t);
	const types = [
		'application/x-www-form-urlencoded',
		'text/plain;charset=UTF-8',
		'multipart/form-data; boundary=x',
		'nonsense',
		';',
		null,
	];
	for (const [i, type] of types.entries()) {
		const options = { token, headers: { 'content-type': type } };
		const username = `user${i}`;
		assert.equal((await call(url, endpoints.createSubUser.path, { ...options, body: { username } })).status, 200);
		for (const [path, fields] of [
			[endpoints.giveBalance.path, { amount_usd_cents: '5' }],
			[endpoints.takeBalance.path, { amount_usd_cents: 5 }],
			[endpoints.viewSubUser.path, {}],
			[endpoints.viewUsage.path, {}],
			[endpoints.resetAuthKey.path, {}],
		] as const) {
			const answer = await call(url, path, { ...options, body: { username, ...fields } });
			assert.equal(answer.status, 200, `${path} ${type}`);
		}
	}
	assert.equal((await api.viewAll()).data.length, types.length);
});

test('leniently, an amount may be a string of decimal digits, and must be an amount all the same', async (t) => {
	const { api } = await start(t);
	await api.create({ username: 'alice' });
	assert.equal((await api.give({ username: 'alice', amount_usd_cents: '5' })).data.balance, 5);
	assert.equal((await api.give({ username: 'alice', amount_usd_cents: '007' })).data.balance, 12);
	assert.equal((await api.take({ username: 'alice', amount_usd_cents: '12' })).data.balance, 0);
	for (const amount of ['0', '00', '9007199254740992', '9007199254740993', '1'.repeat(400)]) {
		assertFailure(await api.give({ username: 'alice', amount_usd_cents: amount }), 400, 'invalid_amount', amount);
	}
	for (const amount of [
		'',
		' 5',
		'5 ',
		'5\n',
		'-5',
		'+5',
		'5.0',
		'1e2',
		'0x5',
		'1_0',
		'\u0665',
		'\uff15',
		['5'],
		true,
		null,
		{},
	]) {
		assertFailure(
			await api.give({ username: 'alice', amount_usd_cents: amount }),
			400,
			'invalid_request',
			String(amount),
		);
	}
	assertFailure(await api.give({ username: 'nobody', amount_usd_cents: '5' }), 404, 'unknown_sub_user');
	assertFailure(await api.give({ username: 'alice', amount_usd_cents: '5000' }), 402, 'insufficient_balance');
});

test('leniently, nothing else changes', async (t) => {
	const { url, token, api } = await start(t);
	await api.create({ username: 'alice' });
	for (const amount of [0, -1, 0.5, 2 ** 53]) {
		assertFailure(await api.give({ username: 'alice', amount_usd_cents: amount }), 400, 'invalid_amount');
	}
	for (const body of [
		'',
		'username=alice',
		'{',
		'[]',
		'{"username":5}',
		'{"username":"alice","username":"alice"}',
		'{"__proto__":1,"username":"alice"}',
	]) {
		assertFailure(await api.viewSingle(body, { headers: { 'content-type': null } }), 400, 'invalid_request', body);
	}
	assertFailure(await api.viewSingle('x'.repeat(20_000)), 413, 'payload_too_large');
	assertFailure(await api.create({ username: 'al' }), 400, 'invalid_username');
	assertFailure(await api.create({ username: 'alice' }), 409, 'username_taken');
	assertFailure(await call(url, endpoints.createSubUser.path, { body: { username: 'bob1' } }), 401, 'unauthorized');
	assertFailure(await call(url, endpoints.viewSubUser.path, { token }), 405, 'method_not_allowed');
	assertFailure(await api.create('{"username":', { headers: { 'content-type': null } }), 400, 'invalid_request');
	assert.equal((await api.myInfo()).data.balance, 1000 - 4 * 10, 'create costs what it costs');
});

test('strictly, which is the default, a string of digits is no amount', async (t) => {
	const { url, openReseller } = await startTestService(t);
	const api = resellerApi(url, (await openReseller('acme', 1000)).token);
	await api.create({ username: 'alice' });
	assertFailure(await api.give({ username: 'alice', amount_usd_cents: '5' }), 400, 'invalid_request');
});
