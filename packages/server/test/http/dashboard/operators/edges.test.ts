import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../../../src/credentials.ts';
import type { CounterReading } from '../../../../src/domain/usage.ts';
import { startDashboard } from '../../../support/dashboard.ts';
import { edgeUse } from '../../../support/notes.ts';

test('operators see all edges: those with a key first, with what each has done', async (t) => {
	const { operator, openReseller, clock, change, store } = await startDashboard(t);
	await openReseller('acme', 1000);
	const browser = await operator();
	assert.deepEqual(await browser.read('/operator/edges'), { edges: [] });

	clock.stop();
	const createdAtMs = clock.nowMs();
	for (const name of ['us-1', 'eu-1', 'asia-1']) {
		await change({ kind: 'create_edge', name, keyHash: newId(), keyTail: `tl_${name[0]}` });
	}
	clock.aheadMs = 60_000;
	await change({ kind: 'revoke_edge', name: 'asia-1' });
	const seenAtMs = clock.nowMs() + 1;
	await store.writeNotes([edgeUse('us-1', seenAtMs, 5, 2)], clock.nowMs());
	const atMs = clock.nowMs() - 5_000;
	const reading: CounterReading = {
		edge: 'us-1',
		counter: 'c',
		username: 'acme',
		atMs,
		bytesUp: 1,
		bytesDown: 2,
		restarts: false,
		edgeBytesPerMs: 1,
	};
	await store.recordUsage([reading, { ...reading, username: 'nobody.here', atMs: atMs + 1 }], clock.nowMs());

	const unused = { revoked: null, last_seen: null, reported_to: null, checks: 0, refusals: 0 };
	const created = new Date(createdAtMs).toISOString();
	assert.deepEqual(await browser.read('/operator/edges'), {
		edges: [
			{ name: 'eu-1', key_tail: 'tl_e', created, ...unused },
			{
				name: 'us-1',
				key_tail: 'tl_u',
				created,
				revoked: null,
				last_seen: new Date(seenAtMs).toISOString(),
				reported_to: new Date(atMs).toISOString(),
				checks: 5,
				refusals: 2,
			},
			{
				name: 'asia-1',
				key_tail: 'tl_a',
				created,
				...unused,
				revoked: new Date(createdAtMs + 60_000).toISOString(),
			},
		],
	});
});
