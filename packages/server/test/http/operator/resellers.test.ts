import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFailure, operatorApi, resellerApi } from '@bursar/testing/api';
import { startTestService } from '@bursar/testing/service';

test('a program creates a reseller, credits it once, and takes money back', async (t) => {
	const service = await startTestService(t, { BURSAR_OPERATOR_PORT: '0' });
	const operator = operatorApi(service.operatorUrl as string, await service.openOperatorToken('shop'));

	const created = await operator('createReseller', { username: 'Acme' });
	assert.deepEqual({ ...created.data, token: '' }, { username: 'acme', token: '' });
	const reseller = resellerApi(service.url, created.data.token);
	assert.equal((await reseller.myInfo()).data.balance, 0);
	assertFailure(await operator('createReseller', { username: 'acme' }), 409, 'username_taken');

	const payment = { username: 'acme', amount_usd_cents: 5000, reference: 'invoice-1' };
	const paid = { username: 'acme', balance: 5000 };
	assert.deepEqual((await operator('creditReseller', payment)).data, { ...paid, repeated: false });
	assert.deepEqual((await operator('creditReseller', payment)).data, { ...paid, repeated: true });
	assertFailure(await operator('creditReseller', { ...payment, amount_usd_cents: 1 }), 409, 'reference_conflict');
	for (const reference of ['stripe:pi_1', 'BTCPay:1', '']) {
		assertFailure(await operator('creditReseller', { ...payment, reference }), 400, 'invalid_reference', reference);
	}
	for (const amount of [0, -1, 1.5, Number.MAX_VALUE]) {
		const body = { ...payment, amount_usd_cents: amount };
		assertFailure(await operator('creditReseller', body), 400, 'invalid_amount', String(amount));
	}
	const back = { username: 'acme', amount_usd_cents: 1000, reference: 'refund-1', reason: 'paid twice' };
	assert.equal((await operator('takeBack', back)).data.balance, 4000);
	assertFailure(await operator('takeBack', { ...back, reference: 'r2', reason: '' }), 400, 'invalid_reason');
	const tooMuch = { ...back, reference: 'refund-2', amount_usd_cents: 4001 };
	assertFailure(await operator('takeBack', tooMuch), 402, 'insufficient_balance');
	assert.equal((await reseller.myInfo()).data.balance, 4000);

	assert.deepEqual((await operator('suspendReseller', { username: 'acme' })).data, {
		username: 'acme',
		suspended: true,
	});
	const view = (await operator('viewReseller', { username: 'acme' })).data;
	assert.equal(view.balance, 4000);
	assert.ok(Date.parse(view.suspended_since) <= Date.now());
	assert.equal((await operator('resumeReseller', { username: 'acme' })).data.suspended, false);
});

test('a change id counts once over all tokens of the operator, and tells what it did', async (t) => {
	const service = await startTestService(t, { BURSAR_OPERATOR_PORT: '0' });
	const url = service.operatorUrl as string;
	const shop = operatorApi(url, await service.openOperatorToken('shop'));
	const till = operatorApi(url, await service.openOperatorToken('till', ['money:write']));
	const id = (text: string) => ({ headers: { 'x-change-id': text.padEnd(16, '0') } });
	assert.equal((await shop('createReseller', { username: 'acme' }, id('create'))).status, 200);
	assertFailure(await shop('createReseller', { username: 'bolt' }, id('create')), 409, 'change_repeated');
	assertFailure(await shop('viewReseller', { username: 'bolt' }), 404, 'unknown_reseller');

	const payment = { username: 'acme', amount_usd_cents: 700, reference: 'a' };
	const paid = await till('creditReseller', payment, id('pay'));
	assert.equal(paid.status, 200);
	const other = { ...payment, reference: 'b' };
	assertFailure(await shop('creditReseller', other, id('pay')), 409, 'change_repeated');
	const { token, timestamp, ...done } = (await shop('viewChange', { change_id: 'pay'.padEnd(16, '0') })).data;
	assert.deepEqual(done, {
		change_id: 'pay'.padEnd(16, '0'),
		kind: 'top_up',
		reseller: 'acme',
		target: 'acme 700',
		request_id: paid.headers.get('x-request-id'),
	});
	assert.match(token, /^till \.\.\.\w{4}$/);
	assert.ok(Date.parse(timestamp) <= Date.now());
	assert.equal((await shop('viewChange', { change_id: 'never'.padEnd(16, '0') })).data, null);
	assertFailure(await shop('viewChange', { change_id: 'short' }), 400, 'invalid_request');
	assertFailure(await shop('creditReseller', other, { headers: { 'x-change-id': 'short' } }), 400, 'invalid_request');
	const late = { headers: { 'x-request-expires': '1' } };
	assertFailure(await shop('creditReseller', other, late), 503, 'unavailable');
	assert.equal((await shop('viewReseller', { username: 'acme' })).data.balance, 700);
});

test('a new token of a reseller ends all others, and is told only there', async (t) => {
	const service = await startTestService(t, { BURSAR_OPERATOR_PORT: '0' });
	const operator = operatorApi(service.operatorUrl as string, await service.openOperatorToken('shop'));
	const { token } = await service.openReseller('acme', 100);
	const before = resellerApi(service.url, token);
	assert.equal((await before.myInfo()).status, 200);
	const { data } = await operator('endTokens', { username: 'acme' });
	assertFailure(await before.myInfo(), 401, 'unauthorized');
	assert.equal((await resellerApi(service.url, data.token).myInfo()).data.balance, 100);
	assertFailure(await operator('endTokens', { username: 'nobody' }), 404, 'unknown_reseller');
});
