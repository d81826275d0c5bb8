import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { edgeApi } from '@bursar/testing/edge';
import { openStore } from '../../../src/engine.ts';
import { StoreUnavailableError } from '../../../src/store/reading.ts';
import type { BatchAnswer } from '../../../src/store/store.ts';
import { startEdgeService } from '../../support/edge-service.ts';
import { wholeFile } from '../../support/whole-file.ts';

const at = () => new Date().toISOString();

/** What the store answers to the next usage, if it is set. Then it reads no pairs either. */
let answer: BatchAnswer<never> | undefined;
const { api, url, edgeUrl, openEdge, readEdges, openReseller } = await startEdgeService(
	wholeFile,
	{ BURSAR_EDGE_MAX_GBPS: '8' },
	{
		async openStore(config) {
			const store = await openStore(config);
			return {
				...store,
				recordUsage: async (...batch) => answer ?? store.recordUsage(...batch),
				async readPairs(usernames) {
					if (answer) throw new StoreUnavailableError('planted');
					return store.readPairs(usernames);
				},
			};
		},
	},
);
const bolt = resellerApi(url, (await openReseller('bolt', 1_000)).token);
await bolt.create({ username: 'bob.1' });

/** A new edge, and a new sub-user of acme with its pair. */
async function start(name: string) {
	const edge = edgeApi(edgeUrl, await openEdge(name));
	await readEdges();
	const username = `user.of.${name}`;
	const { proxy_authkey } = (await api.create({ username })).data;
	return { edge, username, pair: { username, password: proxy_authkey } };
}

async function bytesOf(username: string, asked = api) {
	const records = (await asked.viewTxs({ username })).data as { bandwidth: { up: number; down: number } }[];
	const sum = (direction: 'up' | 'down') => records.reduce((total, { bandwidth }) => total + bandwidth[direction], 0);
	return [sum('up'), sum('down')];
}

test('counters only grow: repeats, lost answers and old values count nothing', async () => {
	const { edge, username } = await start('grows');
	const send = async (up: number, down: number) =>
		(await edge.usage({ counters: [{ counter: 'c:1', username: username.toUpperCase(), up, down, at: at() }] })).body;
	assert.deepEqual(await send(100, 1_000), { counted: 1, repeated: 0, refused: [] });
	assert.deepEqual(await send(0, 0), { counted: 0, repeated: 1, refused: [] });
	assert.deepEqual(await send(150, 900), { counted: 1, repeated: 0, refused: [] });
	assert.deepEqual(await bytesOf(username), [150, 1_000]);
});

test('an edge cannot report more than it can have carried, and its other accounts go on', async () => {
	const { edge, username } = await start('fast');
	/** What 8 Gbit/s carry in ten minutes. */
	const most = 600e9;
	const reading = (counter: string, of: string, up: number) => ({ counter, username: of, up, down: 0, at: at() });
	const wrong = reading('c:1', username, Number.MAX_SAFE_INTEGER);
	const { body } = await edge.usage({ counters: [wrong, reading('c:2', 'bob.1', most)] });
	assert.deepEqual(body, { counted: 1, repeated: 0, refused: [{ place: 0, reason: 'too_fast' }] });
	assert.deepEqual(await bytesOf(username), [0, 0]);
	assert.deepEqual(await bytesOf('bob.1', bolt), [most, 0]);
});

test('a bad entry is named by its place, and harms no other', async () => {
	const { edge, username } = await start('bad');
	const before = (await bytesOf('bob.1', bolt)) as [number, number];
	const good = (counter: string, of = username) => ({ counter, username: of, up: 1, down: 10, at: at() });
	const bad: [unknown, string][] = [
		...[null, 'x', [], {}].map((entry): [unknown, string] => [entry, 'invalid_report']),
		...['', 'x'.repeat(129), 'a\nb', '\ud800'].map((name): [unknown, string] => [good(name), 'invalid_report']),
		[{ ...good('x'), username: 5 }, 'invalid_report'],
		...[undefined, '2026-02-30T00:00:00Z', '2026-02-03', Date.now()].map((wrong): [unknown, string] => [
			{ ...good('x'), at: wrong },
			'invalid_timestamp',
		]),
		[{ ...good('x'), up: -1 }, 'invalid_counter'],
		[{ ...good('x'), down: 0.5 }, 'invalid_counter'],
		[{ ...good('x'), down: 2 ** 53 }, 'invalid_counter'],
		[{ ...good('x'), up: '5' }, 'invalid_counter'],
		[good('x', '.'), 'unknown_username'],
		[good('x', 'nobody'), 'unknown_username'],
		[{ ...good('x'), at: '2020-01-01T00:00:00Z' }, 'timestamp_too_old'],
		[{ ...good('x'), at: '2199-01-01T00:00:00Z' }, 'timestamp_ahead'],
		[good('c:0', 'bob.1'), 'conflict'],
	];
	const counters = [good('c:0'), ...bad.map(([entry]) => entry), good('c:1'), good('c:2', 'bob.1')];
	const refused = bad.map(([, reason], index) => ({ place: index + 1, reason }));
	assert.deepEqual((await edge.usage({ counters })).body, { counted: 3, repeated: 0, refused });
	assert.deepEqual(await bytesOf(username), [2, 20]);
	assert.deepEqual(await bytesOf('bob.1', bolt), [before[0] + 1, before[1] + 10]);
	const accepted = await edge.usage({ counters: [good('x')] });
	assert.equal(accepted.body.counted, 1, 'a refused reading left nothing behind');
});

test('a thousand counters fit, with the longest names; one more is refused, and so is another form', async () => {
	const { edge, username } = await start('many');
	const counters = Array.from({ length: 1_000 }, (_, index) => ({
		...{ counter: `${index} ${'\u6c34'.repeat(124)}`.slice(0, 128), username, up: 1, down: 2, at: at() },
	}));
	assert.deepEqual((await edge.usage({ counters })).body, { counted: 1_000, repeated: 0, refused: [] });
	assert.deepEqual(await bytesOf(username), [1_000, 2_000]);
	assert.deepEqual((await edge.usage({ counters: [] })).body, { counted: 0, repeated: 0, refused: [] });
	for (const body of [
		{ counters: [...counters, counters[0]] },
		{},
		{ counters: 'x' },
		{ counters: {} },
		[],
		'null',
		'{',
	])
		assert.equal((await edge.usage(body)).errorCode, 'invalid_request');
});

test('what the store could not do is said, and the same counters can be sent again', async (t) => {
	t.after(() => {
		answer = undefined;
	});
	const { edge, username } = await start('away');
	const body = { counters: [{ counter: 'c', username, up: 7, down: 8, at: at() }] };
	for (const [kind, code] of [
		['not_done', 'unavailable'],
		['outcome_unknown', 'outcome_unknown'],
	] as const) {
		answer = { kind, cause: new Error('the disk is gone') };
		const refused = await edge.usage(body);
		assert.deepEqual([refused.status, refused.errorCode], [503, code]);
	}
	const nothing = {
		...{ left_bytes: null, left_reason: null, max_connections: null, max_bytes_per_second: null },
		...{ ends_in_ms: null, allowed_ips: null },
	};
	assert.deepEqual((await edge.check({ username: 'not.known', password: 'x' })).body, {
		...{ ok: false, username: null, key_id: null, reseller: null, reason: 'unavailable', recheck_ms: 2_000 },
		...nothing,
	});
	answer = undefined;
	assert.equal((await edge.usage(body)).body.counted, 1);
	assert.deepEqual(await bytesOf(username), [7, 8]);
});

test('open connections of an edge and its processes limit the others, and no bad word harms the counters', async () => {
	const { edge, username, pair } = await start('open');
	const { edge: other } = await start('other');
	const most = async (asking: typeof edge, process?: string) => {
		const { reason, max_connections } = (await asking.check({ ...pair, process })).body;
		return reason ?? max_connections;
	};
	const tell = (open: unknown, process?: unknown) => edge.usage({ counters: [], open, process });
	await api.setLimits({ username, connections: 5 });
	const counters = [{ counter: 'c', username, up: 1, down: 2, at: at() }];
	const open = [
		{ username: username.toUpperCase(), open: 3 },
		{ username: '\0', open: 3 },
	];
	assert.deepEqual((await edge.usage({ counters, open })).body, { counted: 1, repeated: 0, refused: [] });
	assert.deepEqual([await most(edge), await most(other)], [5, 2]);
	await tell([{ username, open: 5 }]);
	assert.deepEqual([await most(edge), await most(other)], [5, 'limit_reached']);
	await tell([{ username, open: 0 }]);
	await tell([{ username, open: 3 }], 'a');
	await tell([{ username, open: 1 }], 'b-_9');
	assert.deepEqual([await most(edge, 'a'), await most(edge, 'b-_9'), await most(edge, 'c')], [4, 2, 1]);
	assert.equal(await most(other), 1);
	assert.equal((await api.viewDetails({ username })).data.used.connections, 4);
	const checks = ['a', 'b-_9'].map((process) => ({ ...pair, process }));
	const { body } = await edge.check({ checks });
	assert.deepEqual(
		body.checks.map(({ max_connections }: { max_connections: number }) => max_connections),
		[4, 2],
	);
	for (const wrong of [
		...[5, {}, [null], [{ username }], [{ username, open: -1 }], [{ open: 1 }], [{ username, open: 1_000_001 }]],
		Array(1_001).fill({ username, open: 1 }),
	]) {
		assert.equal((await tell(wrong)).errorCode, 'invalid_request', JSON.stringify(wrong).slice(0, 50));
	}
	assert.equal((await tell(Array(1_000).fill({ username, open: 1 }))).status, 200);
	for (const process of ['', 5, 'x'.repeat(33), 'a b', null]) {
		assert.equal((await tell([], process)).errorCode, 'invalid_request', String(process));
		assert.equal((await edge.check({ ...pair, process })).errorCode, 'invalid_request', String(process));
	}
});
