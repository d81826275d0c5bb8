import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CHANGE_ID_HEADER, isChangeId } from '@bursar/contract/change-id';
import { REQUEST_EXPIRES_HEADER } from '@bursar/contract/expiry';
import {
	Bursar,
	ConnectionError,
	InsufficientBalanceError,
	InvalidRequestError,
	newChangeId,
	OutcomeUnknownError,
	UnexpectedAnswerError,
	UnknownSubUserError,
	UsernameTakenError,
} from '../src/index.ts';
import { type ServedReseller, serveAlice, serveReseller } from './support/client.ts';
import { rejectsWith } from './support/rejects-with.ts';
import { envelopeOf, type Fate, HONOURED } from './support/unreliable-fetch.ts';

const ONE_FEE = { minCents: 10, maxCents: 10 };
const NO_FEE = { minCents: 0, maxCents: 0 };
/** The service itself does not know what became of the change. */
const open: Fate = () => envelopeOf('outcome_unknown');
describe('a change whose answer is lost', { concurrency: 3 }, () => {
	test('a give that took effect is found, also while others move the balance', async (t) => {
		const { reliable, unreliable } = await serveAlice(t);
		const { client, way } = unreliable({ give_balance: ['answer_lost'], view: ['never_arrives'] });
		const giving = client.subUsers.give('alice', 250);
		await reliable.subUsers.give('alice', 1_000);
		await reliable.subUsers.take('alice', 750);
		const given = await giving;
		assert.ok(given.balanceCents === 250 || given.balanceCents === 500 || given.balanceCents === 1_250);
		assert.equal(given.confirmedBy, 'look');
		assert.equal((await reliable.subUsers.retrieve('alice')).balanceCents, 500);
		assert.deepEqual(way.asked, ['give_balance', 'view', 'view'], 'it looked again, before it would repeat the give');
	});

	test('the result is what the answer would have said', async (t) => {
		const { unreliable } = await serveAlice(t);
		const { client } = unreliable({ give_balance: ['answer_lost'], take_balance: ['answer_lost'] });
		const given = await client.subUsers.give('alice', 250);
		assert.deepEqual(
			{ ...given, requestId: '' },
			{ username: 'alice', balanceCents: 250, confirmedBy: 'look', requestId: '' },
		);
		assert.match(given.requestId ?? '', /./, 'the request that took effect');
		assert.equal((await client.subUsers.take('alice', 50)).balanceCents, 200);
	});

	test('a change that never arrived is sent again at once', async (t) => {
		const { reliable, unreliable } = await serveAlice(t);
		const { client, way } = unreliable({ give_balance: ['never_arrives', 'never_arrives'] });
		const given = await client.subUsers.give('alice', 250);
		assert.deepEqual([given.balanceCents, given.confirmedBy], [250, 'answer']);
		const asked = ['give_balance', 'view', 'give_balance', 'view', 'give_balance'];
		assert.deepEqual(way.asked, asked, 'it did not ask for the time, to wait for an expiry');
		assert.equal((await reliable.subUsers.retrieve('alice')).balanceCents, 250);
	});

	test('a request that arrives after its repeat does nothing', async (t) => {
		const { reliable, unreliable } = await serveAlice(t);
		const { client, way } = unreliable({ give_balance: ['held'], reset_auth_key: ['held'] });
		assert.equal((await client.subUsers.give('alice', 250)).balanceCents, 250);
		const { proxyAuthkey } = await client.subUsers.resetAuthKey('alice');
		const late = await way.allArrived();
		for (const answer of late) assert.ok([409, 503].includes(answer.status), String(answer.status));
		const alice = await reliable.subUsers.retrieve('alice');
		assert.deepEqual([alice.balanceCents, alice.proxyAuthkey], [250, proxyAuthkey]);
	});

	test('a change that is reported as not done never takes effect', async (t) => {
		const { reliable, unreliable } = await serveAlice(t);
		const held = Array<Fate>(20).fill('held');
		const { client, way } = unreliable({ give_balance: held, create: held }, { totalTimeoutMs: 9_000 });
		const lost = [client.subUsers.give('alice', 250), client.subUsers.create('bruno')];
		const rejected = lost.map((change, index) =>
			rejectsWith(change, ConnectionError, ({ fee }) => assert.deepEqual(fee, index === 1 ? NO_FEE : undefined)),
		);
		await Promise.all(rejected);
		for (const late of await way.allArrived()) assert.equal(late.status, 503);
		assert.equal((await reliable.subUsers.retrieve('alice')).balanceCents, 0);
		assert.equal((await reliable.account.retrieve()).balanceCents, 9_990);
	});

	test('a create is found with its exact fee, and never paid twice', async (t) => {
		const { reliable, unreliable } = await serveReseller(t);
		for (const [username, fates] of [
			['alice', ['answer_lost']],
			['bruno', ['never_arrives', 'answer_lost']],
			['chiara', ['never_arrives']],
		] as const) {
			const creation = await unreliable({ create: fates }).client.subUsers.create(username);
			assert.equal(creation.created, true);
			assert.deepEqual(creation.fee, ONE_FEE);
			assert.equal(creation.subUser.proxyAuthkey, (await reliable.subUsers.retrieve(username)).proxyAuthkey);
		}
		assert.equal((await reliable.account.retrieve()).balanceCents, 10_000 - 30);
	});

	test("a lost create of another reseller's username is refused for one fee, which is not paid again", async (t) => {
		const { service, reliable, unreliable } = await serveReseller(t);
		await service.openReseller('rival', 0);
		const { client } = unreliable({ create: ['answer_lost'] });
		await rejectsWith(client.subUsers.create('rival'), UsernameTakenError, (error) => {
			assert.deepEqual([error.code, error.status, error.fee], ['username_taken', 409, ONE_FEE]);
			assert.ok(error.requestId);
		});
		assert.equal((await reliable.account.retrieve()).balanceCents, 9_990);
	});

	test('a sub-user that another process creates meanwhile is found', async (t) => {
		const { reliable, unreliable } = await serveReseller(t);
		const { client } = unreliable({
			view_single: [
				async () => {
					await reliable.subUsers.create('alice');
					return envelopeOf('unknown_sub_user');
				},
			],
			create: ['arrives_late'],
		});
		const { created, fee } = await client.subUsers.create('alice');
		assert.deepEqual([created, fee], [false, ONE_FEE]);
	});

	test('a reset whose answer was lost returns the key that is valid now', async (t) => {
		const { reliable, unreliable } = await serveReseller(t);
		const { subUser } = await reliable.subUsers.create('alice');
		const { client } = unreliable({ reset_auth_key: ['answer_lost'] });
		const { proxyAuthkey, confirmedBy } = await client.subUsers.resetAuthKey('alice');
		assert.notEqual(proxyAuthkey, subUser.proxyAuthkey);
		assert.deepEqual([proxyAuthkey, confirmedBy], [(await reliable.subUsers.retrieve('alice')).proxyAuthkey, 'look']);
	});

	test('a refusal after a lost answer counts only once the lost request can no longer arrive', async (t) => {
		const { unreliable } = await serveAlice(t, 100);
		const { client, way } = unreliable({ give_balance: ['held'] });
		const giving = client.subUsers.give('alice', 95);
		await assert.rejects(giving, InsufficientBalanceError);
		for (const late of await way.allArrived()) assert.notEqual(late.status, 200);
		assert.ok(way.asked.filter((endpoint) => endpoint === 'view').length >= 2);
		const unknown = unreliable({ give_balance: ['answer_lost'] }).client.subUsers.give('nobody', 5);
		await assert.rejects(unknown, UnknownSubUserError);
	});

	test('after outcome_unknown, the client sends the change again, and never believes that it is absent', async (t) => {
		const { reliable, unreliable } = await serveAlice(t);
		const repeated = unreliable({ give_balance: [open] });
		assert.equal((await repeated.client.subUsers.give('alice', 250)).balanceCents, 250);
		const once = unreliable({ give_balance: [open] }, { maxAttempts: 1 });
		await rejectsWith(once.client.subUsers.give('alice', 5), OutcomeUnknownError, (error) =>
			assert.equal(error.known.mayHappenLater, true),
		);
		assert.equal((await reliable.subUsers.retrieve('alice')).balanceCents, 250);
	});

	test('outcome_unknown is not forgotten, whatever the other answers say', async (t) => {
		const { unreliable } = await serveAlice(t);
		const repeated: Fate = () => envelopeOf('change_repeated');
		const rest = Array<Fate>(20).fill('never_arrives');
		const calls = [
			[open, repeated, ...rest],
			[repeated, open, ...rest],
		].map((fates) => {
			const { client } = unreliable({ give_balance: fates }, { totalTimeoutMs: 7_000 });
			return rejectsWith(client.subUsers.give('alice', 5), OutcomeUnknownError, ({ known }) =>
				assert.equal(known.mayHappenLater, true),
			);
		});
		await Promise.all(calls);
	});

	test('the looks go on until the time is over, whatever maxAttempts says', async (t) => {
		const { unreliable } = await serveAlice(t);
		const view = Array<Fate>(6).fill('never_arrives');
		const { client } = unreliable({ give_balance: ['answer_lost'], view }, { maxAttempts: 1 });
		assert.equal((await client.subUsers.give('alice', 250)).confirmedBy, 'look');
	});

	test('an aborted change is unknown, and settle finds its outcome by its id', async (t) => {
		const { reliable, unreliable } = await serveAlice(t);
		for (const [fate, outcome] of [
			['answer_lost', 'done'],
			['never_arrives', 'not_done'],
		] as const) {
			const controller = new AbortController();
			const abort: Fate = () => {
				controller.abort(new Error('no longer wanted'));
				throw new TypeError('fetch failed');
			};
			const { client } = unreliable({ take_balance: [fate], view: [abort] });
			await reliable.subUsers.give('alice', 100);
			const error = await client.subUsers.take('alice', 60, { signal: controller.signal }).catch((reason) => reason);
			assert.ok(error instanceof OutcomeUnknownError, String(error));
			assert.ok(isChangeId(error.known.changeId ?? ''));
			await reliable.subUsers.give('alice', 60);
			const known = JSON.parse(JSON.stringify(error)).known;
			const settled = await unreliable({}).client.changes.settle(known);
			assert.equal(settled?.amountCents, outcome === 'done' ? 60 : undefined);
			const longAgo = { ...known, expires: known.expires - 48 * 3_600 };
			const late = unreliable({}).client.changes.settle(longAgo);
			if (outcome === 'done') assert.equal((await late)?.amountCents, 60);
			else await assert.rejects(late, OutcomeUnknownError);
		}
	});

	test('a change that another process sent can be settled by its id alone, for certain', async (t) => {
		const { reliable, unreliable } = await serveAlice(t);
		const held = unreliable({ give_balance: ['held'], view: ['never_arrives'] }, { totalTimeoutMs: 50 });
		const changeId = newChangeId();
		await assert.rejects(held.client.subUsers.give('alice', 250, { changeId }), OutcomeUnknownError);
		const known = { changeId };
		const { client } = unreliable({});
		assert.equal(await client.changes.settle(known), undefined);
		for (const late of await held.way.allArrived()) assert.equal(late.status, 503);
		assert.equal((await reliable.subUsers.retrieve('alice')).balanceCents, 0);
		await rejectsWith(client.changes.settle(known, { totalTimeoutMs: 500 }), OutcomeUnknownError, (error) =>
			assert.match(
				error.message,
				new RegExp(`^whether the change ${changeId} took effect is not known.*no time to wait`),
			),
		);
		await assert.rejects(client.changes.settle({ ...known, mayHappenLater: true }), OutcomeUnknownError);
	});

	test('settle refuses a value that no error of the client can hold, before it sends anything', async () => {
		const client = new Bursar({ baseUrl: 'https://example.com', token: 'brs_test', fetch: () => assert.fail() });
		const known = { operation: 'give', username: 'alice', changeId: newChangeId() } as const;
		for (const wrong of [
			{ ...known, operation: 5 },
			{ ...known, changeId: undefined },
			{ ...known, expires: 1.5 },
			{ ...known, username: 5 },
			{ ...known, mayHappenLater: 'no' },
		]) {
			await assert.rejects(client.changes.settle(wrong as never), TypeError);
		}
	});
});

describe('an answer that may belong to another request', { concurrency: 3 }, () => {
	/** A client whose `fetch` changes the headers of answers to gives. */
	const withHeaders = ({ service, token }: ServedReseller, change: (headers: Headers) => void) => {
		const changing: typeof fetch = async (input, init) => {
			const response = await fetch(input, init);
			const changed = new Response(response.body, response);
			if (String(input).endsWith('give_balance')) change(changed.headers);
			return changed;
		};
		return new Bursar({ baseUrl: service.url, token, fetch: changing, timeoutMs: 2_000, afterExpiryMs: 1_000 });
	};

	test('counts as lost if it repeats another id or expiry', async (t) => {
		const served = await serveAlice(t);
		for (const [name, value] of [
			[CHANGE_ID_HEADER, newChangeId()],
			[REQUEST_EXPIRES_HEADER, '1'],
		] as const) {
			const client = withHeaders(served, (headers) => headers.set(name, value));
			assert.equal((await client.subUsers.give('alice', 5)).confirmedBy, 'look');
			await assert.rejects(client.subUsers.give('alice', 1_000_000, { totalTimeoutMs: 7_000 }), UnexpectedAnswerError);
		}
		assert.equal((await served.reliable.subUsers.retrieve('alice')).balanceCents, 10);
	});

	test('a 409 without its code may be the change that an earlier request with its id did', async (t) => {
		const served = await serveAlice(t);
		const client = withHeaders(served, (headers) => headers.delete('X-Error-Code'));
		const changeId = newChangeId();
		await client.subUsers.give('alice', 5, { changeId });
		assert.equal((await client.subUsers.give('alice', 5, { changeId })).balanceCents, 5);
	});
});

describe('the id of a change', { concurrency: 3 }, () => {
	test('a call that is repeated with its id returns the outcome of the first', async (t) => {
		const { service, reliable, unreliable } = await serveReseller(t);
		await service.openReseller('rival', 0);
		const { client } = unreliable({});
		const twice = async <Result>(call: (options: { changeId: string }) => Promise<Result>) => {
			const changeId = newChangeId();
			const options = { changeId };
			return [
				await call(options).catch((error) => error),
				await call(options).catch((error) => error),
				changeId,
			] as const;
		};
		const [created, createdAgain] = await twice((options) => client.subUsers.create('alice', options));
		assert.deepEqual(createdAgain, { ...created, confirmedBy: 'look' });
		const [given, givenAgain, changeId] = await twice((options) => client.subUsers.give('alice', 250, options));
		assert.deepEqual(givenAgain, { ...given, confirmedBy: 'look' });
		const [reset, resetAgain] = await twice((options) => client.subUsers.resetAuthKey('alice', options));
		assert.deepEqual(resetAgain, { ...reset, confirmedBy: 'look' });
		const [taken, takenAgain] = await twice((options) => client.subUsers.create('rival', options));
		for (const error of [taken, takenAgain]) {
			assert.ok(error instanceof UsernameTakenError);
			assert.deepEqual(error.fee, ONE_FEE);
		}
		assert.equal((await reliable.account.retrieve()).balanceCents, 10_000 - 250 - 20);
		await assert.rejects(client.subUsers.give('alice', 251, { changeId }), InvalidRequestError);
		assert.equal((await reliable.subUsers.retrieve('alice')).balanceCents, 250);
	});

	test('the answer to a repeat tells what the change did, so the client does not look for it', async (t) => {
		const { unreliable } = await serveAlice(t);
		const changeId = newChangeId();
		const { client, way } = unreliable({ take_balance: [() => envelopeOf('change_repeated')] });
		await client.subUsers.give('alice', 250, { changeId });
		assert.equal((await client.subUsers.give('alice', 250, { changeId })).confirmedBy, 'look');
		await assert.rejects(client.subUsers.give('alice', 251, { changeId }), InvalidRequestError);
		assert.deepEqual(way.asked, ['give_balance', 'give_balance', 'give_balance']);
		// This answer does not tell it.
		await assert.rejects(client.subUsers.take('alice', 250, { changeId }), InvalidRequestError);
		assert.deepEqual(way.asked.slice(3), ['take_balance', 'view']);
	});

	test('retrieve tells what a change did, and never a key', async (t) => {
		const { unreliable } = await serveReseller(t);
		const { client } = unreliable({});
		const changeId = newChangeId();
		assert.equal(await client.changes.retrieve(changeId), undefined);
		const { requestId } = await client.subUsers.create('alice', { changeId });
		const change = await client.changes.retrieve(changeId);
		assert.ok(change && Math.abs(change.doneAt.getTime() - Date.now()) < 60_000);
		assert.deepEqual(
			{ ...change, doneAt: undefined },
			{
				changeId,
				operation: 'create',
				username: 'alice',
				amountCents: 10,
				balanceCents: 0,
				error: undefined,
				doneAt: undefined,
				requestId,
			},
		);
		await assert.rejects(client.changes.retrieve('too short'), TypeError);
		await assert.rejects(client.subUsers.give('alice', 5, { changeId: 'too short' }), TypeError);
	});

	test('ids are new for each change, and begin with the time', async (t) => {
		const { service, token } = await serveReseller(t);
		const ids: string[] = [];
		const fetch: typeof globalThis.fetch = (input, init) => {
			if (String(input).endsWith('give_balance')) ids.push(new Headers(init?.headers).get(CHANGE_ID_HEADER) as string);
			return globalThis.fetch(input, init);
		};
		const client = new Bursar({ baseUrl: service.url, token, fetch });
		await client.subUsers.create('alice');
		await client.subUsers.give('alice', 5);
		await new Promise((resolve) => setTimeout(resolve, 5));
		await client.subUsers.give('alice', 5);
		assert.ok(ids.every(isChangeId) && ids.length === 2, String(ids));
		assert.ok((ids[0] as string) < (ids[1] as string));
	});

	test('a look that answers something else counts as failed', async (t) => {
		const { unreliable } = await serveReseller(t);
		const changeId = 'x'.repeat(16);
		const good = {
			change_id: changeId,
			kind: 'give_balance',
			username: 'alice',
			amount: 5,
			balance: 5,
			error: null,
			timestamp: '2026-11-21T00:00:00.000Z',
			request_id: 'req',
		};
		const answer = (data: unknown) => () =>
			Response.json({ status: 200, message: '', timestamp: 1, data }, { headers: HONOURED });
		assert.ok(await unreliable({ view: [answer(good)] }).client.changes.retrieve(changeId));
		for (const wrong of [
			{ ...good, change_id: 'y'.repeat(16) },
			{ ...good, kind: 'gift' },
			{ ...good, username: 5 },
			{ ...good, amount: -1 },
			{ ...good, balance: '5' },
			{ ...good, error: 'nonsense' },
			{ ...good, timestamp: 'today' },
			{ ...good, request_id: null },
			[],
		]) {
			const { client } = unreliable({ view: [answer(wrong)] }, { maxAttempts: 1 });
			await assert.rejects(client.changes.retrieve(changeId), UnexpectedAnswerError, JSON.stringify(wrong));
		}
	});
});
