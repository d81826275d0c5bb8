import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertFailure } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import type { Outcome } from '../../../src/commands/registry.ts';
import { openStore } from '../../../src/engine.ts';
import type { BatchAnswer } from '../../../src/store/store.ts';
import { bothEngines } from '../../support/both-engines.ts';
import { answeredSeconds, expiring, startExpiryService } from '../../support/expiry-service.ts';

async function readiness(opsUrl: string): Promise<string> {
	const response = await fetch(`${opsUrl}/readyz`);
	return `${response.status} ${await response.text()}`;
}

test('a change that has expired by an answered timestamp is not done, even if the clock is set back', async (t) => {
	const service = await startExpiryService(t);
	const { overrides, changes } = service;
	overrides.shiftMs = 20_000;
	const answeredAt = await answeredSeconds(service);
	overrides.shiftMs = 19_200;
	const before = await service.books();
	for (const change of Object.values(changes)) assertFailure(await change(expiring(answeredAt)), 503, 'unavailable');
	assert.deepEqual(await service.books(), before);
	assert.equal((await changes.give(expiring(answeredAt + 10))).status, 200);
});

test('after the clock was set back far, changes with an expiry are refused until it has caught up, and the log says it once', async (t) => {
	const lines: string[] = [];
	const log = { write: (line: string) => void lines.push(line) };
	const service = await startExpiryService(t, { BURSAR_LOG_LEVEL: 'warn' }, {}, log);
	const { overrides, changes, opsUrl } = service;
	overrides.shiftMs = 40_000;
	const answeredAt = await answeredSeconds(service);
	assert.equal(await readiness(opsUrl), '200 ready\n');
	overrides.shiftMs = 0;
	const before = await service.books();
	for (const change of Object.values(changes)) {
		for (const atSeconds of [answeredAt, answeredAt + 60, 999_999_999_999]) {
			assertFailure(await change(expiring(atSeconds)), 503, 'unavailable');
		}
	}
	assert.deepEqual(await service.books(), before);
	assert.ok((await answeredSeconds(service)) < answeredAt - 20, 'answers tell the present time');
	assert.equal((await changes.give()).status, 200);
	assert.match(await readiness(opsUrl), /^200 ready, but the clock was set back/);
	overrides.shiftMs = 45_000;
	assert.equal((await changes.give(expiring(answeredAt + 60))).status, 200);
	assert.equal(await readiness(opsUrl), '200 ready\n');
	const [line, ...others] = lines.filter((text) => text.includes('clock'));
	assert.deepEqual(others, []);
	assert.match(line ?? '', /"level":"warn".*"byMs":\d+.*X-Request-Expires/);
});

test('while a commit hangs, no read can miss its change; after the commit, every read shows it', async (t) => {
	const service = await startExpiryService(t);
	const { api, changes, overrides } = service;
	const hanging = Promise.withResolvers<void>();
	t.after(() => hanging.resolve());
	const store = await openStore(service.config);
	t.after(() => store.close());
	overrides.instead = {
		async runCommands(commands): Promise<BatchAnswer<Outcome>> {
			await hanging.promise;
			return store.runCommands(commands, store.nowMs());
		},
	};
	const atSeconds = (await answeredSeconds(service)) + 30;
	const given = changes.give(expiring(atSeconds));
	const reads = [
		api.myInfo,
		api.viewAll,
		() => api.viewSingle({ username: 'alice' }),
		() => api.viewTxs({ username: 'alice' }),
		() => api.viewChange({ change_id: 'change-number-01' }),
	];
	for (const read of reads) {
		await eventually(async () => assertFailure(await read(), 503, 'unavailable'), 30_000);
	}
	hanging.resolve();
	assert.equal((await given).data.balance, 105, 'the change began in time');
	for (const read of reads) assert.equal((await read()).status, 200);
	assert.equal((await api.viewSingle({ username: 'alice' })).data.balance, 105);
});

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
