import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFailure } from '@bursar/testing/api';
import { callEdge } from '@bursar/testing/edge';
import { newEdgeKey } from '../../../src/credentials.ts';
import { startOperatorService, withChangeId } from '../../support/operator-service.ts';

test('an edge is made with a link, joins, is listed and revoked', async (t) => {
	const { operator, ...service } = await startOperatorService(t, { BURSAR_EDGE_PORT: '0' });
	const { link, ...linked } = (await operator('linkEdge', { name: 'fra-1' }, withChangeId('link'))).data;
	assert.equal(linked.name, 'fra-1');
	const { edgeUrl: url = '' } = service;
	const [before, secret] = link.split('/join#');
	assert.equal(before, url);
	const list = async () => (await operator('viewEdges', {})).data;
	const [waiting, ...more] = await list();
	assert.deepEqual(
		[waiting.name, waiting.key_tail, waiting.link_expires_at, more],
		['fra-1', '', linked.expires_at, []],
	);
	assertFailure(await operator('linkEdge', { name: 'ams-1' }, withChangeId('link')), 409, 'change_repeated');
	assert.equal((await list()).length, 1);

	const { key, keyTail } = newEdgeKey();
	const joined = await callEdge(url, '/edge/v1/join', { body: { link: secret }, key });
	assert.equal(joined.status, 200);
	assert.deepEqual(((edge) => [edge.key_tail, edge.link_expires_at])((await list())[0]), [keyTail, null]);
	assertFailure(await operator('linkEdge', { name: 'fra-1' }), 409, 'edge_exists');
	assert.deepEqual((await operator('revokeEdge', { name: 'fra-1' })).data, { name: 'fra-1' });
	const [revoked] = await list();
	assert.ok(Date.parse(revoked.revoked_since) <= Date.now());
	assert.equal((await operator('revokeEdge', { name: 'fra-1' })).status, 200, 'it stays revoked');
	assert.equal((await operator('linkEdge', { name: 'fra-1' })).status, 200, 'a revoked one is taken back');
	assertFailure(await operator('revokeEdge', { name: 'nobody' }), 404, 'unknown_edge');
	assertFailure(await operator('revokeEdge', { name: '\u0000' }), 404, 'unknown_edge');
	for (const name of ['', 'FRA', '-x', 'x'.repeat(64)]) {
		assertFailure(await operator('linkEdge', { name }), 400, 'invalid_edge_name', name);
	}
});

test('without an address for proxy hosts there is no link', async (t) => {
	const { operator } = await startOperatorService(t);
	assertFailure(await operator('linkEdge', { name: 'fra-1' }), 409, 'no_edge_url');
});
