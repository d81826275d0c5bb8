import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { eventually } from '@bursar/testing/eventually';
import { startPostgres } from '@bursar/testing/postgres-server';
import { startTestService } from '@bursar/testing/service';
import { Bursar, OutcomeUnknownError } from '../../src/index.ts';

// A commit waits for a standby that is absent, so the service itself does not know its outcome.

const server = await startPostgres();
after(() => server.remove());

/** A client that gives 250 cents while the standby is absent, and the error of that call. */
async function giveInDoubt(t: TestContext) {
	const service = await startTestService(t, {
		BURSAR_DATABASE_URL: await server.createDatabase(),
		BURSAR_MASTER_KEY: randomBytes(32).toString('base64'),
	});
	const { token } = await service.openReseller('acme', 10_000);
	const client = new Bursar({ baseUrl: service.url, token, totalTimeoutMs: 25_000 });
	await client.subUsers.create('alice');

	await server.set({ synchronous_standby_names: 'absent' });
	// The server process that tells the other connections may be a little slower.
	await setTimeout(300);
	const error = await client.subUsers.give('alice', 250).catch((reason: unknown) => reason);
	await server.set({ synchronous_standby_names: '' });
	assert.ok(error instanceof OutcomeUnknownError);
	assert.deepEqual([error.code, error.known.mayHappenLater], ['outcome_unknown', true]);
	return { client, known: error.known };
}

test('a give whose commit waits for an absent standby takes effect once, and is found as soon as the service knows', async (t) => {
	const { client, known } = await giveInDoubt(t);
	await eventually(async () => assert.ok(await client.changes.retrieve(known.changeId)));
	assert.equal((await client.changes.settle(known))?.amountCents, 250);
	assert.equal((await client.subUsers.give('alice', 50)).balanceCents, 300);
});
