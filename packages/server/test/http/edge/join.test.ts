import assert from 'node:assert/strict';
import { test } from 'node:test';
import { edgeRoutes } from '@bursar/contract/edge';
import { runBursar, startServer } from '@bursar/testing/bursar-process';
import { callEdge, edgeApi } from '@bursar/testing/edge';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { newEdgeKey, newSecret } from '../../../src/credentials.ts';
import { assertNone, assertNoneBelow, type Secrets } from '../../support/secrets.ts';

const { path } = edgeRoutes.join;

test('a link works once, at once and for one key; wrong, used, replaced and revoked links have one answer; no secret is kept', async (t) => {
	const dataDir = temporaryFolder(t);
	const environment = { BURSAR_EDGE_PORT: '0', BURSAR_LOG_LEVEL: 'trace', BURSAR_EDGE_URL: 'https://edge.example' };
	const run = async (...args: string[]) =>
		JSON.parse((await runBursar(t, dataDir, [...args, '--json'], { environment })).stdout);
	await runBursar(t, dataDir, ['migrate']);
	const server = await startServer(t, dataDir, { environment });
	const edgeUrl = server.edgeUrl ?? assert.fail('there is no edge listener');
	const secrets: Secrets = {};
	const newLink = async (name: string): Promise<string> => {
		const { link } = await run('edge', 'create', name);
		assert.match(link, /^https:\/\/edge\.example\/join#[\w-]{43}$/);
		const secret = link.split('#')[1];
		secrets[`link ${Object.keys(secrets).length}`] = secret;
		return secret;
	};
	const join = (link: unknown, key: string) => callEdge(edgeUrl, path, { body: { link }, key });

	const link = await newLink('eu-1');
	const [mine, other] = [newEdgeKey().key, newEdgeKey().key];
	secrets['the key'] = mine;
	secrets['another key'] = other;
	const good = await join(link, mine);
	assert.deepEqual([good.status, good.body], [200, { edge: 'eu-1' }]);
	assert.equal((await edgeApi(edgeUrl, mine).check({ username: 'nobody', password: 'x' })).status, 200);
	assert.equal((await join(link, mine)).status, 200, 'the repeat after a lost answer');
	const { acts } = await run('request', good.headers.get('x-request-id') as string);
	const act = { kind: 'join_edge', target: 'eu-1', reseller: null, email: null, system_user: 'edge eu-1' };
	assert.partialDeepStrictEqual(acts, [act]);

	const replaced = await newLink('eu-2');
	const revoked = await newLink('eu-2');
	await run('edge', 'revoke', 'eu-2');
	const before = await run('edge', 'list');
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
	assert.deepEqual((await run('edge', 'list')).edges[1], before.edges[1]);
	assert.equal((await callEdge(edgeUrl, '/edge/v1/check', { body: { username: 'a' }, key: other })).status, 401);

	const third = await newLink('eu-3');
	const statuses = await Promise.all(
		Array.from({ length: 40 }, async () => (await join(newSecret().secret, other)).status),
	);
	assert.deepEqual([...new Set(statuses)].toSorted(), [403, 429]);
	const blocked = await join(third, other);
	assert.deepEqual([blocked.status, blocked.headers.get('retry-after')], [429, '3']);
	assert.equal((await edgeApi(edgeUrl, mine).check({ username: 'nobody', password: 'x' })).status, 200);

	const { stdout, stderr } = await server.kill('SIGTERM');
	assertNone(secrets, 'the log', stdout + stderr);
	assertNone(secrets, 'an answer', answers.map(({ text }) => text).join());
	assertNoneBelow(secrets, dataDir);
});
