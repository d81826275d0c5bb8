import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openStore } from '../../../src/engine.ts';
import { type Store, StoreUnavailableError } from '../../../src/store/store.ts';
import { startEdgeService } from '../../support/edge-service.ts';

/** A service whose store can be made to fail or to hang. */
async function start(t: TestContext) {
	const state: { fault: 'fails' | 'hangs' | undefined } = { fault: undefined };
	const disturbed = async <Value>(act: () => Promise<Value>): Promise<Value> => {
		if (state.fault === 'fails') throw new StoreUnavailableError('away');
		if (state.fault === 'hangs') return new Promise(() => {});
		return act();
	};
	const service = await startEdgeService(
		t,
		{},
		{
			async openStore(config) {
				const store: Store = await openStore(config);
				return {
					...store,
					listEdges: () => disturbed(store.listEdges),
					readPairs: (usernames) => disturbed(() => store.readPairs(usernames)),
					recordUsage: async (...batch) =>
						state.fault ? { kind: 'not_done', cause: new Error('away') } : store.recordUsage(...batch),
				};
			},
		},
	);
	return { ...service, state };
}

for (const fault of ['fails', 'hangs'] as const) {
	test(`while the store ${fault}, known pairs are good, others are unavailable, and no counter is lost`, async (t) => {
		const { state, edge, alice, api } = await start(t);
		const { body: good } = await edge.check({ username: 'alice', password: alice });
		state.fault = fault;
		// The pair is asked for again after two seconds.
		await delay(2_500);
		assert.deepEqual((await edge.check({ username: 'alice', password: alice })).body, good);
		assert.deepEqual((await edge.check({ username: 'alice', key_id: good.key_id })).body, good);
		const unavailable = {
			ok: false,
			username: null,
			key_id: null,
			reason: 'unavailable',
			recheck_ms: 2_000,
			left_bytes: null,
			left_reason: null,
			max_connections: null,
			ends_in_ms: null,
			allowed_ips: null,
		};
		assert.deepEqual((await edge.check({ username: 'alice', password: 'other' })).body, unavailable);
		assert.deepEqual((await edge.check({ username: 'nobody', password: alice })).body, unavailable);
		const counters = [{ counter: 'c', username: 'alice', up: 5, down: 6, at: new Date().toISOString() }];
		assert.equal((await edge.usage({ counters })).errorCode, 'unavailable');
		state.fault = undefined;
		assert.equal((await edge.usage({ counters })).body.counted, 1);
		assert.deepEqual((await api.viewTxs({ username: 'alice' })).data[0].bandwidth, { up: 5, down: 6 });
	});
}
