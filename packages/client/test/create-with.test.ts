import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
	ConnectionError,
	InsufficientBalanceError,
	InvalidRequestError,
	newChangeId,
	OutcomeUnknownError,
	UsernameTakenError,
} from '../src/index.ts';
import { serveReseller } from './support/client.ts';
import { rejectsWith } from './support/rejects-with.ts';
import type { Fate } from './support/unreliable-fetch.ts';

const ONE_FEE = { minCents: 10, maxCents: 10 };
const NO_FEE = { minCents: 0, maxCents: 0 };
const EXPIRES = new Date('2126-01-01T00:00:00Z');
const PACKAGE = { amountCents: 2_500, limits: { totalBytes: 10_000, expiresAt: EXPIRES }, note: 'order 7' };

describe('createWith', { concurrency: 3 }, () => {
	test('makes a sub-user that has all of it from the beginning', async (t) => {
		const { reliable } = await serveReseller(t);
		const { requestId, ...created } = await reliable.subUsers.createWith('Alice', PACKAGE, { reference: 'order-7' });
		const { username, limits, note } = await reliable.subUsers.retrieveDetails('alice');
		assert.deepEqual([limits.totalBytes, limits.expiresAt, note], [10_000, EXPIRES, 'order 7']);
		const subUser = await reliable.subUsers.retrieve(username);
		assert.equal(subUser.balanceCents, 2_500);
		assert.deepEqual(created, { subUser, limits, note, fee: ONE_FEE, confirmedBy: 'answer' });
		assert.match(requestId ?? '', /./);
		assert.equal((await reliable.account.retrieve()).balanceCents, 10_000 - 2_510);
		const { items } = await reliable.statement.list({ reference: 'order-7' }).page();
		assert.deepEqual(
			items.map(({ kind, amountCents }) => [kind, amountCents]),
			[['give', 2_500]],
		);
		const bare = await reliable.subUsers.createWith('bruno', {});
		assert.deepEqual([bare.subUser.balanceCents, bare.limits.totalBytes, bare.note], [0, null, '']);
	});

	test('a lost answer is settled by the id, and nothing is paid or given twice', async (t) => {
		const { reliable, unreliable } = await serveReseller(t);
		for (const [username, fates] of [
			['alice', ['answer_lost']],
			['bruno', ['never_arrives', 'answer_lost']],
			['chiara', ['arrives_late']],
		] as const) {
			const { client } = unreliable({ create_with: fates });
			const { subUser, note, limits, fee } = await client.subUsers.createWith(username, PACKAGE);
			assert.deepEqual([subUser, fee], [await reliable.subUsers.retrieve(username), ONE_FEE]);
			assert.deepEqual([subUser.balanceCents, note, limits.totalBytes], [2_500, 'order 7', 10_000]);
		}
		assert.equal((await reliable.account.retrieve()).balanceCents, 10_000 - 3 * 2_510);
	});

	test('the same call with the same id returns the outcome again; another amount is another change', async (t) => {
		const { service, reliable } = await serveReseller(t);
		await service.openReseller('rival', 0);
		const options = { changeId: newChangeId() };
		const created = await reliable.subUsers.createWith('alice', PACKAGE, options);
		const again = await reliable.subUsers.createWith('alice', PACKAGE, options);
		assert.deepEqual(again, { ...created, confirmedBy: 'look' });
		for (const other of [{ ...PACKAGE, amountCents: 1 }, {}]) {
			await rejectsWith(reliable.subUsers.createWith('alice', other, options), InvalidRequestError, (error) =>
				assert.deepEqual([error.code, error.fee], ['change_repeated', NO_FEE]),
			);
		}
		const taken = { changeId: newChangeId() };
		for (const _ of ['first', 'again']) {
			await rejectsWith(reliable.subUsers.createWith('rival', PACKAGE, taken), UsernameTakenError, ({ fee }) =>
				assert.deepEqual(fee, ONE_FEE),
			);
		}
		const recorded = await reliable.changes.retrieve(options.changeId);
		assert.deepEqual(
			[recorded?.operation, recorded?.amountCents, recorded?.balanceCents],
			['create_with', 2_500, 2_500],
		);
		assert.equal((await reliable.account.retrieve()).balanceCents, 10_000 - 2_510 - 10);
	});

	test('the errors say what was paid: a name that is yours already costs nothing', async (t) => {
		const { reliable, unreliable } = await serveReseller(t);
		await reliable.subUsers.createWith('alice', {});
		const { client, way } = unreliable({});
		await rejectsWith(client.subUsers.createWith('ALICE', PACKAGE), UsernameTakenError, ({ status, fee }) =>
			assert.deepEqual([status, fee], [undefined, NO_FEE]),
		);
		assert.deepEqual(way.asked, ['view_single']);
		for (const [terms, type] of [
			[{ amountCents: 9_990 }, InsufficientBalanceError],
			[{ note: 'two\nlines' }, InvalidRequestError],
			[{ limits: { allowedIps: ['300.1.1.1'] } }, InvalidRequestError],
		] as const) {
			const error = await client.subUsers.createWith('bruno', terms).catch((reason) => reason);
			assert.ok(error instanceof type, String(error));
			assert.deepEqual(error.fee, NO_FEE);
		}
		await assert.rejects(reliable.subUsers.retrieve('bruno'));
		assert.equal((await reliable.account.retrieve()).balanceCents, 9_990);
	});

	test('what is reported as not done never takes effect, and what cannot be known is unknown', async (t) => {
		const { reliable, unreliable } = await serveReseller(t);
		const held = unreliable({ create_with: Array<Fate>(20).fill('held') }, { totalTimeoutMs: 9_000 });
		await assert.rejects(held.client.subUsers.createWith('alice', PACKAGE), ConnectionError);
		for (const late of await held.way.allArrived()) assert.equal(late.status, 503);
		const view = Array<Fate>(20).fill('never_arrives');
		const { client } = unreliable({ create_with: ['answer_lost'], view }, { totalTimeoutMs: 1_500 });
		await rejectsWith(client.subUsers.createWith('bruno', PACKAGE), OutcomeUnknownError, ({ known, fee }) => {
			assert.deepEqual([known.operation, known.username, known.amountCents], ['create_with', 'bruno', 2_500]);
			assert.deepEqual(fee, { minCents: 0, maxCents: 10 });
		});
		assert.equal((await reliable.account.retrieve()).balanceCents, 10_000 - 2_510);
	});

	test('what is wrong for certain is not sent', async (t) => {
		const { unreliable } = await serveReseller(t);
		const { client, way } = unreliable({});
		for (const [username, terms] of [
			['a..b', {}],
			['alice', { amountCents: 0 }],
			['alice', { amountCents: 1.5 }],
			['alice', { limits: { totalBytes: Number.NaN } }],
		] as const) {
			await assert.rejects(client.subUsers.createWith(username, terms), InvalidRequestError);
		}
		for (const terms of [{ limit: {} }, { limits: { bytes: 5 } }, { note: 5 }, { limits: null }]) {
			await assert.rejects(client.subUsers.createWith('alice', terms as never), TypeError, JSON.stringify(terms));
		}
		assert.deepEqual(way.asked, []);
	});
});
