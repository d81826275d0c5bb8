import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import { startTestService } from '@bursar/testing/service';
import { hashToken } from '../../src/credentials.ts';
import { openStore } from '../../src/engine.ts';
import { run } from '../store/suite/engine.ts';
import { bothEngines } from '../support/both-engines.ts';
import { revokeToken } from '../support/commands.ts';

const LONG_MS = 60_000;

for (const engine of await bothEngines()) {
	test(`${engine.name}: a service that stops writes the last uses of tokens first`, async (t) => {
		const service = await startTestService(t, await engine.environment());
		const { token } = await service.openReseller('acme', 1000);
		assert.equal((await resellerApi(service.url, token).myInfo()).status, 200);
		await service.stop();
		const store = await openStore(service.config);
		t.after(() => store.close());
		const usedAtMs = (await store.findToken(hashToken(token)))?.lastUsedAtMs ?? 0;
		assert.ok(Math.abs(usedAtMs - store.nowMs()) < LONG_MS, `${usedAtMs}`);
	});

	test(`${engine.name}: the store records the last use of a token in any service, and a use does not revive a revoked token`, async (t) => {
		const environment = await engine.environment();
		const first = await startTestService(t, environment, { tokenUsesMs: 50 });
		const { token } = await first.openReseller('acme', 1000);
		// An embedded store has one service at a time.
		const isShared = environment.BURSAR_DATABASE_URL !== undefined;
		const second = isShared ? await startTestService(t, environment, { tokenUsesMs: 50 }) : first;
		const store = await openStore(first.config);
		t.after(() => store.close());
		const lastUse = async () => (await store.findToken(hashToken(token)))?.lastUsedAtMs;
		assert.equal(await lastUse(), null);

		for (const { url } of [first, second, first]) {
			const previousMs = (await lastUse()) ?? 0;
			const version = await store.readCredentialsVersion();
			await eventually(async () => {
				assert.equal((await resellerApi(url, token).myInfo()).status, 200);
				assert.ok(((await lastUse()) ?? 0) > previousMs);
			}, LONG_MS);
			const usedMs = (await lastUse()) ?? 0;
			assert.ok(Math.abs(usedMs - store.nowMs()) < LONG_MS, `${usedMs}`);
			assert.equal(await store.readCredentialsVersion(), version);
		}

		await run(store, [revokeToken('acme', 'another')], store.nowMs());
		for (const { url } of [first, second]) {
			await eventually(async () => assert.equal((await resellerApi(url, token).myInfo()).status, 401), LONG_MS);
		}
		assert.equal(await store.findToken(hashToken(token)), undefined);
		assert.equal((await store.findToken('another'))?.lastUsedAtMs, null);
	});
}
