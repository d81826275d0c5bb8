import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { freePort } from '@bursar/testing/free-port';
import {
	Bursar,
	type ClientEvent,
	ConnectionError,
	InsufficientBalanceError,
	InvalidRequestError,
	OutcomeUnknownError,
	UnavailableError,
	UnknownSubUserError,
} from '../src/index.ts';
import { serveAlice, serveReseller } from './support/client.ts';
import { rejectsWith } from './support/rejects-with.ts';
import { envelopeOf, type Fate } from './support/unreliable-fetch.ts';

describe('a transfer', { concurrency: 3 }, () => {
	test('that the service could not take is sent again after Retry-After, until the time is over', async (t) => {
		const { unreliable } = await serveAlice(t);
		const shed: Fate = () => envelopeOf('unavailable', { 'Retry-After': '0' });
		const { client, way } = unreliable({ give_balance: Array(4).fill(shed) }, { maxAttempts: 1 });
		assert.equal((await client.subUsers.give('alice', 250)).balanceCents, 250);
		assert.deepEqual(way.asked, Array(5).fill('give_balance'));

		const busy = unreliable({ give_balance: [() => envelopeOf('unavailable', { 'Retry-After': '3600' })] });
		const options = { totalTimeoutMs: 5_000 };
		await assert.rejects(busy.client.subUsers.give('alice', 250, options), UnavailableError);
		assert.deepEqual(busy.way.asked, ['give_balance'], 'the call has no time for the longest wait');
	});

	test('that never reached the service is sent again until the time is over', async (t) => {
		const { service, token } = await serveAlice(t);
		const closed = await freePort();
		let isDown = true;
		const attempts: string[] = [];
		const toDown: typeof fetch = (input, init) => {
			const url = isDown ? `http://127.0.0.1:${closed}` : service.url;
			return fetch(String(input).replace(service.url, url), init);
		};
		const onEvent = (event: ClientEvent) => {
			if (event.kind !== 'failure') return;
			attempts.push(event.message);
			if (attempts.length === 4) isDown = false;
		};
		const client = new Bursar({ baseUrl: service.url, token, fetch: toDown, maxAttempts: 1, onEvent });
		assert.equal((await client.subUsers.give('alice', 250)).balanceCents, 250);
		isDown = true;
		await assert.rejects(client.subUsers.give('alice', 250, { totalTimeoutMs: 700 }), ConnectionError);
	});

	test('whose answer may come from something else is looked for before it is repeated', async (t) => {
		const { reliable, unreliable } = await serveAlice(t);
		const data = { username: 'bruno', balance: 5 };
		const answers: Fate[] = [
			() => new Response('<h1>503 Service Unavailable</h1>', { status: 503, headers: { 'Retry-After': '0' } }),
			() => new Response(null, { status: 503 }),
			() => new Response('{"error":"try again"}', { status: 503, headers: { 'X-Error-Code': 'unavailable' } }),
			() => envelopeOf('outcome_unknown'),
			() => new Response('blocked', { status: 403 }),
			() => new Response('{"status":200,"message":"","timestamp":1,"data":{}}', { status: 200 }),
			() => new Response(null, { status: 302, headers: { Location: '/elsewhere' } }),
			// About another account.
			() => Response.json({ status: 200, message: '', timestamp: 1, data }),
		];
		for (const answer of answers) {
			const { client, way } = unreliable({ give_balance: [answer] });
			await client.subUsers.give('alice', 1);
			assert.deepEqual(way.asked, ['give_balance', 'view', 'give_balance']);
		}
		assert.equal((await reliable.subUsers.retrieve('alice')).balanceCents, answers.length);
	});

	test('is repeated only if there is time to judge it again', async (t) => {
		const { unreliable } = await serveAlice(t);
		const { client, way } = unreliable({ give_balance: Array<Fate>(9).fill('never_arrives') });
		const options = { timeoutMs: 1_000, totalTimeoutMs: 5_000 };
		await assert.rejects(client.subUsers.give('alice', 250, options), ConnectionError);
		assert.ok(way.asked.filter((endpoint) => endpoint === 'give_balance').length < 5);
	});

	test('does not take an answer that a proxy repeats for its own', async (t) => {
		const { service, token, reliable } = await serveAlice(t);
		await reliable.subUsers.create('bruno');
		let previous: { readonly text: string; readonly init: ResponseInit } | undefined;
		let isRepeated = false;
		const repeating: typeof fetch = async (input, init) => {
			if (isRepeated && previous) {
				isRepeated = false;
				return new Response(previous.text, previous.init);
			}
			const response = await fetch(input, init);
			const { status, headers } = response;
			previous = { text: await response.text(), init: { status, headers } };
			return new Response(previous.text, previous.init);
		};
		const client = new Bursar({ baseUrl: service.url, token, fetch: repeating });
		await client.subUsers.give('alice', 5);
		isRepeated = true;
		assert.equal((await client.subUsers.give('alice', 5)).balanceCents, 10);
	});

	test('that is refused moves nothing and is not repeated', async (t) => {
		const { unreliable } = await serveAlice(t);
		const { client, way } = unreliable({});
		await assert.rejects(client.subUsers.give('alice', 1_000_000), InsufficientBalanceError);
		await assert.rejects(client.subUsers.take('alice', 1), InsufficientBalanceError);
		await assert.rejects(client.subUsers.give('nobody', 1), UnknownSubUserError);
		assert.deepEqual(way.asked, ['give_balance', 'take_balance', 'give_balance']);
	});

	test('of an invalid amount is not sent', async (t) => {
		const { unreliable } = await serveReseller(t);
		const { client, way } = unreliable({});
		for (const amount of [0, -1, 0.5, Number.NaN, 2 ** 53, '5' as never]) {
			await rejectsWith(client.subUsers.give('alice', amount), InvalidRequestError, (error) =>
				assert.deepEqual([error.code, error.status], ['invalid_amount', undefined]),
			);
		}
		assert.deepEqual(way.asked, []);
	});

	test('that is aborted is unknown if it was sent, and otherwise only aborted', async (t) => {
		const { unreliable } = await serveAlice(t);
		const controller = new AbortController();
		const reason = new Error('no longer wanted');
		const { client, way } = unreliable({
			give_balance: [
				() => {
					controller.abort(reason);
					throw reason;
				},
			],
		});
		const options = { signal: controller.signal };
		await rejectsWith(client.subUsers.give('alice', 250, options), OutcomeUnknownError, (error) =>
			assert.equal(error.cause, reason),
		);
		await assert.rejects(client.subUsers.give('alice', 250, options), (error) => error === reason);
		assert.deepEqual(way.asked, ['give_balance']);
	});
});
