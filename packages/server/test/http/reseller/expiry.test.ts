import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertFailure } from '@bursar/testing/api';
import { bothEngines } from '../../support/both-engines.ts';
import { answeredSeconds, expiring, startExpiryService } from '../../support/expiry-service.ts';

for (const engine of await bothEngines()) {
	describe(`on ${engine.name}`, () => {
		test('a change is done up to the last millisecond before its expiry, and not from then on', async (t) => {
			const service = await startExpiryService(t, await engine.environment());
			const atSeconds = (await answeredSeconds(service)) + 10;
			for (const [fixedMs, status] of [
				[atSeconds * 1000 - 1, 200],
				[atSeconds * 1000, 503],
				[atSeconds * 1000 + 1, 503],
			] as const) {
				service.overrides.fixedMs = fixedMs;
				assert.equal((await service.changes.give(expiring(atSeconds))).status, status);
			}
			assert.equal((await service.api.viewSingle({ username: 'alice' })).data.balance, 105);
		});

		test('a change that expires while it waits for a lock is refused; the others are done after the lock', async (t) => {
			// With this wait limit, a change is refused only because it has expired.
			const service = await startExpiryService(t, await engine.environment(), { maxWaitMs: 60_000 });
			const release = await engine.lockAccount(service.config, 'acme');
			const nowSeconds = await answeredSeconds(service);
			const patient = [service.changes.give(), service.changes.give(expiring(nowSeconds + 50))];
			const expired = await service.changes.give(expiring(nowSeconds + 2));
			await release();
			assertFailure(expired, 503, 'unavailable');
			for (const { status } of await Promise.all(patient)) assert.equal(status, 200);
			assert.equal((await service.api.viewSingle({ username: 'alice' })).data.balance, 110);
		});
	});
}
