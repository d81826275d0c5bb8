import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFailure } from '@bursar/testing/api';
import { startOperatorService, withChangeId } from '../../support/operator-service.ts';

test('a change id counts once over all tokens of the operator, and tells what it did', async (t) => {
	const { operator: shop, openProgram } = await startOperatorService(t);
	const till = await openProgram('till', ['money:write']);
	assert.equal((await shop('createReseller', { username: 'acme' }, withChangeId('create'))).status, 200);
	assertFailure(await shop('createReseller', { username: 'bolt' }, withChangeId('create')), 409, 'change_repeated');
	assertFailure(await shop('viewReseller', { username: 'bolt' }), 404, 'unknown_reseller');

	const payment = { username: 'acme', amount_usd_cents: 700, reference: 'a' };
	const paid = await till('creditReseller', payment, withChangeId('pay'));
	assert.equal(paid.status, 200);
	const other = { ...payment, reference: 'b' };
	const repeated = await shop('creditReseller', other, withChangeId('pay'));
	assertFailure(repeated, 409, 'change_repeated');
	const { data } = await shop('viewChange', { change_id: 'pay'.padEnd(16, '0') });
	assert.deepEqual(repeated.data, { change: data });
	const { token, timestamp, ...done } = data;
	assert.deepEqual(done, {
		change_id: 'pay'.padEnd(16, '0'),
		kind: 'top_up',
		reseller: 'acme',
		target: 'acme 700',
		details: 'moved: 7.00 USD',
		request_id: paid.headers.get('x-request-id'),
	});
	assert.match(token, /^till \.\.\.\w{4}$/);
	assert.ok(Date.parse(timestamp) <= Date.now());
	assert.equal((await shop('viewChange', { change_id: 'never'.padEnd(16, '0') })).data, null);
	assertFailure(await shop('viewChange', { change_id: 'short' }), 400, 'invalid_request');
	assertFailure(await shop('creditReseller', other, { headers: { 'x-change-id': 'short' } }), 400, 'invalid_request');
	const late = { headers: { 'x-request-expires': '1' } };
	assertFailure(await shop('creditReseller', other, late), 503, 'unavailable');
	assert.equal((await shop('viewReseller', { username: 'acme' }, late)).data.balance, 700, 'a read is answered');
});

test('a state that held already uses up the id too, so a late copy does not set it again', async (t) => {
	const { operator, openReseller } = await startOperatorService(t);
	await openReseller('acme', 0);
	const acme = { username: 'acme' };
	await operator('resumeReseller', acme, withChangeId('resume'));
	await operator('suspendReseller', acme);
	assertFailure(await operator('resumeReseller', acme, withChangeId('resume')), 409, 'change_repeated');
	assert.notEqual((await operator('viewReseller', acme)).data.suspended_since, null);
});
