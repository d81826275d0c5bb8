import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { edgeApi } from '@bursar/testing/edge';
import { eventually } from '@bursar/testing/eventually';
import { testDatabases } from '@bursar/testing/postgres-server';
import { openEdge } from '@bursar/testing/service';
import { readConfig } from '../../src/config.ts';
import { edgeIsKnown } from '../support/edge-service.ts';
import { serveDatabase } from '../support/served-database.ts';

const databases = await testDatabases();
after(() => databases.remove());

/** Longer than the promise, for a busy machine. */
const LIMIT_MS = 20_000;

test('every process answers an edge alike: a reset pair is refused by all, and counters are counted once', async (t) => {
	const served = await serveDatabase(t, await databases.createDatabase(), { processes: 0, connections: 0 });
	const more = await Promise.all([1, 2].map(() => served.startServer({ BURSAR_EDGE_PORT: '0' })));
	const key = await openEdge(readConfig(served.environment), 'gw');
	const edges = more.map(({ edgeUrl }) => edgeApi(edgeUrl ?? assert.fail('there is no edge listener'), key));
	for (const edge of edges) await edgeIsKnown(edge);
	const api = resellerApi(more[0]?.url as string, served.workload.token);
	const old = (await api.create({ username: 'reset.me' })).data.proxy_authkey;
	const keyIds: string[] = [];
	for (const edge of edges) {
		const { body } = await edge.check({ username: 'reset.me', password: old });
		assert.equal(body.ok, true);
		keyIds.push(body.key_id);
	}
	assert.equal(keyIds[0], keyIds[1], 'a key_id of one process is known to the others');

	const { proxy_authkey } = (await api.resetAuthKey({ username: 'reset.me' })).data;
	for (const edge of edges) {
		await eventually(async () => {
			const pairs = [{ password: old }, { key_id: keyIds[0] }, { password: proxy_authkey }];
			const { body } = await edge.check({ checks: pairs.map((pair) => ({ username: 'reset.me', ...pair })) });
			assert.deepEqual(
				body.checks.map(({ ok }: { ok: boolean }) => ok),
				[false, false, true],
			);
		}, LIMIT_MS);
	}

	const at = new Date().toISOString();
	const counters = Array.from({ length: 50 }, (_, index) => ({
		counter: 'c',
		username: 'reset.me',
		up: index,
		down: 2 * index,
		at,
	}));
	await Promise.all(edges.flatMap((edge) => counters.map((counter) => edge.usage({ counters: [counter] }))));
	assert.deepEqual((await api.viewTxs({ username: 'reset.me' })).data[0].bandwidth, { up: 49, down: 98 });
});
