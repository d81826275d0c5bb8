import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CHANGE_ID_HEADER } from '@bursar/contract/change-id';
import { REQUEST_EXPIRES_HEADER } from '@bursar/contract/expiry';
import { Bursar, newChangeId, OutcomeUnknownError, UnexpectedAnswerError } from '../src/index.ts';
import { Service } from '../src/protocol/service.ts';
import { serveAlice } from './support/client.ts';
import { rejectsWith } from './support/rejects-with.ts';
import { type Fate, unreliableFetch, withoutHeaders } from './support/unreliable-fetch.ts';

const MARKS = [CHANGE_ID_HEADER, REQUEST_EXPIRES_HEADER];

describe('if the service does not honour ids and expiries, or a proxy removes them', { concurrency: 3 }, () => {
	for (const name of MARKS) {
		for (const fate of ['answer_lost', 'never_arrives'] as const) {
			test(`without ${name}, the first change whose answer is lost is never sent again: ${fate}`, async (t) => {
				const { service, token, reliable } = await serveAlice(t);
				const way = unreliableFetch({ give_balance: [fate] }, withoutHeaders(fetch, [name]));
				const client = new Bursar({ baseUrl: service.url, token, fetch: way.fetch });
				if (fate === 'answer_lost' && name === REQUEST_EXPIRES_HEADER) {
					assert.equal((await client.subUsers.give('alice', 250)).confirmedBy, 'look', 'the id finds it');
				} else {
					await rejectsWith(client.subUsers.give('alice', 250), OutcomeUnknownError, (error) => {
						assert.match(error.message, /X-Change-Id and X-Request-Expires/);
						assert.equal(error.known.operation, 'give');
					});
				}
				assert.deepEqual(way.asked, ['give_balance', 'view']);
				await assert.rejects(client.changes.retrieve(newChangeId()), UnexpectedAnswerError, 'absence proves nothing');
				const { balanceCents } = await reliable.subUsers.retrieve('alice');
				assert.equal(balanceCents, fate === 'answer_lost' ? 250 : 0);
			});
		}
	}

	test('a service without the endpoint that shows changes is not sent a change again', async (t) => {
		const { service, token } = await serveAlice(t);
		const bare = { status: 404, message: 'no such endpoint', timestamp: 1, data: null };
		const noEndpoint: Fate = () => Response.json(bare, { status: 404 });
		const fates = { give_balance: ['never_arrives' as const], view: [noEndpoint] };
		const way = unreliableFetch(fates, withoutHeaders(fetch, MARKS));
		const client = new Bursar({ baseUrl: service.url, token, fetch: way.fetch });
		await assert.rejects(client.subUsers.give('alice', 250), OutcomeUnknownError);
		assert.deepEqual(way.asked, ['give_balance', 'view']);
	});

	test('a proxy that changes the expiry does not make the client believe that a change is absent', async (t) => {
		const { service, token, reliable } = await serveAlice(t);
		const changing: typeof fetch = (input, init) => {
			const headers = new Headers(init?.headers);
			if (headers.has(REQUEST_EXPIRES_HEADER)) headers.set(REQUEST_EXPIRES_HEADER, '999999999999');
			return fetch(input, { ...init, headers });
		};
		const way = unreliableFetch({ give_balance: ['held'] }, changing);
		const options = { timeoutMs: 1_000, totalTimeoutMs: 10_000, afterExpiryMs: 0 };
		const client = new Bursar({ baseUrl: service.url, token, fetch: way.fetch, ...options });
		await assert.rejects(client.subUsers.give('alice', 250), OutcomeUnknownError);
		await way.allArrived();
		assert.equal((await reliable.subUsers.retrieve('alice')).balanceCents, 250, 'it did happen, late');
	});
});

test('a machine whose clock is wrong makes changes all the same', async (t) => {
	const { service, token, reliable } = await serveAlice(t);
	const { now } = Date;
	t.after(() => {
		Date.now = now;
	});
	for (const offMs of [-3_600_000, 3_600_000]) {
		Date.now = () => now() + offMs;
		const client = new Bursar({ baseUrl: service.url, token });
		const given = client.subUsers.give('alice', 5);
		await given;
	}
	Date.now = now;
	assert.equal((await reliable.subUsers.retrieve('alice')).balanceCents, 10);
});

test('the client does not believe the clock of a service that stands still or was set back', async (t) => {
	const { service, token } = await serveAlice(t);
	const startedAt = Math.floor(Date.now() / 1000);
	for (const hourAgo of [0, 3_600]) {
		const way = unreliableFetch({ give_balance: Array<Fate>(20).fill('held') });
		let requests = 0;
		const setBack: typeof fetch = async (input, init) => {
			const response = await way.fetch(input, init);
			const envelope = (await response.json()) as object;
			const timestamp = startedAt - (requests++ > 0 ? hourAgo : 0);
			return Response.json({ ...envelope, timestamp }, response);
		};
		const client = new Bursar({
			baseUrl: service.url,
			token,
			fetch: setBack,
			timeoutMs: 1_000,
			totalTimeoutMs: 5_000,
			afterExpiryMs: 0,
		});
		await assert.rejects(client.subUsers.give('alice', 250), OutcomeUnknownError);
	}
});

/** A service whose time is known from an answer that took this long. */
function serviceAfter(tookMs: number, timestamp: number): Service {
	const service = new Service();
	service.note({ timestamp, sentAtMs: performance.now() - tookMs, isHonoured: true });
	return service;
}

test('an expiry does not grow with the time that the last answer took', () => {
	const quick = serviceAfter(0, 1_000).expiryIn(5_000);
	const slow = serviceAfter(9_500, 1_000).expiryIn(5_000);
	assert.ok(quick >= 1_006 && slow >= 1_006);
	assert.ok(slow <= 1_007, `${slow}`);
});

test('by the latest expiry, requests of another client have expired too, whatever time each client knows', () => {
	for (const otherTookMs of [0, 9_500]) {
		for (const tookMs of [0, 9_500]) {
			// The service answered both clients at 1,000.999. The answer to this one was on its way for `tookMs`.
			const sent = serviceAfter(otherTookMs, 1_000).expiryIn(5_000);
			const latest = serviceAfter(tookMs, 1_000).latestExpiryIn(5_000);
			assert.ok(latest >= sent, `${latest} < ${sent}`);
		}
	}
	// The second of the other client was nearly over when it sent; ours has just begun.
	const sent = serviceAfter(0, 1_001).expiryIn(4_999);
	const latest = serviceAfter(0, 1_000).latestExpiryIn(5_000);
	assert.ok(latest >= sent);
});

test('a service that missed one id or expiry is never again believed to honour them', () => {
	const service = new Service();
	assert.equal(service.isHonoured, undefined);
	const note = (isHonoured: boolean | undefined) => service.note({ timestamp: 1, sentAtMs: 0, isHonoured });
	note(undefined);
	assert.equal(service.isHonoured, undefined);
	note(true);
	note(undefined);
	assert.equal(service.isHonoured, true);
	note(false);
	note(true);
	assert.equal(service.isHonoured, false);
});
