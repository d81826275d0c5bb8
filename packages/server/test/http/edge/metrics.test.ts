import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { openStore } from '../../../src/engine.ts';
import { startEdgeService } from '../../support/edge-service.ts';

/** The lines of the metrics of edges. */
async function edgeMetrics(opsUrl: string): Promise<string[]> {
	const text = await (await fetch(`${opsUrl}/metrics`)).text();
	return text.split('\n').filter((line) => line.startsWith('bursar_edge_'));
}

test('the metrics say for each edge what it checked and reported; it is written while the service runs, and when it stops', async (t) => {
	const { edge, opsUrl, alice, config, openEdge, revokeEdge, stop } = await startEdgeService(
		t,
		{},
		{ edgeUsesMs: 100 },
	);
	await openEdge('silent');
	await edge.check({ username: 'alice', password: alice });
	await edge.check({
		checks: [
			{ username: 'alice', password: 'x' },
			{ username: 'alice', password: alice },
		],
	});
	const at = '2000-01-01T00:00:00Z';
	const now = new Date().toISOString();
	const counter = { counter: 'counterofclient', username: 'alice', up: 1, down: 1 };
	await edge.usage({ counters: [{ ...counter, at: now }, { ...counter, at: now }, { ...counter, at }, null] });
	await eventually(async () => {
		assert.deepEqual(await edgeMetrics(opsUrl), [
			`bursar_edge_reported_to_timestamp_seconds{edge="gw"} ${Date.parse(now) / 1000}`,
			'bursar_edge_checks_total{edge="gw",result="ok"} 2',
			'bursar_edge_checks_total{edge="gw",result="wrong_pair"} 1',
			'bursar_edge_checks_total{edge="gw",result="throttled"} 0',
			'bursar_edge_checks_total{edge="gw",result="unavailable"} 0',
			'bursar_edge_checks_total{edge="gw",result="suspended"} 0',
			'bursar_edge_checks_total{edge="gw",result="expired"} 0',
			'bursar_edge_checks_total{edge="gw",result="address_not_allowed"} 0',
			'bursar_edge_checks_total{edge="gw",result="exhausted"} 0',
			'bursar_edge_checks_total{edge="gw",result="limit_reached"} 0',
			'bursar_edge_readings_total{edge="gw",result="counted"} 1',
			'bursar_edge_readings_total{edge="gw",result="repeated"} 1',
			'bursar_edge_readings_total{edge="gw",result="refused"} 2',
		]);
	}, 20_000);
	const all = await (await fetch(`${opsUrl}/metrics`)).text();
	assert.doesNotMatch(all, /alice|counterofclient|bre_/);
	const store = await openStore(config);
	t.after(() => store.close());
	const stored = async () => (await store.listEdges()).find(({ name }) => name === 'gw');
	await eventually(async () => assert.equal((await stored())?.checks, 3), 20_000);
	await edge.check({ username: 'alice', password: 'x' });
	await revokeEdge('gw');
	await eventually(async () => {
		const lines = await edgeMetrics(opsUrl);
		assert.ok(!lines.some((line) => line.startsWith('bursar_edge_reported_to')), 'a revoked edge reports no more');
	}, 20_000);
	const beforeMs = Date.now();
	await stop();
	const { checks, refusals, lastSeenAtMs } = (await stored()) ?? assert.fail('the edge is gone');
	assert.deepEqual([checks, refusals], [4, 2]);
	assert.ok(Math.abs((lastSeenAtMs ?? 0) - beforeMs) < 60_000);
});
