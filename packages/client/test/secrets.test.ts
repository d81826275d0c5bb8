import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Bursar, type BursarError } from '../src/index.ts';
import { serveReseller } from './support/client.ts';
import { envelopeOf, type Fate } from './support/unreliable-fetch.ts';

/** All texts that a log could make of a value. */
function writtenOut(value: unknown): string {
	const { stack, cause } = value as Error;
	return [
		inspect(value, { depth: 20, showHidden: true }),
		JSON.stringify(value),
		String(value),
		stack,
		String(cause),
	].join('\n');
}

test('no error holds the token, whatever failed, even if an answer repeats the token', async (t) => {
	const { service, token, unreliable } = await serveReseller(t);
	const leaking = Object.assign(new Error(`request with Bearer ${token} failed`), {
		request: { headers: { authorization: `Bearer ${token}` } },
	});
	const answers: Fate[] = [
		'never_arrives',
		() => {
			throw leaking;
		},
		() => {
			throw new TypeError('fetch failed', { cause: leaking });
		},
		() => envelopeOf('unauthorized', { 'X-Request-Id': token }),
		() => Response.json({ status: 401, message: `bad ${token}`, timestamp: 1, data: null }, { status: 401 }),
		() => new Response(`you sent ${token}`, { status: 500 }),
	];
	for (const answer of answers) {
		const { client } = unreliable(
			{ my_info: Array(20).fill(answer), give_balance: Array(20).fill(answer) },
			{ maxAttempts: 1, totalTimeoutMs: 300 },
		);
		for (const call of [
			() => client.account.retrieve(),
			() => client.subUsers.give('alice', 1),
			() => client.subUsers.retrieve('nobody'),
		]) {
			const error = await call().then(
				() => assert.fail('it should have failed'),
				(reason: BursarError) => reason,
			);
			assert.ok(!writtenOut(error).includes(token), `${error.name} shows the token`);
		}
	}
	const wrong = new Bursar({ baseUrl: service.url, token: `${token}x` });
	await assert.rejects(wrong.account.retrieve(), (error) => !writtenOut(error).includes(token));
});

test('the client object does not show the token', async (t) => {
	const { token, reliable } = await serveReseller(t);
	assert.ok(!writtenOut(reliable).includes(token));
	assert.ok(!JSON.stringify(Object.entries(reliable)).includes(token));
});
