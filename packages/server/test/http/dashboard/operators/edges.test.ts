import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { hashSecret, newEdgeKey, newId } from '../../../../src/credentials.ts';
import { reading } from '../../../support/commands.ts';
import { startDashboard } from '../../../support/dashboard.ts';
import { edgeUse } from '../../../support/records.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const dashboard = await startDashboard(wholeFile, { BURSAR_EDGE_PORT: '0', BURSAR_EDGE_HOST: '127.0.0.1' });
const { store, clock, change } = dashboard;
const operator = await dashboard.operator();
clock.stop();

const edgeOf = async (wanted: string) =>
	(await operator.read('/operator/edges')).edges.find(({ name }) => name === wanted);
const newestActs = async (count: number) =>
	(await operator.read('/operator/acts')).acts.slice(0, count).map(({ kind, target }) => `${kind} ${target}`);

test('operators see all edges: those with a key first, with what each has done', async () => {
	const { edges: none, edge_url } = await operator.read('/operator/edges');
	assert.deepEqual(none, []);
	await dashboard.openReseller('acme', 1000);
	const created = new Date(clock.nowMs()).toISOString();
	for (const name of ['us-1', 'eu-1', 'asia-1']) {
		await change({ kind: 'create_edge', name, keyHash: newId(), keyTail: `tl_${name[0]}` });
	}
	clock.aheadMs += 60_000;
	await change({ kind: 'revoke_edge', name: 'asia-1' });
	const seenAtMs = clock.nowMs() + 1;
	await store.writeRecords([edgeUse('us-1', seenAtMs, 5, 2)], clock.nowMs());
	const atMs = clock.nowMs() - 5_000;
	const good = reading(1, 2, { edge: 'us-1', username: 'acme', atMs });
	await store.recordUsage([good, { ...good, username: 'nobody.here', atMs: atMs + 1 }], clock.nowMs());
	const unused = { revoked: null, link_expires: null, last_seen: null, reported_to: null, checks: 0, refusals: 0 };
	const used = { last_seen: new Date(seenAtMs).toISOString(), reported_to: new Date(atMs).toISOString() };
	assert.deepEqual(await operator.read('/operator/edges'), {
		edges: [
			{ name: 'eu-1', key_tail: 'tl_e', created, ...unused },
			{ name: 'us-1', key_tail: 'tl_u', created, ...unused, ...used, checks: 5, refusals: 2 },
			{ name: 'asia-1', key_tail: 'tl_a', created, ...unused, revoked: new Date(clock.nowMs()).toISOString() },
		],
		edge_url,
	});
});

test('an operator makes an edge, whose key is shown once, and ends it', async () => {
	const path = '/operator/edges/create';
	const { name, key } = await operator.change(path, { name: 'made' });
	assert.equal((await store.listEdges()).find((edge) => edge.name === name)?.keyHash, hashSecret(key));
	await operator.refused('edge_exists', path, { act: randomUUID(), name });
	await operator.refused('invalid_edge_name', path, { act: randomUUID(), name: 'EU 1' });
	const shown = [await operator.read('/operator/edges'), await operator.read('/operator/acts')];
	assert.doesNotMatch(JSON.stringify(shown), new RegExp(key));
	assert.deepEqual(await operator.change('/operator/edges/revoke', { name }), {});
	await operator.refused('unknown_edge', '/operator/edges/revoke', { act: randomUUID(), name: 'nowhere' });
	assert.equal(typeof (await edgeOf(name))?.revoked, 'string');
	assert.notEqual((await operator.change(path, { name })).key, key);
	assert.deepEqual(await newestActs(3), ['create_edge made', 'revoke_edge made', 'create_edge made']);
});

test('an operator makes an edge with a link that is shown once, and its host joins by it', async () => {
	const { edge_url } = await operator.read('/operator/edges');
	assert.match(edge_url ?? '', /^http:\/\/127\.0\.0\.1:\d+$/, 'the listener chose the port');
	const body = { act: randomUUID(), name: 'linked' };
	const made = await operator.ok('/operator/edges/link', body);
	const expires = new Date(clock.nowMs() + 24 * 3_600_000).toISOString();
	const [, secret = ''] = made.link.split('#');
	assert.deepEqual(made, { name: 'linked', link: `${edge_url}/join#${secret}`, expires });
	await operator.refused('act_repeated', '/operator/edges/link', body);
	const shown = [await operator.read('/operator/edges'), await operator.read('/operator/acts')];
	assert.ok(!JSON.stringify(shown).includes(secret));
	assert.equal((await edgeOf('linked'))?.link_expires, expires);

	// A link that was not used is replaced.
	const { link } = await operator.change('/operator/edges/link', { name: 'linked' });
	const { key, ...kept } = newEdgeKey();
	const join = { kind: 'join_edge', name: 'linked', ...kept } as const;
	assert.equal((await change({ ...join, linkHash: hashSecret(secret) })).ok, false);
	assert.equal((await change({ ...join, linkHash: hashSecret(link.split('#')[1] ?? '') })).ok, true);
	const joined = await edgeOf('linked');
	assert.deepEqual([joined?.link_expires, joined?.key_tail], [null, key.slice(-4)]);
	await operator.refused('edge_exists', '/operator/edges/link', { act: randomUUID(), name: 'linked' });
	await operator.refused('invalid_edge_name', '/operator/edges/link', { act: randomUUID(), name: 'EU 1' });
	assert.deepEqual(await newestActs(2), ['link_edge linked', 'link_edge linked']);
});

test('without an address that proxy hosts can reach, no link is made', async (t) => {
	const unreachable = await startDashboard(t);
	const browser = await unreachable.operator();
	await browser.refused('no_edge_url', '/operator/edges/link', { act: randomUUID(), name: 'eu-1' });
	assert.deepEqual(await browser.read('/operator/edges'), { edges: [], edge_url: null });
});
