import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BursarClient, OutcomeUnknownError, type UnknownOutcome } from '../src/index.ts';
import { type ServedReseller, serveAlice } from './support/client.ts';
import { rejectsWith } from './support/rejects-with.ts';
import type { Fate } from './support/unreliable-fetch.ts';

const SOLE = { soleWriter: true, maxAttempts: 1 };

/** The `known` of a call whose answer is lost and whose looks fail too, stored and read again. */
async function knownOf(
	{ expiring }: ServedReseller,
	endpoint: string,
	fate: Fate,
	call: (client: BursarClient) => Promise<unknown>,
): Promise<UnknownOutcome> {
	const { client } = expiring({ [endpoint]: [fate], view_single: ['passed', 'never_arrives'] }, SOLE);
	const error = await call(client).catch((reason: unknown) => reason);
	assert.ok(error instanceof OutcomeUnknownError);
	return JSON.parse(JSON.stringify(error.known));
}

/** Stands for a client in another process. */
function laterClient({ service, token }: ServedReseller): BursarClient {
	return new BursarClient({ baseUrl: service.url, token, afterExpiryMs: 1_000 });
}

describe('an unknown outcome is settled later, by another client object', { concurrency: true }, () => {
	const changes: Readonly<Record<string, readonly [what: string, call: (client: BursarClient) => Promise<unknown>]>> = {
		give_balance: ['a give', (client) => client.giveBalance('alice', 250)],
		take_balance: ['a take', (client) => client.takeBalance('alice', 250)],
		create: ['a create', (client) => client.createSubUser('bruno')],
		reset_auth_key: ['a reset', (client) => client.resetAuthKey('alice')],
	};
	for (const [endpoint, [what, call]] of Object.entries(changes)) {
		for (const [fate, outcome] of [
			['answer_lost', 'done'],
			['never_arrives', 'not_done'],
		] as const) {
			test(`${what}: ${outcome}`, async (t) => {
				const served = await serveAlice(t);
				await served.reliable.giveBalance('alice', 500);
				assert.equal(await laterClient(served).settle(await knownOf(served, endpoint, fate, call)), outcome);
			});
		}
	}

	test('after outcome_unknown, a change can only be settled as done', async (t) => {
		const served = await serveAlice(t);
		const known = { operation: 'give', username: 'alice', amountCents: 5, balanceBeforeCents: 0 } as const;
		const open = { ...known, mayHappenLater: true };
		await assert.rejects(laterClient(served).settle(open), OutcomeUnknownError);
		await served.reliable.giveBalance('alice', 5);
		assert.equal(await laterClient(served).settle(open), 'done');
	});

	test('if the answer contradicted the balance before it, no balance settles the change', async (t) => {
		const served = await serveAlice(t);
		await served.reliable.giveBalance('alice', 1_000);
		const answer = () =>
			Response.json({ status: 200, message: '', timestamp: 1, data: { username: 'alice', balance: 1 } });
		const { client } = served.expiring({ give_balance: [answer] }, SOLE);
		const error = await client.giveBalance('alice', 5).catch((reason: unknown) => reason);
		assert.ok(error instanceof OutcomeUnknownError && error.known.isDisturbed);
		await assert.rejects(laterClient(served).settle(error.known), OutcomeUnknownError);
	});

	test('a balance that fits neither outcome settles nothing, nor does one without the balance before it', async (t) => {
		const served = await serveAlice(t);
		const known = { operation: 'take', username: 'alice', amountCents: 5 } as const;
		for (const before of [undefined, 100]) {
			await rejectsWith(
				laterClient(served).settle({ ...known, balanceBeforeCents: before }),
				OutcomeUnknownError,
				(error) => assert.equal(error.known.balanceAfterCents, 0),
			);
		}
	});
});

test('after awaitSettled, no request that another process sent before can take effect', async (t) => {
	const served = await serveAlice(t);
	const { client, way } = served.expiring({ give_balance: ['held'] });
	await assert.rejects(client.giveBalance('alice', 250), OutcomeUnknownError);
	await laterClient(served).awaitSettled();
	const [late] = await way.allArrived();
	assert.equal(late?.status, 503);
	assert.equal((await served.reliable.viewSubUser('alice')).balanceCents, 0);
	await assert.rejects(laterClient(served).awaitSettled({ totalTimeoutMs: 500 }), /settled/);
});

test('settle refuses a value that no error of the client can hold, before it sends anything', async () => {
	const client = new BursarClient({ baseUrl: 'https://example.com', token: 'brs_test', fetch: () => assert.fail() });
	const known = { operation: 'give', username: 'alice', amountCents: 5, balanceBeforeCents: 0 };
	for (const wrong of [
		{ ...known, operation: 'gift' },
		{ ...known, balanceBeforeCents: null },
		{ ...known, amountCents: '5' },
		{ ...known, expires: 1.5 },
		{ ...known, authKeyBeforeSha256: null },
		{ ...known, username: 5 },
		{ ...known, isDisturbed: 'no' },
	]) {
		await assert.rejects(client.settle(wrong as never), TypeError);
	}
});
