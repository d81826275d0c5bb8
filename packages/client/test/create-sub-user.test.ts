import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
	InsufficientBalanceError,
	InvalidRequestError,
	OutcomeUnknownError,
	UnexpectedAnswerError,
	UsernameTakenError,
} from '../src/index.ts';
import { serveReseller } from './support/client.ts';
import { rejectsWith } from './support/rejects-with.ts';
import { envelopeOf, type Fate } from './support/unreliable-fetch.ts';

const ONE_FEE = { minCents: 10, maxCents: 10 };
const NO_FEE = { minCents: 0, maxCents: 0 };

// What happens to a create whose answer is lost stands in changes.test.ts.

describe('a create', { concurrency: 3 }, () => {
	test('of a username that the reseller owns already costs nothing', async (t) => {
		const { reliable } = await serveReseller(t);
		const { subUser } = await reliable.subUsers.create('alice');
		const again = await reliable.subUsers.create('ALICE');
		const unpaid = { created: false, fee: NO_FEE, confirmedBy: 'look', requestId: undefined };
		assert.deepEqual(again, { subUser, ...unpaid });
		assert.equal((await reliable.account.retrieve()).balanceCents, 9_990);
	});

	test('of an invalid username is not sent, and costs nothing', async (t) => {
		const { unreliable } = await serveReseller(t);
		const { client, way } = unreliable({});
		for (const username of ['abc', 'a..b', '.abc', 'abc_', 'a'.repeat(33), '\u212aelvin', 'a b c', '']) {
			await rejectsWith(client.subUsers.create(username), InvalidRequestError, (error) =>
				assert.deepEqual([error.code, error.status], ['invalid_username', undefined]),
			);
		}
		assert.deepEqual(way.asked, []);
	});

	test("of another reseller's username is refused as taken, for one fee", async (t) => {
		const { service, reliable } = await serveReseller(t);
		await service.openReseller('rival', 0);
		await rejectsWith(reliable.subUsers.create('rival'), UsernameTakenError, (error) => {
			assert.equal(error.code, 'username_taken');
			assert.deepEqual(error.fee, ONE_FEE);
		});
		assert.equal((await reliable.account.retrieve()).balanceCents, 9_990);
	});

	test('of a reseller that cannot pay the fee pays nothing', async (t) => {
		const { reliable } = await serveReseller(t, 9);
		await rejectsWith(reliable.subUsers.create('alice'), InsufficientBalanceError, (error) =>
			assert.deepEqual(error.fee, NO_FEE),
		);
	});

	test('if looking fails too, the outcome and the fee are unknown', async (t) => {
		const { unreliable } = await serveReseller(t);
		const view = Array<Fate>(20).fill('never_arrives');
		const { client } = unreliable({ create: ['answer_lost'], view }, { totalTimeoutMs: 1_500 });
		await rejectsWith(client.subUsers.create('alice'), OutcomeUnknownError, (error) => {
			const { expires: _, changeId: __, ...known } = error.known;
			assert.deepEqual(known, { operation: 'create', username: 'alice' });
			assert.deepEqual(error.fee, { minCents: 0, maxCents: 10 });
		});
	});

	test('if looking fails after a 409, the error says that the username may be the own one', async (t) => {
		const { service, unreliable } = await serveReseller(t);
		await service.openReseller('rival', 0);
		const page = () => new Response('not here', { status: 404 });
		const { client } = unreliable({ view_single: ['passed', page] });
		await rejectsWith(client.subUsers.create('rival'), UsernameTakenError, (error) => {
			assert.ok(error.cause instanceof UnexpectedAnswerError);
			assert.deepEqual(error.fee, ONE_FEE);
		});
	});

	test('that is aborted before it can have paid rejects with the reason', async (t) => {
		const { unreliable } = await serveReseller(t);
		const { client } = unreliable({ create: [() => envelopeOf('unavailable', { 'Retry-After': '30' })] });
		const options = { signal: AbortSignal.timeout(200) };
		await assert.rejects(client.subUsers.create('alice', options), { name: 'TimeoutError' });
	});

	test('with a username that is not a string is a TypeError, like every call', async (t) => {
		const { reliable } = await serveReseller(t);
		for (const call of [
			() => reliable.subUsers.create(undefined as never),
			() => reliable.subUsers.retrieveUsage(5 as never),
			() => reliable.subUsers.give(null as never, 1),
		]) {
			await assert.rejects(call, /username must be a string/);
		}
	});
});
