import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '@bursar/contract';
import { assertFailure, call, resellerApi } from '@bursar/testing/api';
import { startTestService } from '@bursar/testing/service';
import { createBodyBudget } from '../../../src/http/server/bodies/body-budget.ts';

test('deep and wide JSON is answered like any other body', async (t) => {
	const { url, openReseller } = await startTestService(t);
	const { token } = await openReseller('acme', 1000);
	const api = resellerApi(url, token);
	await api.create({ username: 'alice' });
	const give = (body: string) => call(url, endpoints.giveBalance.path, { token, body });
	const deep = 8_000;
	const rest = '"username":"alice","amount_usd_cents":1';
	const legal = [
		`{${rest},"x":${'['.repeat(deep)}${']'.repeat(deep)}}`,
		`{${rest},"x":${'{"y":'.repeat(2_000)}1${'}'.repeat(2_000)}}`,
		`{${rest},${Array.from({ length: 1_500 }, (_, i) => `"k${i}":1`).join(',')}}`,
		`{${rest},"x":"${'\\'.repeat(16_000 - 2)}"}`,
	];
	for (const body of legal) assert.equal((await give(body)).status, 200);
	const broken = [
		'['.repeat(16_384),
		'{"a":'.repeat(3_000),
		'"'.repeat(16_383),
		`{${rest},"x":"${'\\'.repeat(15_999)}"}`,
		'-'.repeat(16_000),
	];
	for (const body of broken) assertFailure(await give(body), 400, 'invalid_request');
	assert.equal((await api.viewSingle({ username: 'alice' })).data.balance, legal.length);
});

test('room is taken up to the bound of an owner and up to the bound of all, and comes back', () => {
	const budget = createBodyBudget({ most: 10, mostOfOwner: 6 });
	assert.equal(budget.take('gw', 6), true);
	assert.equal(budget.take('gw', 1), false);
	assert.equal(budget.take('gw2', 5), false, 'all together');
	assert.equal(budget.take('gw2', 4), true);
	assert.equal(budget.take('gw3', 1), false);
	budget.release('gw', 6);
	assert.equal(budget.take('gw3', 6), true);
	assert.equal(budget.take('gw', 1), false);
	budget.release('gw3', 2);
	assert.equal(budget.take('gw', 2), true);
});
