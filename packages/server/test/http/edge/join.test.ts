import assert from 'node:assert/strict';
import { test } from 'node:test';
import { edgeRoutes } from '@bursar/contract/edge';
import { callEdge, edgeApi } from '@bursar/testing/edge';
import { startTestService } from '@bursar/testing/service';
import { newEdgeKey, newLink, newSecret } from '../../../src/credentials.ts';
import { openStore } from '../../../src/engine.ts';
import { assertNone, assertNoneBelow, type Secrets } from '../../support/secrets.ts';

const { path } = edgeRoutes.join;

test('a link works once, at once and for one key; wrong, used, replaced and revoked links have one answer; no secret is kept', async (t) => {
	const log: string[] = [];
	const { edgeUrl, config, revokeEdge } = await startTestService(
		t,
		{ BURSAR_EDGE_PORT: '0', BURSAR_LOG_LEVEL: 'trace' },
		{},
		{ write: (line: string) => void log.push(line) },
	);
	assert.ok(edgeUrl);
	const store = await openStore(config);
	t.after(() => store.close());
	const secrets: Secrets = {};
	const linkFor = async (name: string): Promise<string> => {
		const { secret, linkHash } = newLink();
		const answer = await store.runPersonCommands([{ kind: 'link_edge', name, linkHash }], store.nowMs());
		assert.ok(answer.kind === 'committed' && answer.results[0]?.ok);
		secrets[`link ${Object.keys(secrets).length}`] = secret;
		return secret;
	};
	const join = (link: unknown, key: string) => callEdge(edgeUrl, path, { body: { link }, key });

	const link = await linkFor('eu-1');
	const [mine, other] = [newEdgeKey().key, newEdgeKey().key];
	secrets['the key'] = mine;
	secrets['another key'] = other;
	const good = await join(link, mine);
	assert.deepEqual([good.status, good.body], [200, { edge: 'eu-1' }]);
	assert.equal((await edgeApi(edgeUrl, mine).check({ username: 'nobody', password: 'x' })).status, 200);
	assert.equal((await join(link, mine)).status, 200, 'the repeat after a lost answer');
	const { acts } = await store.findRequest(good.headers.get('x-request-id') ?? '');
	const act = { kind: 'join_edge', target: 'eu-1', reseller: null, email: null, systemUser: 'edge eu-1' };
	assert.partialDeepStrictEqual(acts, [act]);

	const replaced = await linkFor('eu-2');
	const revoked = await linkFor('eu-2');
	await revokeEdge('eu-2');
	const before = await store.listEdges();
	const answers = [];
	for (const refused of [link, newSecret().secret, replaced, revoked]) answers.push(await join(refused, other));
	for (const { status, text, errorCode } of answers) {
		assert.deepEqual([status, errorCode, text], [403, 'invalid_link', answers[0]?.text]);
	}
	for (const [body, key, status] of [
		[{ link: 'short' }, other, 400],
		[{ link: [link] }, other, 400],
		[{ link }, 'bre_no', 401],
		[{ link }, undefined, 401],
		[{ link, padding: 'x'.repeat(2_000) }, other, 413],
	] as const) {
		assert.equal((await callEdge(edgeUrl, path, { body, key })).status, status);
	}
	assert.deepEqual((await store.listEdges())[1], before[1]);
	assert.equal((await callEdge(edgeUrl, '/edge/v1/check', { body: { username: 'a' }, key: other })).status, 401);

	const third = await linkFor('eu-3');
	const statuses = await Promise.all(
		Array.from({ length: 40 }, async () => (await join(newSecret().secret, other)).status),
	);
	assert.deepEqual([...new Set(statuses)].toSorted(), [403, 429]);
	const blocked = await join(third, other);
	assert.deepEqual([blocked.status, blocked.headers.get('retry-after')], [429, '3']);
	assert.equal((await edgeApi(edgeUrl, mine).check({ username: 'nobody', password: 'x' })).status, 200);

	assert.ok(log.length > 40, 'the log is too short');
	assertNone(secrets, 'the log', log.join(''));
	assertNone(secrets, 'an answer', answers.map(({ text }) => text).join());
	assertNoneBelow(secrets, config.dataDir);
});
