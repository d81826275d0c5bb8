import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allEndpoints, endpoints, errors } from '@bursar/contract';
import { assertFailure, call } from '@bursar/testing/api';
import { AMOUNT, expiring, startExpiryService } from '../../support/expiry-service.ts';

test('the message of a 400 names what is wrong', async (t) => {
	const { url, token } = await startExpiryService(t);
	const username = 'alice';
	for (const { path } of [
		endpoints.createSubUser,
		endpoints.viewSubUser,
		endpoints.viewUsage,
		endpoints.resetAuthKey,
	]) {
		for (const [body, words] of [
			[{}, 'username of the request body is missing'],
			[{ username: 5 }, 'username of the request body must be a string'],
			[{ username: null }, 'username of the request body must be a string'],
		] as const) {
			assert.match(await messageOf(path, { body }), new RegExp(words));
		}
	}
	for (const { path } of [endpoints.giveBalance, endpoints.takeBalance]) {
		for (const [body, words] of [
			[{ amount_usd_cents: 5 }, 'username of the request body is missing'],
			[{ username: [], amount_usd_cents: '5' }, 'username of the request body must be a string'],
			[{ username }, 'amount_usd_cents of the request body is missing'],
			[{ username, amount_usd_cents: '5' }, 'amount_usd_cents of the request body must be a number'],
			[{ username, amount_usd_cents: null }, 'amount_usd_cents of the request body must be a number'],
		] as const) {
			assert.match(await messageOf(path, { body }), new RegExp(words));
		}
	}
	for (const { path, method } of Object.values(allEndpoints)) {
		const asked = { method, ...(method === 'POST' && { body: { username, amount_usd_cents: 5 } }) };
		assert.match(await messageOf(path, { ...asked, ...expiring('soon') }), /^X-Request-Expires must be/);
		if (method === 'GET') continue;
		for (const body of ['', '{', '[]', '{"username":"alice","username":"bobby"}']) {
			assert.match(await messageOf(path, { body }), /must be a JSON object/);
		}
	}

	async function messageOf(path: string, options: Parameters<typeof call>[2]): Promise<string> {
		const answer = await call(url, path, { ...options, token });
		assertFailure(answer, 400, 'invalid_request');
		return answer.message;
	}
});

test('a change that is refused because it has expired says so', async (t) => {
	const { url, token } = await startExpiryService(t);
	for (const { path } of [
		endpoints.createSubUser,
		endpoints.giveBalance,
		endpoints.takeBalance,
		endpoints.resetAuthKey,
	]) {
		const answer = await call(url, path, { token, body: AMOUNT, ...expiring(1) });
		assertFailure(answer, 503, 'unavailable');
		const { message } = answer;
		assert.match(message, /X-Request-Expires is over/);
		assert.notEqual(message, errors.unavailable.message);
	}
});
