import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
	BursarClient,
	ConnectionError,
	InsufficientBalanceError,
	InvalidRequestError,
	OutcomeUnknownError,
	UnavailableError,
	UnknownSubUserError,
} from '../src/index.ts';
import { serveAlice, serveReseller } from './support/client.ts';
import { rejectsWith } from './support/rejects-with.ts';
import { envelopeOf, type Fate, withoutChangeIds, withoutExpiry } from './support/unreliable-fetch.ts';

const SOLE = { soleWriter: true };
const BY_LOOK = { confirmedBy: 'look', requestId: undefined };

/** The service makes the change, and then answers `outcome_unknown`. */
const doneButUnknown = withoutExpiry(async (input, init) => {
	const response = await fetch(input, init);
	const isChange = /create|give_balance|reset_auth_key/.test(String(input));
	return isChange ? envelopeOf('outcome_unknown') : response;
});

describe('a change whose answer is lost or wrong', { concurrency: 3 }, () => {
	test('the sole writer learns that a give took effect although its answer was lost', async (t) => {
		const { reliable, unreliable } = await serveAlice(t);
		const { client, way } = unreliable({ give_balance: ['answer_lost'] });
		const given = await client.giveBalance('alice', 250, SOLE);
		assert.deepEqual(given, { username: 'alice', balanceCents: 250, ...BY_LOOK });
		assert.deepEqual(way.asked, ['my_info', 'view_single', 'give_balance', 'view_single']);
		assert.equal((await reliable.viewSubUser('alice')).balanceCents, 250);
	});

	test('the sole writer repeats a give only when the lost request can no longer arrive', async (t) => {
		const { reliable, unreliable } = await serveAlice(t);
		const { client, way } = unreliable({ give_balance: ['never_arrives', 'answer_lost'] });
		const startedAt = performance.now();
		await client.giveBalance('alice', 250, SOLE);
		assert.ok(performance.now() - startedAt >= 400, 'it waited');
		assert.equal(way.asked.filter((endpoint) => endpoint === 'give_balance').length, 2);
		assert.equal((await reliable.viewSubUser('alice')).balanceCents, 250);
	});

	test('a give that arrives after the first look is not given again', async (t) => {
		const { reliable, unreliable } = await serveAlice(t);
		const { client, way } = unreliable({ give_balance: ['arrives_late'] });
		const given = await client.giveBalance('alice', 250, SOLE);
		await way.allArrived();
		assert.equal(given.confirmedBy, 'look');
		assert.equal(way.asked.filter((endpoint) => endpoint === 'give_balance').length, 1);
		assert.equal((await reliable.viewSubUser('alice')).balanceCents, 250);
	});

	test('a take is judged the same way', async (t) => {
		const { reliable, unreliable } = await serveAlice(t);
		await reliable.giveBalance('alice', 500);
		const { client } = unreliable({ take_balance: ['never_arrives', 'arrives_late'] });
		const taken = await client.takeBalance('alice', 200, SOLE);
		assert.deepEqual(taken, { username: 'alice', balanceCents: 300, ...BY_LOOK });
	});

	test('a change that never arrives at any attempt is reported as not done', async (t) => {
		const { reliable, unreliable } = await serveAlice(t);
		const { client } = unreliable({ give_balance: ['never_arrives', 'never_arrives'] });
		await assert.rejects(client.giveBalance('alice', 250, { ...SOLE, maxAttempts: 2 }), ConnectionError);
		assert.equal((await reliable.viewSubUser('alice')).balanceCents, 0);
	});

	test('a balance that fits neither done nor not done ends as unknown', async (t) => {
		const { reliable, unreliable } = await serveAlice(t);
		const { client, way } = unreliable({ give_balance: ['arrives_late'] });
		const giving = client.giveBalance('alice', 250, SOLE);
		while (!way.asked.includes('give_balance')) await new Promise((resolve) => setTimeout(resolve, 1));
		await reliable.giveBalance('alice', 1);
		await rejectsWith(giving, OutcomeUnknownError, (error) => {
			const { balanceAfterCents, balanceBeforeCents, isDisturbed } = error.known;
			assert.deepEqual([balanceBeforeCents, isDisturbed], [0, true]);
			assert.ok(balanceAfterCents === 1 || balanceAfterCents === 251);
		});
		await way.allArrived();
		assert.equal((await reliable.viewSubUser('alice')).balanceCents, 251);
	});

	test('without soleWriter, a lost answer ends as unknown, and the change is not repeated', async (t) => {
		const { unreliable } = await serveAlice(t);
		for (const fate of ['never_arrives', 'answer_lost'] as const) {
			const { client, way } = unreliable({ give_balance: [fate] });
			await rejectsWith(client.giveBalance('alice', 250), OutcomeUnknownError, (error) => {
				assert.equal(error.known.balanceAfterCents, fate === 'answer_lost' ? 250 : 0);
				assert.ok(error.cause instanceof ConnectionError);
			});
			assert.deepEqual(way.asked, ['my_info', 'give_balance', 'view_single']);
		}
	});

	test('a give to a sub-user that does not exist is refused, even if the answer was lost', async (t) => {
		const { unreliable } = await serveReseller(t);
		const { client } = unreliable({ give_balance: ['answer_lost'] });
		await assert.rejects(client.giveBalance('nobody', 250), UnknownSubUserError);
	});

	test('the next change of the sole writer waits until the previous lost one has settled', async (t) => {
		const { reliable, unreliable } = await serveAlice(t);
		const { client } = unreliable({
			give_balance: ['arrives_late', 'never_arrives'],
			view_single: ['passed', 'never_arrives'],
		});
		await assert.rejects(client.giveBalance('alice', 250, { ...SOLE, maxAttempts: 1 }), OutcomeUnknownError);
		// Both move the same amount. If the second call looked before the late give arrived, it would take it for its own.
		await assert.rejects(client.giveBalance('alice', 250, { ...SOLE, maxAttempts: 1 }), ConnectionError);
		assert.equal((await reliable.viewSubUser('alice')).balanceCents, 250);
	});

	test('changes of one sub-user take turns, so that each is judged correctly', async (t) => {
		const { reliable, unreliable } = await serveAlice(t);
		const { client } = unreliable({ give_balance: ['arrives_late', 'answer_lost', 'passed', 'never_arrives'] }, SOLE);
		const gives = await Promise.all([1, 2, 4, 8, 16].map((cents) => client.giveBalance('Alice', cents)));
		assert.deepEqual(
			gives.map(({ balanceCents }) => balanceCents),
			[1, 3, 7, 15, 31],
		);
		assert.equal((await reliable.viewSubUser('alice')).balanceCents, 31);
	});

	test('a change that the service did not do is repeated after Retry-After, also without soleWriter', async (t) => {
		const { unreliable } = await serveAlice(t);
		const shed: Fate = () => envelopeOf('unavailable', { 'Retry-After': '0' });
		const { client, way } = unreliable({ give_balance: [shed, shed] });
		assert.equal((await client.giveBalance('alice', 250)).balanceCents, 250);
		assert.deepEqual(way.asked, ['my_info', 'give_balance', 'give_balance', 'give_balance']);

		const busy = unreliable({ give_balance: [() => envelopeOf('unavailable', { 'Retry-After': '3600' })] });
		await assert.rejects(busy.client.giveBalance('alice', 250), UnavailableError);
		assert.deepEqual(busy.way.asked, ['my_info', 'give_balance'], 'the call does not have an hour');
	});

	test('any other 503 is a lost answer, also one with Retry-After', async (t) => {
		const { unreliable } = await serveAlice(t);
		const answers: Fate[] = [
			() => new Response('<h1>503 Service Unavailable</h1>', { status: 503, headers: { 'Retry-After': '0' } }),
			() => new Response(null, { status: 503 }),
			() => new Response('{"error":"try again"}', { status: 503, headers: { 'X-Error-Code': 'unavailable' } }),
			() => envelopeOf('outcome_unknown'),
			() => new Response('blocked', { status: 403 }),
			() => new Response('{"status":200,"message":"","timestamp":1,"data":{}}', { status: 200 }),
			() => new Response(null, { status: 302, headers: { Location: '/elsewhere' } }),
		];
		for (const answer of answers) {
			const { client, way } = unreliable({ give_balance: [answer] });
			await assert.rejects(client.giveBalance('alice', 250), OutcomeUnknownError);
			assert.deepEqual(way.asked, ['my_info', 'give_balance', 'view_single'], 'it was not repeated');
		}
		const { client } = unreliable({ give_balance: answers.slice(0, 2) });
		assert.equal((await client.giveBalance('alice', 250, SOLE)).balanceCents, 250);
	});

	test('after outcome_unknown, the client never believes that the change is absent', async (t) => {
		const { reliable, unreliable } = await serveAlice(t);
		const open: Fate = () => envelopeOf('outcome_unknown');
		const { client, way } = unreliable({ give_balance: [open], take_balance: ['answer_lost'] }, SOLE);
		await assert.rejects(client.giveBalance('alice', 250), OutcomeUnknownError);
		assert.equal(way.asked.filter((endpoint) => endpoint === 'give_balance').length, 1);

		// The change may take effect at any time from now on, so no balance proves anything.
		await reliable.giveBalance('alice', 100);
		await assert.rejects(client.takeBalance('alice', 50), OutcomeUnknownError);
		assert.equal((await client.giveBalance('alice', 1)).confirmedBy, 'answer', 'answers still are');
		await assert.rejects(unreliable({ create: [open] }).client.createSubUser('carla'), OutcomeUnknownError);
		await assert.rejects(
			unreliable({ reset_auth_key: [open] }).client.resetAuthKey('alice', SOLE),
			OutcomeUnknownError,
		);
	});

	test('after outcome_unknown, a change that the client sees is done', async (t) => {
		const { unreliable } = await serveAlice(t);
		const { client } = unreliable({}, { ...SOLE, fetch: doneButUnknown });
		assert.deepEqual(await client.giveBalance('alice', 250), {
			username: 'alice',
			balanceCents: 250,
			...BY_LOOK,
		});
		assert.equal((await client.createSubUser('carla')).confirmedBy, 'look');
		assert.equal((await client.resetAuthKey('alice')).confirmedBy, 'look');
	});

	test('calls of one client for one sub-user take turns, whether they are judged or not', async (t) => {
		const { unreliable } = await serveAlice(t);
		const { client } = unreliable({ give_balance: ['never_arrives'] });
		const judged = client.giveBalance('alice', 250, { ...SOLE, maxAttempts: 1 });
		// Both move the same amount: at the same time, one could be taken for the other.
		const unjudged = client.giveBalance('alice', 250);
		await assert.rejects(judged, ConnectionError);
		assert.equal((await unjudged).balanceCents, 250);
	});

	test('a give is unknown if its sub-user is created while the request is on its way', async (t) => {
		const { reliable, unreliable } = await serveReseller(t);
		const { promise: created, resolve } = Promise.withResolvers<void>();
		const { client, way } = unreliable({ give_balance: ['held'], view_single: ['passed', created] });
		const outcome = assert.rejects(client.giveBalance('alice', 250), OutcomeUnknownError);
		while (!way.asked.includes('view_single')) await new Promise((resolve) => setTimeout(resolve, 1));
		await reliable.createSubUser('alice');
		resolve();
		await way.allArrived();
		await outcome;
		assert.equal((await reliable.viewSubUser('alice')).balanceCents, 250);
	});

	test('a call waits for its turn no longer than its total time-out', async (t) => {
		const { unreliable } = await serveAlice(t);
		const silent: typeof fetch = (input, init) =>
			String(input).endsWith('give_balance') ? new Promise(() => {}) : fetch(input, init);
		const { client } = unreliable({}, { ...SOLE, fetch: silent });
		let isFirstAtWork = true;
		const first = client.giveBalance('alice', 1, { timeoutMs: 2_000, maxAttempts: 1 }).catch(() => {
			isFirstAtWork = false;
		});
		await assert.rejects(client.takeBalance('alice', 1, { totalTimeoutMs: 50 }), ConnectionError);
		assert.ok(isFirstAtWork);
		await first;
	});

	test('a change that was not done is repeated only if there is time to judge it again', async (t) => {
		const { unreliable } = await serveAlice(t);
		const { client, way } = unreliable({ give_balance: ['never_arrives', 'never_arrives'] }, SOLE);
		const options = { timeoutMs: 1_000, totalTimeoutMs: 1_700 };
		await assert.rejects(client.giveBalance('alice', 250, options), ConnectionError);
		assert.equal(way.asked.filter((endpoint) => endpoint === 'give_balance').length, 1);
	});

	test('for the sole writer, an answer that contradicts the balance before it ends as unknown', async (t) => {
		const { reliable, unreliable } = await serveAlice(t);
		await reliable.giveBalance('alice', 1_000);
		const answer: Fate = () =>
			Response.json({ status: 200, message: '', timestamp: 1, data: { username: 'alice', balance: 1_999 } });
		for (const endpoint of ['give_balance', 'take_balance']) {
			const { client } = unreliable({ [endpoint]: [answer] }, SOLE);
			const moved = endpoint === 'give_balance' ? client.giveBalance('alice', 5) : client.takeBalance('alice', 5);
			await rejectsWith(moved, OutcomeUnknownError, (error) =>
				assert.deepEqual([error.known.balanceBeforeCents, error.known.balanceAfterCents], [1_000, 1_999]),
			);
		}
		const { client } = unreliable({ give_balance: [answer] });
		assert.equal((await client.giveBalance('alice', 5)).balanceCents, 1_999, 'others may move it too');
	});

	test('if a proxy repeats an answer, the client does not take it for the answer to the next request', async (t) => {
		const { service, token } = await serveAlice(t);
		let previous: { readonly text: string; readonly init: ResponseInit } | undefined;
		const repeating: typeof fetch = async (input, init) => {
			if (previous && /give_balance|create$/.test(String(input))) return new Response(previous.text, previous.init);
			const response = await fetch(input, init);
			const { status, headers } = response;
			previous = { text: await response.text(), init: { status, headers } };
			return new Response(previous.text, previous.init);
		};
		const client = () =>
			new BursarClient({ baseUrl: service.url, token, fetch: withoutChangeIds(repeating), maxAttempts: 1 });
		previous = undefined;
		const warmed = client();
		await warmed.viewSubUser('alice');
		await assert.rejects(warmed.giveBalance('alice', 5), OutcomeUnknownError);
		await assert.rejects(client().createSubUser('bruno'), (error) => !(error instanceof UnknownSubUserError));
	});

	test('an answer about another account counts as lost', async (t) => {
		const { unreliable } = await serveAlice(t);
		const data = { username: 'bruno', balance: 5 };
		const other: Fate = () => Response.json({ status: 200, message: '', timestamp: 1, data });
		const { client } = unreliable({ give_balance: [other] });
		await assert.rejects(client.giveBalance('alice', 5), OutcomeUnknownError);
	});

	test('a refusal moves nothing and is not repeated', async (t) => {
		const { unreliable } = await serveAlice(t);
		const { client, way } = unreliable({});
		await assert.rejects(client.giveBalance('alice', 1_000_000, SOLE), InsufficientBalanceError);
		await assert.rejects(client.takeBalance('alice', 1), InsufficientBalanceError);
		await assert.rejects(client.giveBalance('nobody', 1, SOLE), UnknownSubUserError);
		assert.deepEqual(way.asked, ['my_info', 'view_single', 'give_balance', 'take_balance', 'view_single']);
	});

	test('an invalid amount is not sent', async (t) => {
		const { unreliable } = await serveReseller(t);
		const { client, way } = unreliable({});
		for (const amount of [0, -1, 0.5, Number.NaN, 2 ** 53, '5' as never]) {
			await rejectsWith(client.giveBalance('alice', amount), InvalidRequestError, (error) =>
				assert.deepEqual([error.code, error.status], ['invalid_amount', undefined]),
			);
		}
		assert.deepEqual(way.asked, []);
	});

	test('if the service cannot be reached, a change is reported as not done, also without soleWriter', async (t) => {
		const { service, reliable } = await serveAlice(t);
		await service.stop();
		const startedAt = performance.now();
		await assert.rejects(reliable.giveBalance('alice', 250, { maxAttempts: 2 }), ConnectionError);
		assert.ok(performance.now() - startedAt < 5_000);
	});

	test('an aborted change is unknown if it was sent, and otherwise only aborted', async (t) => {
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
		await rejectsWith(
			client.giveBalance('alice', 250, { ...SOLE, signal: controller.signal }),
			OutcomeUnknownError,
			(error) => assert.equal(error.cause, reason),
		);
		await assert.rejects(client.giveBalance('alice', 250, { signal: controller.signal }), (error) => error === reason);
		assert.deepEqual(way.asked, ['my_info', 'view_single', 'give_balance']);
	});
});
