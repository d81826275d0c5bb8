import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withBank } from '@bursar/testing/service';
import {
	AddressTakenError,
	type Bursar,
	ConnectionError,
	InvalidRequestError,
	newChangeId,
	OutcomeUnknownError,
	SignInByAddressOffError,
	SuspendedError,
	UnknownSubUserError,
} from '../src/index.ts';
import { type ServedReseller, serveAlice, serveReseller } from './support/client.ts';
import { envelopeOf, type Fate } from './support/unreliable-fetch.ts';

const NO_LIMITS = {
	dayBytes: null,
	monthBytes: null,
	totalBytes: null,
	connections: null,
	bytesPerSecond: null,
	allowedIps: null,
	expiresAt: null,
};

/** A reseller whose sub-user alice has 250 cents, and 9,740 left. */
async function serveRichAlice(...[t, balanceCents]: Parameters<typeof serveReseller>): Promise<ServedReseller> {
	const served = await serveAlice(t, balanceCents);
	await served.reliable.subUsers.give('alice', 250);
	return served;
}

const stateOf = async (client: Bursar) => (await client.subUsers.retrieveDetails('alice')).state;

describe('deleting a sub-user', { concurrency: 3 }, () => {
	test('the rest comes back, and the sub-user is gone', async (t) => {
		const { reliable } = await serveRichAlice(t);
		const { requestId, ...deleted } = await reliable.subUsers.delete('ALICE');
		assert.deepEqual(deleted, { username: 'alice', returnedCents: 250, confirmedBy: 'answer' });
		assert.match(requestId ?? '', /./);
		assert.equal((await reliable.account.retrieve()).balanceCents, 9_990);
		await assert.rejects(reliable.subUsers.delete('alice'), UnknownSubUserError);
		await assert.rejects(reliable.subUsers.retrieveDetails('alice'), UnknownSubUserError);
	});

	test('a lost answer is settled by the id of the change, with what went back', async (t) => {
		const { reliable, unreliable } = await serveRichAlice(t);
		const { client, way } = unreliable({ delete: ['answer_lost'] });
		const deleted = await client.subUsers.delete('alice');
		assert.deepEqual([deleted.returnedCents, deleted.confirmedBy], [250, 'look']);
		assert.deepEqual(way.asked, ['delete', 'view']);
		assert.equal((await reliable.account.retrieve()).balanceCents, 9_990);
	});

	test('a repeat that finds no such sub-user is no failure if the lost request deleted it', async (t) => {
		const { unreliable } = await serveRichAlice(t);
		// The looks fail as well, and the repeat is answered as the API answers for a name that is not there.
		const { client } = unreliable({
			delete: ['answer_lost', () => envelopeOf('unknown_sub_user')],
			view: ['never_arrives', 'never_arrives'],
		});
		assert.equal((await client.subUsers.delete('alice')).returnedCents, 250);
	});

	test('a sub-user that is not there stays an error, also after a lost answer', async (t) => {
		const { unreliable } = await serveReseller(t);
		const { client } = unreliable({ delete: ['answer_lost'] });
		await assert.rejects(client.subUsers.delete('nobody'), UnknownSubUserError);
	});

	test('the same call with the same id returns the outcome again', async (t) => {
		const { reliable } = await serveRichAlice(t);
		const changeId = newChangeId();
		await reliable.subUsers.delete('alice', { changeId });
		const again = await reliable.subUsers.delete('alice', { changeId });
		assert.deepEqual([again.returnedCents, again.confirmedBy], [250, 'look']);
		const recorded = await reliable.changes.retrieve(changeId);
		assert.deepEqual([recorded?.operation, recorded?.amountCents, recorded?.balanceCents], ['delete', 250, undefined]);
	});

	test('an unknown delete is settled later by its id', async (t) => {
		const { reliable, unreliable } = await serveRichAlice(t);
		const { client } = unreliable(
			{ delete: ['answer_lost'], view: Array(20).fill('never_arrives') },
			{ totalTimeoutMs: 1_500, maxAttempts: 1 },
		);
		const error = await client.subUsers.delete('alice').catch((reason: unknown) => reason);
		assert.ok(error instanceof OutcomeUnknownError, String(error));
		assert.equal(error.known.operation, 'delete');
		assert.equal((await reliable.changes.settle(JSON.parse(JSON.stringify(error.known))))?.operation, 'delete');
	});
});

describe('state, limits and note', { concurrency: 3 }, () => {
	test('are set, read, and stay as they are if they are set again', async (t) => {
		const { reliable } = await serveRichAlice(t);
		for (const _ of ['first', 'again']) {
			assert.equal((await reliable.subUsers.suspend('Alice')).state, 'suspended');
		}
		assert.equal((await reliable.subUsers.resume('alice')).state, 'active');
		const expiresAt = new Date('2020-01-01T00:00:00Z');
		const { limits } = await reliable.subUsers.setLimits('alice', {
			dayBytes: 5_000,
			bytesPerSecond: 8_000,
			allowedIps: ['192.0.2.77/24', '::1'],
			expiresAt,
		});
		const wanted = {
			...NO_LIMITS,
			dayBytes: 5_000,
			bytesPerSecond: 8_000,
			allowedIps: ['192.0.2.0/24', '::1'],
			expiresAt,
		};
		assert.deepEqual(limits, wanted);
		assert.equal((await reliable.subUsers.setNote('alice', 'pays by invoice')).note, 'pays by invoice');
		assert.deepEqual(await reliable.subUsers.retrieveDetails('alice'), {
			username: 'alice',
			state: 'expired',
			...{ isUsable: false, reason: 'expired' },
			limits: wanted,
			used: { dayBytes: 0, monthBytes: 0, totalBytes: 0, connections: undefined },
			signInIps: [],
			note: 'pays by invoice',
			lastSeen: undefined,
			lastRefusal: undefined,
			refusals: [],
		});
		const left = await reliable.subUsers.setLimits('alice', { allowedIps: null, expiresAt: null, connections: 3 });
		assert.deepEqual(left.limits, { ...NO_LIMITS, dayBytes: 5_000, bytesPerSecond: 8_000, connections: 3 });
		assert.equal((await reliable.subUsers.retrieveDetails('alice')).used.connections, 0);
		await assert.rejects(reliable.subUsers.setNote('alice', 'two\nlines'), InvalidRequestError);
		await assert.rejects(reliable.subUsers.setLimits('alice', { allowedIps: ['300.1.1.1'] }), InvalidRequestError);
		await assert.rejects(reliable.subUsers.suspend('nobody'), UnknownSubUserError);
	});

	test('addresses are set as a whole, and refused if an account has one, or the operator does not allow it', async (t) => {
		const { reliable, unreliable, service } = await serveRichAlice(t);
		const set = (...ips: readonly string[]) => reliable.subUsers.setSignInIps('Alice', ips);
		await assert.rejects(set('192.0.2.7'), SignInByAddressOffError);
		await service.submit({ kind: 'allow_sign_in_by_address', reseller: 'acme', isAllowed: true });
		const wanted = ['192.0.2.7', '2001:db8:0:7::/64'];
		assert.deepEqual((await set('2001:db8:0:7::1/64', '::ffff:192.0.2.7')).signInIps, wanted);
		assert.deepEqual((await reliable.subUsers.retrieveDetails('alice')).signInIps, wanted);
		await reliable.subUsers.create('bruno');
		await assert.rejects(reliable.subUsers.setSignInIps('bruno', ['2001:db8:0:7::9']), AddressTakenError);
		await assert.rejects(set('127.0.0.1'), InvalidRequestError);
		await assert.rejects(reliable.subUsers.setSignInIps('nobody', []), UnknownSubUserError);
		await assert.rejects(reliable.subUsers.setSignInIps('alice', '192.0.2.7' as never), TypeError);
		const { client, way } = unreliable({ set_sign_in_ips: ['answer_lost'] });
		const last = await client.subUsers.setSignInIps('alice', []);
		assert.deepEqual([last.signInIps, last.confirmedBy], [[], 'look']);
		assert.deepEqual(way.asked, ['set_sign_in_ips', 'view', 'view_details']);
	});

	test('a value that would become null in JSON, or a wrong name, never removes a limit', async (t) => {
		const { reliable, unreliable } = await serveRichAlice(t);
		await reliable.subUsers.setLimits('alice', { dayBytes: 5_000 });
		const { client, way } = unreliable({});
		for (const limits of [
			{ dayBytes: Number.NaN },
			{ dayBytes: 0 },
			{ dayBytes: 1.5 },
			{ dayBytes: '5' },
			{ connections: 1_000_001 },
			{ allowedIps: [] },
			{ allowedIps: '192.0.2.1' },
			{ expiresAt: new Date(Number.NaN) },
			{ expiresAt: '2026-12-31T00:00:00Z' },
			{ dayBytes: undefined },
			{},
		]) {
			const error = await client.subUsers.setLimits('alice', limits as never).catch((reason: unknown) => reason);
			assert.ok(error instanceof InvalidRequestError, JSON.stringify(limits));
			assert.equal(error.code, 'invalid_limits');
		}
		await assert.rejects(client.subUsers.setLimits('alice', { daybytes: 5, dayBytes: 6 } as never), TypeError);
		await assert.rejects(client.subUsers.setLimits('alice', null as never), TypeError);
		await assert.rejects(client.subUsers.setNote('alice', 5 as never), TypeError);
		assert.deepEqual(way.asked, []);
		assert.equal((await reliable.subUsers.retrieveDetails('alice')).limits.dayBytes, 5_000);
	});

	test('a lost answer is settled by the id, and shows what holds now', async (t) => {
		const { unreliable } = await serveRichAlice(t);
		const { client, way } = unreliable({
			suspend: ['answer_lost'],
			set_limits: ['answer_lost'],
			set_note: ['answer_lost'],
		});
		const suspended = await client.subUsers.suspend('alice');
		assert.deepEqual([suspended.state, suspended.confirmedBy], ['suspended', 'look']);
		assert.deepEqual((await client.subUsers.setLimits('alice', { connections: 5 })).limits, {
			...NO_LIMITS,
			connections: 5,
		});
		assert.equal((await client.subUsers.setNote('alice', 'late')).note, 'late');
		assert.deepEqual(way.asked, [
			...['suspend', 'view', 'view_details'],
			...['set_limits', 'view', 'view_details'],
			...['set_note', 'view', 'view_details'],
		]);
	});

	test('a suspend that arrives after its repeat and a resume suspends no sub-user', async (t) => {
		const { reliable, unreliable } = await serveRichAlice(t);
		const { client, way } = unreliable({ suspend: ['held'] });
		assert.equal((await client.subUsers.suspend('alice')).state, 'suspended');
		assert.equal((await client.subUsers.resume('alice')).state, 'active');
		for (const late of await way.allArrived()) assert.ok([409, 503].includes(late.status), String(late.status));
		assert.equal(await stateOf(reliable), 'active');
	});

	test('a late suspend does nothing after a resume, also if it had found the sub-user suspended', async (t) => {
		const { reliable, unreliable } = await serveRichAlice(t);
		await reliable.subUsers.suspend('alice');
		const { client, way } = unreliable({ suspend: ['held'] });
		assert.equal((await client.subUsers.suspend('alice')).confirmedBy, 'answer');
		assert.equal((await client.subUsers.resume('alice')).state, 'active');
		for (const late of await way.allArrived()) assert.ok([409, 503].includes(late.status), String(late.status));
		assert.equal(await stateOf(reliable), 'active');
	});

	test('one that is reported as not done never takes effect', async (t) => {
		const { reliable, unreliable } = await serveRichAlice(t);
		const { client, way } = unreliable({ suspend: Array<Fate>(20).fill('held') }, { totalTimeoutMs: 9_000 });
		await assert.rejects(client.subUsers.suspend('alice'), ConnectionError);
		for (const late of await way.allArrived()) assert.equal(late.status, 503);
		assert.equal(await stateOf(reliable), 'active');
	});

	test('the last refusal of a proxy is read, and how many there were', async (t) => {
		const { service, reliable } = await serveRichAlice(t);
		const refusedAt = new Date();
		const refused = { kind: 'refused_on_edge', edge: 'eu-1', username: 'alice', atMs: refusedAt.getTime() } as const;
		await withBank(service.config, async (bank) => {
			const network = '192.0.2.0/24';
			await bank.keep({ ...refused, reason: 'exhausted', count: 12, network });
			await bank.keep({ ...refused, reason: 'wrong_pair', count: 1, network: null, atMs: refused.atMs - 1 });
		});
		const { lastRefusal, refusals } = await reliable.subUsers.retrieveDetails('alice');
		assert.deepEqual(lastRefusal, { refusedAt, edge: 'eu-1', reason: 'exhausted', network: '192.0.2.0/24' });
		assert.deepEqual(refusals, [
			{ reason: 'exhausted', count: 12 },
			{ reason: 'wrong_pair', count: 1 },
		]);
	});

	test('a suspended reseller reads, and changes nothing', async (t) => {
		const { service, reliable } = await serveRichAlice(t);
		const command = { kind: 'suspend_reseller', requestId: 'test', reseller: 'acme' } as const;
		assert.ok((await withBank(service.config, (bank) => bank.submit(command))).ok);
		for (const change of [
			() => reliable.subUsers.suspend('alice'),
			() => reliable.subUsers.delete('alice'),
			() => reliable.subUsers.give('alice', 5),
		]) {
			const error = await change().catch((reason: unknown) => reason);
			assert.ok(error instanceof SuspendedError, String(error));
			assert.deepEqual([error.code, error.status], ['suspended', 403]);
		}
		const created = await reliable.subUsers.create('bruno').catch((reason: unknown) => reason);
		assert.ok(created instanceof SuspendedError);
		assert.deepEqual(created.fee, { minCents: 0, maxCents: 0 });
		assert.equal(await stateOf(reliable), 'active');
		assert.equal((await reliable.account.retrieve()).balanceCents, 9_740);
	});
});
