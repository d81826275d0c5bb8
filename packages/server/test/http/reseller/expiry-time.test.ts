import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFailure, resellerApi } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import type { Outcome } from '../../../src/domain/command.ts';
import { openStore } from '../../../src/engine.ts';
import { createLogger } from '../../../src/logger.ts';
import { startService } from '../../../src/service.ts';
import type { BatchAnswer } from '../../../src/store/store.ts';
import { expiring, startExpiryService, toldSeconds } from '../../support/expiry-service.ts';

async function readiness(opsUrl: string): Promise<string> {
	const response = await fetch(`${opsUrl}/readyz`);
	return `${response.status} ${await response.text()}`;
}

test('once a time has been told, nothing that expires by it is done, also when the clock is set back', async (t) => {
	const service = await startExpiryService(t);
	const { meddling, changes } = service;
	meddling.shiftMs = 20_000;
	const toldAt = await toldSeconds(service);
	meddling.shiftMs = 19_200;
	const before = await service.books();
	for (const change of Object.values(changes)) assertFailure(await change(expiring(toldAt)), 503, 'unavailable');
	assert.deepEqual(await service.books(), before);
	assert.equal((await changes.give(expiring(toldAt + 10))).status, 200);
});

test('after the clock was set back far, changes that expire are refused until it has caught up; all others go on', async (t) => {
	const service = await startExpiryService(t);
	const { meddling, changes, opsUrl } = service;
	meddling.shiftMs = 40_000;
	const toldAt = await toldSeconds(service);
	assert.equal(await readiness(opsUrl), '200 ready\n');
	meddling.shiftMs = 0;
	const before = await service.books();
	for (const change of Object.values(changes)) {
		for (const atSeconds of [toldAt, toldAt + 60, 999_999_999_999]) {
			assertFailure(await change(expiring(atSeconds)), 503, 'unavailable');
		}
	}
	assert.deepEqual(await service.books(), before);
	assert.ok((await toldSeconds(service)) < toldAt - 20, 'what is told is the time as it is');
	assert.equal((await changes.give()).status, 200);
	assert.match(await readiness(opsUrl), /^200 ready, but the clock was set back/);
	meddling.shiftMs = 45_000;
	assert.equal((await changes.give(expiring(toldAt + 60))).status, 200);
	assert.equal(await readiness(opsUrl), '200 ready\n');
});

test('that the clock was set back is logged once', async (t) => {
	const { config } = await startExpiryService(t);
	const lines: string[] = [];
	let shiftMs = 30_000;
	const store = await openStore(config);
	const service = await startService(config, createLogger('warn', { write: (line) => lines.push(line) }), {
		openStore: async () => ({ ...store, nowMs: () => store.nowMs() + shiftMs }),
	});
	t.after(() => service.stop());
	const api = resellerApi(service.url, 'brs_none');
	await api.myInfo();
	shiftMs = 0;
	for (let i = 0; i < 5; i++) await api.myInfo();
	await readiness(service.opsUrl);
	const [line, ...others] = lines.filter((text) => text.includes('clock'));
	assert.deepEqual(others, []);
	const { level, byMs, msg } = JSON.parse(line ?? '');
	assert.equal(level, 'warn');
	assert.ok(byMs > 20_000 && byMs <= 30_000, byMs);
	assert.match(msg, /X-Request-Expires/);
});

test('while a commit hangs, nobody is told that what was begun is not done; once it is answered, everybody is told', async (t) => {
	const service = await startExpiryService(t);
	const { api, changes, meddling } = service;
	const hanging = Promise.withResolvers<void>();
	t.after(() => hanging.resolve());
	const store = await openStore(service.config);
	t.after(() => store.close());
	meddling.instead = {
		async runCommands(commands): Promise<BatchAnswer<Outcome>> {
			await hanging.promise;
			return store.runCommands(commands, store.nowMs());
		},
	};
	const atSeconds = (await toldSeconds(service)) + 30;
	const given = changes.give(expiring(atSeconds));
	const reads = [
		api.myInfo,
		api.viewAll,
		() => api.viewSingle({ username: 'alice' }),
		() => api.viewTxs({ username: 'alice' }),
	];
	for (const read of reads) {
		await eventually(async () => assertFailure(await read(), 503, 'unavailable'), 30_000);
	}
	hanging.resolve();
	assert.equal((await given).data.balance, 105, 'it was begun in time');
	for (const read of reads) assert.equal((await read()).status, 200);
	assert.equal((await api.viewSingle({ username: 'alice' })).data.balance, 105);
});
