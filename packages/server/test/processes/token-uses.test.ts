import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import { startTestService } from '@bursar/testing/service';
import { hashToken } from '../../src/credentials.ts';
import { openStore } from '../../src/engine.ts';
import { bothEngines } from '../support/both-engines.ts';

const LONG_MS = 60_000;

for (const engine of await bothEngines()) {
	test(`${engine.name}: a service writes the last use of a token, of each service, and when it stops the rest`, async (t) => {
		const environment = await engine.environment();
		const first = await startTestService(t, environment, { tokenUsesMs: 50 });
		const { token } = await first.openReseller('acme', 1000);
		// An embedded store has one service at a time.
		const isShared = environment.BURSAR_DATABASE_URL !== undefined;
		const second = isShared ? await startTestService(t, environment) : first;
		const store = await openStore(first.config);
		t.after(() => store.close());
		const lastUse = async () => (await store.findToken(hashToken(token)))?.lastUsedAtMs ?? 0;
		const use = async (url: string) => assert.equal((await resellerApi(url, token).myInfo()).status, 200);
		assert.equal(await lastUse(), 0);
		await use(first.url);
		await eventually(async () => assert.notEqual(await lastUse(), 0), LONG_MS);
		const [previousMs, version] = [await lastUse(), await store.readCredentialsVersion()];
		await use(second.url);
		await second.stop();
		assert.ok((await lastUse()) > previousMs);
		assert.ok(Math.abs((await lastUse()) - store.nowMs()) < LONG_MS);
		assert.equal(await store.readCredentialsVersion(), version);
	});
}
