import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { hashSecret, newEdgeKey, newId } from '../../../../src/credentials.ts';
import type { CounterReading } from '../../../../src/domain/usage.ts';
import { startDashboard } from '../../../support/dashboard.ts';
import { edgeUse } from '../../../support/notes.ts';

test('operators see all edges: those with a key first, with what each has done', async (t) => {
	const { operator, openReseller, clock, change, store } = await startDashboard(t);
	await openReseller('acme', 1000);
	const browser = await operator();
	assert.deepEqual(await browser.read('/operator/edges'), { edges: [], edge_url: null });

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

	const unused = { revoked: null, link_expires: null, last_seen: null, reported_to: null, checks: 0, refusals: 0 };
	const created = new Date(createdAtMs).toISOString();
	assert.deepEqual(await browser.read('/operator/edges'), {
		edges: [
			{ name: 'eu-1', key_tail: 'tl_e', created, ...unused },
			{
				name: 'us-1',
				key_tail: 'tl_u',
				created,
				revoked: null,
				link_expires: null,
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
		edge_url: null,
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

test('an operator makes an edge with a link that is shown once, and its host joins by it', async (t) => {
	const dashboard = await startDashboard(t, { BURSAR_EDGE_PORT: '0', BURSAR_EDGE_HOST: '127.0.0.1' });
	const { operator, store, clock } = dashboard;
	clock.stop();
	const browser = await operator();
	const { edge_url } = await browser.read('/operator/edges');
	assert.match(edge_url ?? '', /^http:\/\/127\.0\.0\.1:\d+$/, 'the listener chose the port');
	const act = randomUUID();
	const made = await browser.ok('/operator/edges/link', { act, name: 'eu-1' });
	const expires = new Date(clock.nowMs() + 24 * 3_600_000).toISOString();
	const [, secret = ''] = made.link.split('#');
	assert.deepEqual(made, { name: 'eu-1', link: `${edge_url}/join#${secret}`, expires });
	assert.equal((await store.listEdges())[0]?.linkHash, hashSecret(secret));
	await browser.refused('act_repeated', '/operator/edges/link', { act, name: 'eu-1' });
	const shown = async () =>
		JSON.stringify([await browser.read('/operator/edges'), await browser.read('/operator/acts')]);
	assert.ok(!(await shown()).includes(secret));
	assert.equal((await browser.read('/operator/edges')).edges[0]?.link_expires, expires);

	// A link that was not used is replaced.
	const { link } = await browser.change('/operator/edges/link', { name: 'eu-1' });
	const { key, ...kept } = newEdgeKey();
	const join = { kind: 'join_edge', name: 'eu-1', ...kept } as const;
	assert.equal((await dashboard.change({ ...join, linkHash: hashSecret(secret) })).ok, false);
	assert.equal((await dashboard.change({ ...join, linkHash: hashSecret(link.split('#')[1] ?? '') })).ok, true);
	const [joined] = (await browser.read('/operator/edges')).edges;
	assert.deepEqual([joined?.link_expires, joined?.key_tail], [null, key.slice(-4)]);
	await browser.refused('edge_exists', '/operator/edges/link', { act: randomUUID(), name: 'eu-1' });
	await browser.refused('invalid_edge_name', '/operator/edges/link', { act: randomUUID(), name: 'EU 1' });
	assert.deepEqual(
		(await browser.read('/operator/acts')).acts.slice(0, 2).map((done) => [done.kind, done.target, done.email]),
		[
			['link_edge', 'eu-1', 'op@bursar.example'],
			['link_edge', 'eu-1', 'op@bursar.example'],
		],
	);
});

test('without an address that proxy hosts can reach, no link is made', async (t) => {
	const { operator, store } = await startDashboard(t, { BURSAR_EDGE_PORT: '0', BURSAR_EDGE_HOST: '0.0.0.0' });
	const browser = await operator();
	await browser.refused('no_edge_url', '/operator/edges/link', { act: randomUUID(), name: 'eu-1' });
	assert.deepEqual([await store.listEdges(), (await browser.read('/operator/edges')).edge_url], [[], null]);
});

test('links have the address of the settings', async (t) => {
	const { operator } = await startDashboard(t, { BURSAR_EDGE_URL: 'https://edge.bursar.example' });
	const { link } = await (await operator()).change('/operator/edges/link', { name: 'eu-1' });
	assert.match(link, /^https:\/\/edge\.bursar\.example\/join#[\w-]{43}$/);
});
