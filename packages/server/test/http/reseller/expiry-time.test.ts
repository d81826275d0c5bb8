import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from '@bursar/terminal/logger';
import { assertFailure, resellerApi } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import type { Outcome } from '../../../src/domain/command.ts';
import { openStore } from '../../../src/engine.ts';
import { startService } from '../../../src/service.ts';
import type { BatchAnswer } from '../../../src/store/store.ts';
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

test('after the clock was set back far, changes with an expiry are refused until it has caught up', async (t) => {
	const service = await startExpiryService(t);
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
});

test('a clock that was set back is logged once', async (t) => {
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
	];
	for (const read of reads) {
		await eventually(async () => assertFailure(await read(), 503, 'unavailable'), 30_000);
	}
	hanging.resolve();
	assert.equal((await given).data.balance, 105, 'the change began in time');
	for (const read of reads) assert.equal((await read()).status, 200);
	assert.equal((await api.viewSingle({ username: 'alice' })).data.balance, 105);
});
