import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { eventually } from '@bursar/testing/eventually';
import { startPostgres } from '@bursar/testing/postgres-server';
import { startTestService } from '@bursar/testing/service';
import { BursarClient, OutcomeUnknownError } from '../../src/index.ts';

test('a give whose commit waits for an absent standby is unknown, not repeated, and may take effect later', async (t) => {
	const server = await startPostgres();
	t.after(() => server.remove());
	const service = await startTestService(t, {
		BURSAR_DATABASE_URL: await server.createDatabase(),
		BURSAR_MASTER_KEY: randomBytes(32).toString('base64'),
	});
	const { token } = await service.openReseller('acme', 10_000);
	const client = new BursarClient({ baseUrl: service.url, token, soleWriter: true, settleMs: 500 });
	await client.createSubUser('alice');

	await server.set({ synchronous_standby_names: 'absent' });
	// The server process that tells the other connections may be a little slower.
	await setTimeout(300);
	await assert.rejects(client.giveBalance('alice', 250), (error) => {
		assert.ok(error instanceof OutcomeUnknownError);
		assert.equal(error.code, 'outcome_unknown');
		assert.equal(error.known.balanceAfterCents, 0);
		return true;
	});
	await server.set({ synchronous_standby_names: '' });
	await eventually(async () => assert.equal((await client.viewSubUser('alice')).balanceCents, 250));
	assert.equal((await client.giveBalance('alice', 50)).balanceCents, 300);
});
