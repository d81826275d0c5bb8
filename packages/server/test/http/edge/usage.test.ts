import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { edgeApi } from '@bursar/testing/edge';
import { openStore } from '../../../src/engine.ts';
import type { BatchAnswer, Store } from '../../../src/store/store.ts';
import { bothEngines } from '../../support/both-engines.ts';
import { edgeIsKnown, startEdgeService } from '../../support/edge-service.ts';

const engines = await bothEngines();
const at = () => new Date().toISOString();

async function bytesOf(api: ReturnType<typeof resellerApi>, username: string) {
	const records = (await api.viewTxs({ username })).data as { bandwidth: { up: number; down: number } }[];
	const sum = (direction: 'up' | 'down') => records.reduce((total, { bandwidth }) => total + bandwidth[direction], 0);
	return [sum('up'), sum('down')];
}

for (const engine of engines) {
	test(`counters only grow: repeats, lost answers and old values count nothing (${engine.name})`, async (t) => {
		const { edge, api } = await startEdgeService(t, await engine.environment());
		const send = async (up: number, down: number) =>
			(await edge.usage({ counters: [{ counter: 'c:1', username: 'ALICE', up, down, at: at() }] })).body;
		assert.deepEqual(await send(100, 1_000), { counted: 1, repeated: 0, refused: [] });
		assert.deepEqual(await send(100, 1_000), { counted: 0, repeated: 1, refused: [] });
		assert.deepEqual(await send(150, 900), { counted: 1, repeated: 0, refused: [] });
		assert.deepEqual(await send(0, 0), { counted: 0, repeated: 1, refused: [] });
		assert.deepEqual(await send(120, 2_000), { counted: 1, repeated: 0, refused: [] });
		assert.deepEqual(await bytesOf(api, 'alice'), [150, 2_000]);
	});

	test(`an edge cannot report more than it can have carried, and its other accounts go on (${engine.name})`, async (t) => {
		const settings = { ...(await engine.environment()), BURSAR_EDGE_MAX_GBPS: '8' };
		const { edge, api, url, openReseller } = await startEdgeService(t, settings);
		const other = resellerApi(url, (await openReseller('bolt', 1_000)).token);
		await other.create({ username: 'bob.1' });
		/** What 8 Gbit/s carry in ten minutes. */
		const most = 600e9;
		const reading = (counter: string, username: string, up: number) => ({ counter, username, up, down: 0, at: at() });
		const send = async (...counters: ReturnType<typeof reading>[]) => (await edge.usage({ counters })).body;
		const wrong = reading('c:1', 'alice', Number.MAX_SAFE_INTEGER);
		assert.deepEqual(await send(wrong, reading('c:2', 'bob.1', most)), {
			counted: 1,
			repeated: 0,
			refused: [{ place: 0, reason: 'too_fast' }],
		});
		assert.deepEqual(await send(reading('c:1', 'alice', most - 10e9), reading('c:2', 'bob.1', most + 600e9)), {
			counted: 1,
			repeated: 0,
			refused: [{ place: 1, reason: 'too_fast' }],
		});
		assert.deepEqual(await bytesOf(api, 'alice'), [most - 10e9, 0]);
		assert.deepEqual(await bytesOf(other, 'bob.1'), [most, 0]);
	});

	test(`a bad entry is named by its place, and harms no other (${engine.name})`, async (t) => {
		const { edge, api, openReseller, url } = await startEdgeService(t, await engine.environment());
		const other = resellerApi(url, (await openReseller('bolt', 1_000)).token);
		await other.create({ username: 'bob.1' });
		const good = (counter: string, username = 'alice') => ({ counter, username, up: 1, down: 10, at: at() });
		const bad: [unknown, string][] = [
			[null, 'invalid_report'],
			['x', 'invalid_report'],
			[[], 'invalid_report'],
			[{}, 'invalid_report'],
			[good(''), 'invalid_report'],
			[good('x'.repeat(129)), 'invalid_report'],
			[good('a\nb'), 'invalid_report'],
			[good('\ud800'), 'invalid_report'],
			[{ ...good('x'), username: 5 }, 'invalid_report'],
			[{ ...good('x'), at: undefined }, 'invalid_timestamp'],
			[{ ...good('x'), at: '2026-02-30T00:00:00Z' }, 'invalid_timestamp'],
			[{ ...good('x'), at: '2026-02-03' }, 'invalid_timestamp'],
			[{ ...good('x'), at: Date.now() }, 'invalid_timestamp'],
			[{ ...good('x'), up: -1 }, 'invalid_counter'],
			[{ ...good('x'), down: 0.5 }, 'invalid_counter'],
			[{ ...good('x'), down: 2 ** 53 }, 'invalid_counter'],
			[{ ...good('x'), up: '5' }, 'invalid_counter'],
			[{ ...good('x'), username: '.' }, 'unknown_username'],
			[good('x', 'nobody'), 'unknown_username'],
			[{ ...good('x'), at: '2020-01-01T00:00:00Z' }, 'timestamp_too_old'],
			[{ ...good('x'), at: '2199-01-01T00:00:00Z' }, 'timestamp_ahead'],
			[{ ...good('c:0'), username: 'bob.1' }, 'conflict'],
		];
		const counters = [good('c:0'), ...bad.map(([entry]) => entry), good('c:1'), good('c:2', 'bob.1')];
		const { body } = await edge.usage({ counters });
		assert.deepEqual(body, {
			counted: 3,
			repeated: 0,
			refused: bad.map(([, reason], index) => ({ place: index + 1, reason })),
		});
		assert.deepEqual(await bytesOf(api, 'alice'), [2, 20]);
		assert.deepEqual(await bytesOf(other, 'bob.1'), [1, 10]);
		const accepted = await edge.usage({ counters: [good('x')] });
		assert.equal(accepted.body.counted, 1, 'a refused reading left nothing behind');
	});
}

test('each edge has its own counters, which go on after its key was replaced', async (t) => {
	const { edge, edgeUrl, api, openEdge, revokeEdge } = await startEdgeService(t);
	const reading = (up: number) => ({ counters: [{ counter: 'c', username: 'alice', up, down: 0, at: at() }] });
	await edge.usage(reading(100));
	const second = edgeApi(edgeUrl, await openEdge('gw2'));
	await edgeIsKnown(second);
	await second.usage(reading(100));
	assert.deepEqual(await bytesOf(api, 'alice'), [200, 0]);
	await revokeEdge('gw');
	const replaced = edgeApi(edgeUrl, await openEdge('gw'));
	await edgeIsKnown(replaced);
	await replaced.usage(reading(130));
	assert.deepEqual(await bytesOf(api, 'alice'), [230, 0]);
});

test('a thousand counters fit, with the longest names; one more is refused, and so is another form', async (t) => {
	const { edge, api } = await startEdgeService(t);
	const counters = Array.from({ length: 1_000 }, (_, index) => ({
		counter: `${index} ${'\u6c34'.repeat(124)}`.slice(0, 128),
		username: 'alice',
		up: 1,
		down: 2,
		at: at(),
	}));
	assert.deepEqual((await edge.usage({ counters })).body, { counted: 1_000, repeated: 0, refused: [] });
	assert.deepEqual(await bytesOf(api, 'alice'), [1_000, 2_000]);
	assert.deepEqual((await edge.usage({ counters: [] })).body, { counted: 0, repeated: 0, refused: [] });
	for (const body of [
		{ counters: [...counters, counters[0]] },
		{},
		{ counters: 'x' },
		{ counters: {} },
		[],
		'null',
		'{',
	]) {
		assert.equal((await edge.usage(body)).errorCode, 'invalid_request');
	}
});

test('what the store could not do is said, and the same counters can be sent again', async (t) => {
	let answer: BatchAnswer<never> | undefined;
	const { edge, api } = await startEdgeService(
		t,
		{},
		{
			async openStore(config) {
				const store: Store = await openStore(config);
				return {
					...store,
					recordUsage: async (...batch) => answer ?? store.recordUsage(...batch),
				};
			},
		},
	);
	const body = { counters: [{ counter: 'c', username: 'alice', up: 7, down: 8, at: at() }] };
	const cause = new Error('the disk is gone');
	answer = { kind: 'not_done', cause };
	const refused = await edge.usage(body);
	assert.deepEqual([refused.status, refused.errorCode], [503, 'unavailable']);
	answer = { kind: 'outcome_unknown', cause };
	const unknown = await edge.usage(body);
	assert.deepEqual([unknown.status, unknown.errorCode], [503, 'outcome_unknown']);
	answer = undefined;
	assert.equal((await edge.usage(body)).body.counted, 1);
	assert.deepEqual(await bytesOf(api, 'alice'), [7, 8]);
});

for (const engine of engines) {
	test(`open connections of an edge limit the others, and no bad number harms the counters (${engine.name})`, async (t) => {
		const { edge, edgeUrl, api, alice, openEdge, readEdges } = await startEdgeService(t, await engine.environment());
		const other = edgeApi(edgeUrl, await openEdge('other'));
		await readEdges();
		const pair = { username: 'alice', password: alice };
		const most = async (asking: typeof edge) => {
			const { reason, max_connections } = (await asking.check(pair)).body;
			return reason ?? max_connections;
		};
		const tell = (open: unknown) => edge.usage({ counters: [], open });
		await tell([{ username: 'alice', open: 3 }]);
		await api.setLimits({ username: 'alice', connections: 5 });
		assert.deepEqual([await most(edge), await most(other)], [5, 5], 'before the limit nothing is kept');
		const counters = [{ counter: 'c', username: 'alice', up: 1, down: 2, at: at() }];
		const { body } = await edge.usage({
			counters,
			open: [
				{ username: 'ALICE', open: 3 },
				{ username: '\0', open: 3 },
			],
		});
		assert.deepEqual(body, { counted: 1, repeated: 0, refused: [] });
		assert.deepEqual([await most(edge), await most(other)], [5, 2]);
		await tell([{ username: 'alice', open: 5 }]);
		assert.deepEqual([await most(edge), await most(other)], [5, 'limit_reached']);
		await tell([{ username: 'alice', open: 0 }]);
		assert.deepEqual([await most(edge), await most(other)], [5, 5]);
		for (const open of [5, {}, [null], [{ username: 'alice' }], [{ username: 'alice', open: -1 }], [{ open: 1 }]]) {
			assert.equal((await tell(open)).errorCode, 'invalid_request', JSON.stringify(open));
		}
		assert.equal((await tell(Array(1_001).fill({ username: 'alice', open: 1 }))).errorCode, 'invalid_request');
		assert.equal((await tell([{ username: 'alice', open: 1_000_001 }])).errorCode, 'invalid_request');
		assert.equal((await tell(Array(1_000).fill({ username: 'alice', open: 1 }))).status, 200);
	});

	test(`each process of an edge may have what the others leave (${engine.name})`, async (t) => {
		const { edge, api, openEdge, edgeUrl } = await startEdgeService(t, await engine.environment());
		const pair = { username: 'alice', password: (await api.create({ username: 'alice.2' })).data.proxy_authkey };
		pair.username = 'alice.2';
		const other = edgeApi(edgeUrl, await openEdge('another'));
		await edgeIsKnown(other);
		await api.setLimits({ username: 'alice.2', connections: 5 });
		const most = async (process?: string, asking = edge) => {
			const { reason, max_connections } = (await asking.check({ ...pair, process })).body;
			return reason ?? max_connections;
		};
		const tell = (process: unknown, open: number) =>
			edge.usage({ counters: [], open: [{ username: 'alice.2', open }], process });
		await tell('a', 3);
		await tell('b-_9', 1);
		assert.deepEqual([await most('a'), await most('b-_9'), await most('c')], [4, 2, 1]);
		assert.equal(await most(undefined, other), 1);
		assert.equal((await api.viewDetails({ username: 'alice.2' })).data.used.connections, 4);
		await tell('b-_9', 2);
		assert.deepEqual([await most('a'), await most('b-_9'), await most('c')], [3, 2, 'limit_reached']);
		await tell('a', 0);
		const many = await edge.check({
			checks: [
				{ ...pair, process: 'a' },
				{ ...pair, process: 'b-_9' },
			],
		});
		assert.deepEqual(
			many.body.checks.map(({ max_connections }: { max_connections: number }) => max_connections),
			[3, 5],
		);
		for (const process of ['', 5, 'x'.repeat(33), 'a b', null]) {
			assert.equal((await tell(process, 1)).errorCode, 'invalid_request', String(process));
			assert.equal((await edge.check({ ...pair, process })).errorCode, 'invalid_request', String(process));
		}
	});
}
