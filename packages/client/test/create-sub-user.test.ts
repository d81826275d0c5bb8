import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
	type ClientEvent,
	ConnectionError,
	InsufficientBalanceError,
	InvalidRequestError,
	OutcomeUnknownError,
	UnexpectedAnswerError,
	UsernameTakenError,
} from '../src/index.ts';
import { serveReseller } from './support/client.ts';
import { rejectsWith } from './support/rejects-with.ts';
import { envelopeOf } from './support/unreliable-fetch.ts';

describe('a create whose answer is lost or wrong', { concurrency: 3 }, () => {
	test('a username that the reseller owns already costs nothing', async (t) => {
		const { reliable } = await serveReseller(t);
		const first = await reliable.createSubUser('alice');
		const again = await reliable.createSubUser('ALICE');
		assert.deepEqual(again, {
			subUser: first.subUser,
			created: false,
			fee: { minCents: 0, maxCents: 0 },
			confirmedBy: 'look',
			requestId: undefined,
		});
		assert.equal((await reliable.myInfo()).balanceCents, 9_990);
	});

	test('two calls for one username at the same time pay one fee', async (t) => {
		const { reliable } = await serveReseller(t);
		const both = await Promise.all([reliable.createSubUser('alice'), reliable.createSubUser('Alice')]);
		assert.deepEqual(
			both.map(({ created }) => created),
			[true, false],
		);
		assert.equal((await reliable.myInfo()).balanceCents, 9_990);
	});

	test('an invalid username is not sent, and costs nothing', async (t) => {
		const { reliable, unreliable } = await serveReseller(t);
		const { client, way } = unreliable({});
		for (const username of ['abc', 'a..b', '.abc', 'abc_', 'a'.repeat(33), '\u212aelvin', 'a b c', '']) {
			await rejectsWith(client.createSubUser(username), InvalidRequestError, (error) =>
				assert.deepEqual([error.code, error.status], ['invalid_username', undefined]),
			);
		}
		assert.deepEqual(way.asked, []);
		assert.equal((await reliable.myInfo()).balanceCents, 10_000);
	});

	test('the client finds a create whose answer was lost, and pays once', async (t) => {
		const { reliable, unreliable } = await serveReseller(t);
		const { client, way } = unreliable({ create: ['answer_lost'] });
		const creation = await client.createSubUser('alice', { maxFeeCents: 100 });
		assert.deepEqual([creation.created, creation.confirmedBy], [true, 'look']);
		assert.deepEqual(creation.fee, { minCents: 0, maxCents: 10 }, 'another process could have made it');
		assert.deepEqual(way.asked, ['my_info', 'view_single', 'create', 'view_single']);
		assert.equal((await reliable.myInfo()).balanceCents, 9_990);
	});

	test('the sole writer knows the fee of a create that it finds by looking', async (t) => {
		const { unreliable } = await serveReseller(t);
		const { client } = unreliable({ create: ['arrives_late'] }, { soleWriter: true });
		assert.deepEqual((await client.createSubUser('alice')).fee, { minCents: 10, maxCents: 10 });
	});

	test('a create that never arrived is not repeated unless maxFeeCents allows a second fee', async (t) => {
		const { reliable, unreliable } = await serveReseller(t);
		const { client, way } = unreliable({ create: ['never_arrives'] });
		await rejectsWith(client.createSubUser('alice'), ConnectionError, (error) =>
			assert.deepEqual(error.fee, { minCents: 0, maxCents: 10 }),
		);
		assert.deepEqual(way.asked, ['my_info', 'view_single', 'create', 'view_single', 'view_single']);
		assert.equal((await reliable.myInfo()).balanceCents, 10_000);
	});

	test('if maxFeeCents allows a second fee, the create is repeated, and reports what it may have paid', async (t) => {
		const { reliable, unreliable } = await serveReseller(t);
		const { client } = unreliable({ create: ['never_arrives', 'never_arrives'] });
		const creation = await client.createSubUser('alice', { maxFeeCents: 30 });
		assert.deepEqual(creation.fee, { minCents: 10, maxCents: 30 });
		assert.equal((await reliable.myInfo()).balanceCents, 9_990);
	});

	test("another reseller's username is refused as taken, for one fee", async (t) => {
		const { service, reliable } = await serveReseller(t);
		await service.openReseller('rival', 0);
		await rejectsWith(reliable.createSubUser('rival', { maxFeeCents: 100 }), UsernameTakenError, (error) => {
			assert.equal(error.code, 'username_taken');
			assert.deepEqual(error.fee, { minCents: 10, maxCents: 10 });
		});
		assert.equal((await reliable.myInfo()).balanceCents, 9_990);
	});

	test("a lost create of another reseller's username is refused with the fees of both requests", async (t) => {
		const { service, unreliable } = await serveReseller(t);
		await service.openReseller('rival', 0);
		const { client } = unreliable({ create: ['answer_lost'] });
		await rejectsWith(client.createSubUser('rival', { maxFeeCents: 20 }), UsernameTakenError, (error) =>
			assert.deepEqual(error.fee, { minCents: 10, maxCents: 20 }),
		);
	});

	test('the client finds a sub-user that another process of the reseller creates meanwhile', async (t) => {
		const { reliable, unreliable } = await serveReseller(t);
		const { client } = unreliable({
			create: [
				() => {
					throw new TypeError('never reached');
				},
			],
			view_single: [() => Response.json({ status: 404, message: 'x', timestamp: 1, data: null }, { status: 404 })],
		});
		await reliable.createSubUser('alice');
		const creation = await client.createSubUser('alice');
		assert.equal(creation.subUser.username, 'alice');
		assert.deepEqual(creation.fee, { minCents: 0, maxCents: 10 });
	});

	test('a reseller that cannot pay the fee pays nothing', async (t) => {
		const { unreliable } = await serveReseller(t, 9);
		const { client } = unreliable({});
		await rejectsWith(client.createSubUser('alice'), InsufficientBalanceError, (error) =>
			assert.deepEqual(error.fee, { minCents: 0, maxCents: 0 }),
		);
	});

	test('if looking fails too, the outcome and the fee are unknown', async (t) => {
		const { unreliable } = await serveReseller(t);
		const { client } = unreliable({ create: ['answer_lost'], view_single: ['passed', 'never_arrives'] });
		await rejectsWith(client.createSubUser('alice', { maxAttempts: 1 }), OutcomeUnknownError, (error) => {
			const { expires: _, ...known } = error.known;
			assert.deepEqual(known, { operation: 'create', username: 'alice' });
			assert.deepEqual(error.fee, { minCents: 0, maxCents: 10 });
		});
	});

	test('a create that is aborted while it waits reports what it may have paid', async (t) => {
		const { unreliable } = await serveReseller(t);
		// So long that it surely still waits when it is aborted.
		const { client } = unreliable({ create: ['never_arrives'] }, { settleMs: 20_000 });
		const controller = new AbortController();
		const { signal } = controller;
		const onEvent = ({ kind }: ClientEvent) => {
			if (kind === 'wait') queueMicrotask(() => controller.abort(new Error('enough')));
		};
		await rejectsWith(
			client.createSubUser('alice', { maxFeeCents: 30, signal, onEvent }),
			OutcomeUnknownError,
			(error) => {
				assert.deepEqual(error.fee, { minCents: 0, maxCents: 10 });
				assert.equal(error.cause, signal.reason);
			},
		);
	});

	test('if looking fails after a 409, the error says that the username may be the own one', async (t) => {
		const { service, unreliable } = await serveReseller(t);
		await service.openReseller('rival', 0);
		const page = () => new Response('not here', { status: 404 });
		const { client } = unreliable({ view_single: ['passed', page] });
		await rejectsWith(client.createSubUser('rival'), UsernameTakenError, (error) => {
			assert.ok(error.cause instanceof UnexpectedAnswerError);
			assert.deepEqual(error.fee, { minCents: 10, maxCents: 10 });
		});
	});

	test('a call that is aborted before it can have paid rejects with the reason', async (t) => {
		const { unreliable } = await serveReseller(t);
		const { client } = unreliable({ create: [() => envelopeOf('unavailable', { 'Retry-After': '30' })] });
		await assert.rejects(client.createSubUser('alice', { signal: AbortSignal.timeout(200) }), { name: 'TimeoutError' });
	});

	test('a username that is not a string is a TypeError', async (t) => {
		const { reliable } = await serveReseller(t);
		for (const call of [
			() => reliable.createSubUser(undefined as never),
			() => reliable.viewUsage(5 as never),
			() => reliable.giveBalance(null as never, 1),
		]) {
			await assert.rejects(call, /username must be a string/);
		}
	});

	test('maxFeeCents below one fee is refused', async (t) => {
		const { reliable } = await serveReseller(t);
		await assert.rejects(reliable.createSubUser('alice', { maxFeeCents: 9 }), TypeError);
	});

	test('a create that is aborted just as it begins to wait reports what it may have paid', async (t) => {
		const { unreliable } = await serveReseller(t);
		const { client } = unreliable({ create: ['never_arrives'] });
		const controller = new AbortController();
		let looks = 0;
		const onEvent = (event: ClientEvent) => {
			if (event.kind === 'failure' && event.operation === 'viewSubUser') looks++;
			// The looks: before the create, at once after it, and after it has settled. Then comes the wait before the repeat.
			if (event.kind === 'wait' && looks === 3) controller.abort(new Error('enough'));
		};
		const creating = client.createSubUser('alice', { maxFeeCents: 20, signal: controller.signal, onEvent });
		await rejectsWith(creating, ConnectionError, (error) => assert.deepEqual(error.fee, { minCents: 0, maxCents: 10 }));
	});

	test('after outcome_unknown, a create is not paid for again just because the sub-user is absent', async (t) => {
		const { unreliable } = await serveReseller(t);
		const { client, way } = unreliable({ create: [() => envelopeOf('outcome_unknown')] });
		await assert.rejects(client.createSubUser('alice'), OutcomeUnknownError);
		await assert.rejects(client.createSubUser('alice'), OutcomeUnknownError);
		assert.equal(way.asked.filter((endpoint) => endpoint === 'create').length, 1);
	});
});
