import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints, MAX_CENTS } from '@bursar/contract';
import { assertFailure, call, resellerApi } from '@bursar/testing/api';
import { startTestService } from '@bursar/testing/service';

/** JSON as it is written, because a serializer would write some of these otherwise. */
const bodyWith = (amount: string) => `{"username":"alice","amount_usd_cents":${amount}}`;

test('an amount is taken by its value: however a whole number is written, it counts', async (t) => {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 100_000);
	const api = resellerApi(service.url, token);
	await api.create({ username: 'alice' });
	const written = {
		'1': 1,
		'1.0': 1,
		'1e2': 100,
		'1E+2': 100,
		'100e-2': 1,
		'1.50e1': 15,
		'3.000000000000000000000': 3,
	};
	for (const [text, cents] of Object.entries(written)) {
		const given = await api.give(bodyWith(text));
		assert.equal(given.status, 200, text);
		assert.equal(given.data.balance, cents, text);
		assert.equal((await api.take(bodyWith(text))).data.balance, 0, text);
	}
	assert.equal((await api.myInfo()).data.balance, 99_990);
});

test('a number that is no safe integer from 1 on is no amount, and what is no number is no request', async (t) => {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 1000);
	const api = resellerApi(service.url, token);
	await api.create({ username: 'alice' });
	await api.give({ username: 'alice', amount_usd_cents: 100 });
	const numbers = [
		'0',
		'-0',
		'0.0',
		'-1',
		'0.1',
		'1.5',
		'0.9999999',
		'1e-1',
		'-5',
		'9007199254740992',
		'9007199254740993',
		'1e16',
		'1e400',
		'-1e400',
		`1${'0'.repeat(500)}`,
	];
	const others = ['"5"', '""', '" 5"', '"abc"', 'true', 'false', 'null', '[]', '[5]', '{}', '{"value":5}'];
	const noJson = ['NaN', 'Infinity', '-Infinity', '0x10', '05', '+5', '1_000', '.5', '5.', '1e', '5n', 'undefined', ''];
	for (const path of [endpoints.giveBalance.path, endpoints.takeBalance.path]) {
		for (const text of numbers) {
			assertFailure(await call(service.url, path, { token, body: bodyWith(text) }), 400, 'invalid_amount', text);
		}
		for (const text of [...others, ...noJson]) {
			assertFailure(await call(service.url, path, { token, body: bodyWith(text) }), 400, 'invalid_request', text);
		}
	}
	assert.equal((await api.myInfo()).data.balance, 890);
	assert.equal((await api.viewSingle({ username: 'alice' })).data.balance, 100);
});

test('the whole balance can be moved and not one cent more, in both directions', async (t) => {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 1010);
	const api = resellerApi(service.url, token);
	await api.create({ username: 'alice' });
	assertFailure(await api.give({ username: 'alice', amount_usd_cents: 1001 }), 402, 'insufficient_balance');
	assertFailure(await api.give({ username: 'alice', amount_usd_cents: MAX_CENTS }), 402, 'insufficient_balance');
	assert.deepEqual((await api.give({ username: 'alice', amount_usd_cents: 1000 })).data, {
		username: 'alice',
		balance: 1000,
	});
	assert.equal((await api.myInfo()).data.balance, 0);
	assertFailure(await api.take({ username: 'alice', amount_usd_cents: 1001 }), 402, 'insufficient_balance');
	assert.deepEqual((await api.take({ username: 'alice', amount_usd_cents: 1000 })).data, {
		username: 'alice',
		balance: 0,
	});
	assert.equal((await api.myInfo()).data.balance, 1000);
});

test('the largest balance that JSON carries exactly moves whole, and stays exact', async (t) => {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', MAX_CENTS);
	const api = resellerApi(service.url, token);
	await api.create({ username: 'alice' });
	const rest = MAX_CENTS - 10;
	assert.equal((await api.give({ username: 'alice', amount_usd_cents: rest })).data.balance, rest);
	assert.match((await api.viewSingle({ username: 'alice' })).text, /"balance":9007199254740981,/);
	assert.equal((await api.take({ username: 'alice', amount_usd_cents: rest })).data.balance, 0);
	assert.equal((await api.myInfo()).data.balance, rest);
});

test('transfers that arrive together never spend a balance twice', async (t) => {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 110);
	const api = resellerApi(service.url, token);
	await api.create({ username: 'alice' });
	const answers = await Promise.all(
		Array.from({ length: 20 }, () => api.give({ username: 'alice', amount_usd_cents: 30 })),
	);
	assert.equal(answers.filter(({ status }) => status === 200).length, 3);
	for (const answer of answers) if (answer.status !== 200) assertFailure(answer, 402, 'insufficient_balance');
	assert.equal((await api.viewSingle({ username: 'alice' })).data.balance, 90);
	assert.equal((await api.myInfo()).data.balance, 10);
});
