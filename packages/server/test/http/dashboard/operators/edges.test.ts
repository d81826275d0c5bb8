import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { hashSecret, newId } from '../../../../src/credentials.ts';
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

test('an operator makes an edge, whose key is shown once, and ends it', async (t) => {
	const { operator, store } = await startDashboard(t);
	const browser = await operator();
	const { name, key } = await browser.change('/operator/edges/create', { name: 'eu-1' });
	assert.equal(name, 'eu-1');
	assert.equal((await store.listEdges())[0]?.keyHash, hashSecret(key));
	await browser.refused('edge_exists', '/operator/edges/create', { act: randomUUID(), name });
	await browser.refused('invalid_edge_name', '/operator/edges/create', { act: randomUUID(), name: 'EU 1' });
	assert.doesNotMatch(
		JSON.stringify([await browser.read('/operator/edges'), await browser.read('/operator/acts')]),
		new RegExp(key),
	);

	assert.deepEqual(await browser.change('/operator/edges/revoke', { name }), {});
	await browser.refused('unknown_edge', '/operator/edges/revoke', { act: randomUUID(), name: 'us-1' });
	const { edges } = await browser.read('/operator/edges');
	assert.equal(typeof edges[0]?.revoked, 'string');
	const again = await browser.change('/operator/edges/create', { name });
	assert.notEqual(again.key, key);
	const { acts } = await browser.read('/operator/acts');
	assert.deepEqual(
		acts.slice(0, 3).map((act) => [act.kind, act.target]),
		[
			['create_edge', name],
			['revoke_edge', name],
			['create_edge', name],
		],
	);
});
