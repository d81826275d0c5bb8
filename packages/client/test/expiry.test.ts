import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { REQUEST_EXPIRES_HEADER } from '@bursar/contract/expiry';
import { BursarClient, ConnectionError, OutcomeUnknownError } from '../src/index.ts';
import { ServiceClock } from '../src/service-clock.ts';
import { serveAlice, serveReseller } from './support/client.ts';
import { rejectsWith } from './support/rejects-with.ts';
import { unreliableFetch, withoutChangeIds, withoutExpiry } from './support/unreliable-fetch.ts';

const SOLE = { soleWriter: true };

describe('a request that arrives after its client stopped waiting for it', { concurrency: true }, () => {
	test('a give is repeated once, and the late request moves nothing', async (t) => {
		const { reliable, expiring } = await serveAlice(t);
		const { client, way } = expiring({ give_balance: ['held'] }, SOLE);
		const given = await client.giveBalance('alice', 250);
		assert.deepEqual([given.balanceCents, given.confirmedBy], [250, 'answer']);
		const [late] = await way.allArrived();
		assert.equal(late?.status, 503);
		assert.equal((await reliable.viewSubUser('alice')).balanceCents, 250);
	});

	test('a take that was reported as not done stays not done', async (t) => {
		const { reliable, expiring } = await serveAlice(t);
		await reliable.giveBalance('alice', 500);
		const { client, way } = expiring({ take_balance: ['held'] }, { ...SOLE, maxAttempts: 1 });
		await assert.rejects(client.takeBalance('alice', 200), ConnectionError);
		await way.allArrived();
		assert.equal((await reliable.viewSubUser('alice')).balanceCents, 500);
	});

	test('a create that was reported as not done creates no sub-user, and costs nothing', async (t) => {
		const { reliable, expiring } = await serveReseller(t);
		const { client, way } = expiring({ create: ['held'] });
		await assert.rejects(client.createSubUser('alice'), ConnectionError);
		await way.allArrived();
		assert.deepEqual(await reliable.viewAllSubUsers(), []);
		assert.equal((await reliable.myInfo()).balanceCents, 10_000);
	});

	test('a reset does not replace the key that its repeat returned', async (t) => {
		const { reliable, expiring } = await serveAlice(t);
		const { client, way } = expiring({ reset_auth_key: ['held'] }, SOLE);
		const { proxyAuthkey } = await client.resetAuthKey('alice');
		await way.allArrived();
		assert.equal((await reliable.viewSubUser('alice')).proxyAuthkey, proxyAuthkey);
	});

	test('a late give without soleWriter does not disturb the next give, which is judged', async (t) => {
		const { reliable, expiring } = await serveAlice(t);
		const { client, way } = expiring({ give_balance: ['held', 'answer_lost'] });
		await assert.rejects(client.giveBalance('alice', 250), OutcomeUnknownError);
		const given = await client.giveBalance('alice', 250, SOLE);
		assert.deepEqual([given.balanceCents, given.confirmedBy], [250, 'look']);
		await way.allArrived();
		assert.equal((await reliable.viewSubUser('alice')).balanceCents, 250);
	});
});

describe('a service that does not honour expiry', { concurrency: true }, () => {
	const strips = {
		'a proxy removes the header': (headers: Headers) => headers.delete(REQUEST_EXPIRES_HEADER),
		'a proxy changes the header': (headers: Headers) => headers.set(REQUEST_EXPIRES_HEADER, '999999999999'),
	};
	for (const [what, change] of Object.entries(strips)) {
		test(`the client does not believe that a change is absent before settleMs: ${what}`, async (t) => {
			const { service, token, reliable } = await serveAlice(t);
			const changing: typeof fetch = (input, init) => {
				const headers = new Headers(init?.headers);
				if (headers.has(REQUEST_EXPIRES_HEADER)) change(headers);
				return fetch(input, { ...init, headers });
			};
			const way = unreliableFetch({ give_balance: ['held'] }, withoutChangeIds(changing));
			const client = new BursarClient({
				baseUrl: service.url,
				token,
				fetch: way.fetch,
				soleWriter: true,
				timeoutMs: 1_000,
				totalTimeoutMs: 10_000,
				afterExpiryMs: 0,
			});
			await assert.rejects(client.giveBalance('alice', 250), OutcomeUnknownError);
			await way.allArrived();
			assert.equal((await reliable.viewSubUser('alice')).balanceCents, 250, 'it did happen, late');
		});
	}

	test('by default, a lost answer ends in OutcomeUnknownError', async (t) => {
		const { service, token } = await serveAlice(t);
		const way = unreliableFetch({ give_balance: ['never_arrives'] }, withoutExpiry(fetch));
		const client = new BursarClient({ baseUrl: service.url, token, fetch: way.fetch, soleWriter: true });
		await rejectsWith(client.giveBalance('alice', 250), OutcomeUnknownError, (error) =>
			assert.match(error.message, /no time to wait/),
		);
	});
});

test('the client does not believe the clock of a service that stands still or was set back', async (t) => {
	const { service, token } = await serveAlice(t);
	const startedAt = Math.floor(Date.now() / 1000);
	for (const hourAgo of [0, 3_600]) {
		const way = unreliableFetch({ give_balance: ['held'] }, withoutChangeIds(fetch));
		let requests = 0;
		const setBack: typeof fetch = async (input, init) => {
			const response = await way.fetch(input, init);
			const envelope = (await response.json()) as object;
			const timestamp = startedAt - (requests++ > 0 ? hourAgo : 0);
			return Response.json({ ...envelope, timestamp }, response);
		};
		const client = new BursarClient({
			baseUrl: service.url,
			token,
			fetch: setBack,
			soleWriter: true,
			timeoutMs: 1_000,
			totalTimeoutMs: 5_000,
			afterExpiryMs: 0,
		});
		await assert.rejects(client.giveBalance('alice', 250), OutcomeUnknownError);
	}
});

/** A clock that learnt its time from an answer that took this long. */
function clockAfter(tookMs: number, timestamp: number): ServiceClock {
	const clock = new ServiceClock();
	clock.note({ timestamp, sentAtMs: performance.now() - tookMs, isHonoured: true });
	return clock;
}

test('an expiry does not grow with the time that the last answer took', () => {
	const quick = clockAfter(0, 1_000).expiryIn(5_000) as number;
	const slow = clockAfter(9_500, 1_000).expiryIn(5_000) as number;
	assert.ok(quick >= 1_006 && slow >= 1_006);
	assert.ok(slow <= 1_007, `${slow}`);
});

test('by the latest expiry, requests of another client have expired too, whatever time each client knows', () => {
	for (const otherTookMs of [0, 9_500]) {
		for (const tookMs of [0, 9_500]) {
			// The service answered both clients at 1,000.999. The answer to this one was on its way for `tookMs`.
			const sent = clockAfter(otherTookMs, 1_000).expiryIn(5_000) as number;
			const latest = clockAfter(tookMs, 1_000).latestExpiryIn(5_000) as number;
			assert.ok(latest >= sent, `${latest} < ${sent}`);
		}
	}
	// The second of the other client was nearly over when it sent; ours has just begun.
	const sent = clockAfter(0, 1_001).expiryIn(4_999) as number;
	const latest = clockAfter(0, 1_000).latestExpiryIn(5_000) as number;
	assert.ok(latest >= sent);
});

test('a service that missed one expiry is never again believed to honour it', () => {
	const clock = new ServiceClock();
	assert.equal(clock.isHonoured, undefined);
	const note = (isHonoured: boolean | undefined) => clock.note({ timestamp: 1, sentAtMs: 0, isHonoured });
	note(undefined);
	assert.equal(clock.isHonoured, undefined);
	note(true);
	note(undefined);
	assert.equal(clock.isHonoured, true);
	note(false);
	note(true);
	assert.equal(clock.isHonoured, false);
});
