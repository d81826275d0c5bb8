import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFailure, resellerApi } from '@bursar/testing/api';
import { startOperatorService } from '../../support/operator-service.ts';

test('a new token of a reseller ends all others, and is told only there', async (t) => {
	const { operator, ...service } = await startOperatorService(t);
	const { token } = await service.openReseller('acme', 100);
	const before = resellerApi(service.url, token);
	assert.equal((await before.myInfo()).status, 200);
	const { data } = await operator('endTokens', { username: 'acme' });
	assertFailure(await before.myInfo(), 401, 'unauthorized');
	assert.equal((await resellerApi(service.url, data.token).myInfo()).data.balance, 100);
	assertFailure(await operator('endTokens', { username: 'nobody' }), 404, 'unknown_reseller');
});

test('further tokens of a reseller are listed without secrets, and ended one by one', async (t) => {
	const { operator, ...service } = await startOperatorService(t);
	const { token } = await service.openReseller('acme', 100);
	await service.openReseller('bolt', 0);
	const reseller = resellerApi(service.url, token);
	const expires_at = new Date(Date.now() + 3_600_000).toISOString();
	const made = [];
	for (const name of ['till', 'shop']) {
		made.push((await reseller.createToken({ name, scopes: ['read'], expires_at })).data);
	}
	const list = async (of: string) => (await operator('viewTokens', { reseller: of })).data;
	const [till, shop] = made.map(({ token: _, ...known }) => known);
	assert.deepEqual(await list('ACME'), [shop, till]);
	assert.deepEqual(await list('bolt'), []);
	assertFailure(await operator('viewTokens', { reseller: 'nobody' }), 404, 'unknown_reseller');

	assertFailure(await operator('endToken', { reseller: 'bolt', id: till.id }), 404, 'unknown_token');
	assert.deepEqual((await operator('endToken', { reseller: 'acme', id: till.id })).data, {
		reseller: 'acme',
		id: till.id,
	});
	assertFailure(await resellerApi(service.url, made[0].token).myInfo(), 401, 'unauthorized');
	assert.deepEqual(await list('acme'), [shop]);
	for (const name of ['acme', 'x', 'nobody']) {
		assertFailure(await operator('endToken', { reseller: name, id: till.id }), 404, 'unknown_token', name);
	}
	assert.equal((await reseller.myInfo()).status, 200);
});
