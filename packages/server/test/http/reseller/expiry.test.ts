import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertFailure } from '@bursar/testing/api';
import { bothEngines } from '../../support/both-engines.ts';
import { expiring, startExpiryService, toldSeconds } from '../../support/expiry-service.ts';

for (const engine of await bothEngines()) {
	describe(`on ${engine.name}`, () => {
		test('a change is done until the millisecond before its second begins, and from then on it is not', async (t) => {
			const service = await startExpiryService(t, await engine.environment());
			const atSeconds = (await toldSeconds(service)) + 10;
			for (const [fixedMs, status] of [
				[atSeconds * 1000 - 1, 200],
				[atSeconds * 1000, 503],
				[atSeconds * 1000 + 1, 503],
			] as const) {
				service.meddling.fixedMs = fixedMs;
				assert.equal((await service.changes.give(expiring(atSeconds))).status, status);
			}
			assert.equal((await service.api.viewSingle({ username: 'alice' })).data.balance, 105);
		});

		test('a change that waits behind a lock until it has expired is refused; others are done once the lock is gone', async (t) => {
			// Longer than a command may wait otherwise: what is refused here is refused because it has expired.
			const service = await startExpiryService(t, await engine.environment(), { maxWaitMs: 60_000 });
			const release = await engine.holdAccount(service.config, 'acme');
			const told = await toldSeconds(service);
			const patient = [service.changes.give(), service.changes.give(expiring(told + 50))];
			const expired = await service.changes.give(expiring(told + 2));
			await release();
			assertFailure(expired, 503, 'unavailable');
			for (const { status } of await Promise.all(patient)) assert.equal(status, 200);
			assert.equal((await service.api.viewSingle({ username: 'alice' })).data.balance, 110);
		});
	});
}
