import assert from 'node:assert/strict';
import { test } from 'node:test';
import { edgeApi } from '@bursar/testing/edge';
import { openStore } from '../../../src/engine.ts';
import { createRefusedClientsReader } from '../../../src/http/edge/refused-clients.ts';
import type { BatchAnswer, Store } from '../../../src/store/store.ts';
import { startEdgeService } from '../../support/edge-service.ts';
import { wholeFile } from '../../support/whole-file.ts';

let store: Store | undefined;
/** What the store answers to the next records, if it is set. */
let answer: BatchAnswer<never> | undefined;
const { api, edgeUrl, openEdge, readEdges } = await startEdgeService(
	wholeFile,
	{},
	{
		async openStore(config) {
			const opened = await openStore(config);
			store = opened;
			return { ...opened, writeRecords: async (...batch) => answer ?? opened.writeRecords(...batch) };
		},
	},
);

/** A new edge, and a new sub-user of acme. */
async function start(name: string) {
	const edge = edgeApi(edgeUrl, await openEdge(name));
	await readEdges();
	const username = `user.of.${name}`;
	await api.create({ username });
	return { edge, username };
}

async function refusalsOf(username: string) {
	const hours = await store?.listRefusals({ owner: 'acme', usernames: [username], firstHour: 0 });
	return hours?.map(({ reason, count, atMs, edge, network }) => ({ reason, count, atMs, edge, network }));
}

const NOTHING = { counted: 0, repeated: 0, refused: [] };

test('what an edge refused is kept under its own name, with the network of the client, once the answer is there', async () => {
	const { edge, username } = await start('keeps');
	const at = new Date().toISOString();
	const refusal = { username: username.toUpperCase(), reason: 'exhausted', count: 2, at, network: '192.0.2.77' };
	const refusals = [
		{ ...refusal, edge: 'another', password: 'secret' },
		{ ...refusal, count: 3, network: '2001:db8:1:2::7' },
		{ ...refusal, at: '2199-01-01T00:00:00Z', reason: 'wrong_pair', network: undefined },
	];
	assert.deepEqual((await edge.usage({ counters: [], refusals })).body, NOTHING);
	const atMs = Date.parse(at);
	const [wrong, exhausted, ...others] = (await refusalsOf(username)) ?? [];
	assert.deepEqual(others, []);
	assert.deepEqual(exhausted, { reason: 'exhausted', count: 5, atMs, edge: 'keeps', network: '2001:db8:1::/48' });
	assert.deepEqual([wrong?.reason, wrong?.count, wrong?.network], ['wrong_pair', 2, null]);
	assert.ok(Math.abs((wrong?.atMs ?? 0) - Date.now()) < 60_000, 'nothing was refused in the future');
});

test('entries that cannot be read, and those of names without an account, are left out and harm no other', async () => {
	const { edge, username } = await start('reads');
	const good = { username, reason: 'suspended', count: 1, at: new Date().toISOString(), network: '192.0.2.7' };
	const refusals = [
		...[null, 'x', [], {}, { ...good, username: 5 }, { ...good, username: 'no name!' }, { ...good, reason: 'other' }],
		...[0, -1, 0.5, 1_000_001, '1'].map((count) => ({ ...good, count })),
		...['2026-02-30T00:00:00Z', '2020-01-01T00:00:00Z', 5].map((at) => ({ ...good, at })),
		{ ...good, network: 7 },
		{ ...good, network: 'a name', reason: 'expired' },
		{ ...good, username: 'nobody' },
		good,
	];
	assert.deepEqual((await edge.usage({ counters: [], refusals })).body, NOTHING);
	const kept = (await refusalsOf(username))?.map(({ reason, count, network }) => `${reason} ${count} ${network}`);
	assert.deepEqual(kept?.toSorted(), ['expired 1 null', 'suspended 1 192.0.2.0/24']);
	for (const wrong of ['x', {}, Array(201).fill(good)]) {
		assert.equal((await edge.usage({ counters: [], refusals: wrong })).errorCode, 'invalid_request');
	}
});

test('if nothing was kept, and nothing else was reported, the edge is told so', async (t) => {
	const { edge, username } = await start('fails');
	const refusals = [{ username, reason: 'exhausted', count: 1, at: new Date().toISOString() }];
	const counters = [{ counter: 'c', username, up: 1, down: 1, at: new Date().toISOString() }];
	t.after(() => {
		answer = undefined;
	});
	answer = { kind: 'not_done', cause: new Error('planted') };
	assert.equal((await edge.usage({ counters: [], refusals })).errorCode, 'unavailable');
	assert.deepEqual((await edge.usage({ counters, refusals })).body, { counted: 1, repeated: 0, refused: [] });
	answer = { kind: 'outcome_unknown', cause: new Error('planted') };
	assert.deepEqual((await edge.usage({ counters: [], refusals })).body, NOTHING);
	answer = undefined;
	assert.deepEqual(await refusalsOf(username), []);
});

test('an edge tells 2,000 refusals at once, and then 200 a second; others are not held up', () => {
	let nowMs = 0;
	const reader = createRefusedClientsReader(
		() => 0,
		() => nowMs,
	);
	const entries = Array(200).fill({ username: 'alice', reason: 'exhausted', count: 1, at: '1970-01-01T00:00:00Z' });
	const read = (edge: string, times: number) =>
		Array.from({ length: times }, () => reader.read(edge, entries).length).reduce((sum, each) => sum + each, 0);
	assert.equal(read('eu-1', 20), 2_000);
	assert.equal(read('eu-2', 1), 200);
	nowMs += 1_000;
	assert.equal(read('eu-1', 20), 200);
});
