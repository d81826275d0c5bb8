import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { eventually } from '@bursar/testing/eventually';
import { startPostgres } from '@bursar/testing/postgres-server';
import { startTestService } from '@bursar/testing/service';
import { BursarClient, OutcomeUnknownError } from '../../src/index.ts';
import { withoutChangeIds } from '../support/unreliable-fetch.ts';

// A commit waits for a standby that is absent, so the service itself does not know its outcome.

const server = await startPostgres();
after(() => server.remove());

/** A client that gives 250 cents while the standby is absent, and the error of that call. */
async function giveInDoubt(t: TestContext, fetch: typeof globalThis.fetch) {
	const service = await startTestService(t, {
		BURSAR_DATABASE_URL: await server.createDatabase(),
		BURSAR_MASTER_KEY: randomBytes(32).toString('base64'),
	});
	const { token } = await service.openReseller('acme', 10_000);
	const client = new BursarClient({ baseUrl: service.url, token, fetch, soleWriter: true, settleMs: 500 });
	await client.createSubUser('alice');

	await server.set({ synchronous_standby_names: 'absent' });
	// The server process that tells the other connections may be a little slower.
	await setTimeout(300);
	const error = await client.giveBalance('alice', 250).catch((reason: unknown) => reason);
	await server.set({ synchronous_standby_names: '' });
	assert.ok(error instanceof OutcomeUnknownError);
	assert.deepEqual([error.code, error.known.mayHappenLater], ['outcome_unknown', true]);
	return { client, known: error.known };
}

test('a give whose commit waits for an absent standby is unknown, not repeated, and may take effect later', async (t) => {
	const { client, known } = await giveInDoubt(t, withoutChangeIds(fetch));
	assert.equal(known.balanceAfterCents, 0);
	await eventually(async () => assert.equal((await client.viewSubUser('alice')).balanceCents, 250));
	assert.equal((await client.giveBalance('alice', 50)).balanceCents, 300);
});

test('with a change id, it is repeated, takes effect once, and is found as soon as the service knows', async (t) => {
	const { client, known } = await giveInDoubt(t, fetch);
	await eventually(async () => assert.ok(await client.viewChange(known.changeId as string)));
	assert.equal(await client.settle(known), 'done');
	assert.equal((await client.giveBalance('alice', 50)).balanceCents, 300);
});
