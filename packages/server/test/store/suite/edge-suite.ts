import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_EDGES } from '../../../src/domain/edge.ts';
import type { CreateEdge } from '../../../src/domain/operators/operator-command.ts';
import { createReseller, createSubUser, keyOf, NOON_MS, resetAuthKey } from '../../support/commands.ts';
import { edgeUse } from '../../support/notes.ts';
import { type Engine, endings, noteAll, runAll, runAllPeople, runPeople } from './engine.ts';

function createEdge(name: string, serial = 1): CreateEdge {
	return { kind: 'create_edge', name, keyHash: `key ${serial} of ${name}`, keyTail: `t${serial}` };
}

/** Tests the edges and what the edge listener reads. */
export function edgeSuite(engine: Engine): void {
	test('an edge is created once, revoked at any time, and created again with a new key', async (t) => {
		const { store, openAnother } = await engine.open(t);
		const another = await openAnother();
		const outcomes = await runPeople(store, [createEdge('eu-2'), createEdge('eu-1'), createEdge('eu-1', 2)]);
		assert.deepEqual(endings(outcomes), ['ok', 'ok', 'edge_exists']);
		assert.deepEqual(endings(await runPeople(another, [createEdge('eu-1', 3), createEdge('EU 1')])), [
			'edge_exists',
			'invalid_edge_name',
		]);
		const made = {
			name: 'eu-1',
			keyHash: 'key 1 of eu-1',
			keyTail: 't1',
			createdAtMs: NOON_MS,
			revokedAtMs: null,
			lastSeenAtMs: null,
			reportedToMs: null,
			checks: 0,
			refusals: 0,
		};
		const other = { ...made, name: 'eu-2', keyHash: 'key 1 of eu-2' };
		assert.deepEqual(await another.listEdges(), [made, other]);

		await noteAll(another, [edgeUse('eu-1', NOON_MS + 5, 10, 3)]);
		const revoke = { kind: 'revoke_edge', name: 'eu-1' } as const;
		assert.deepEqual(endings(await runPeople(another, [revoke, { kind: 'revoke_edge', name: 'eu-9' }], NOON_MS + 7)), [
			'ok',
			'unknown_edge',
		]);
		await runAllPeople(store, [revoke], NOON_MS + 8);
		const used = { ...made, lastSeenAtMs: NOON_MS + 5, checks: 10, refusals: 3 };
		assert.deepEqual(await store.listEdges(), [{ ...used, keyHash: null, revokedAtMs: NOON_MS + 7 }, other]);

		await runAllPeople(store, [createEdge('eu-1', 4)], NOON_MS + 9);
		const again = { ...used, keyHash: 'key 4 of eu-1', keyTail: 't4', createdAtMs: NOON_MS + 9 };
		assert.deepEqual(await another.listEdges(), [again, other]);
	});

	test('what edges did is added up over all stores; the last time seen never goes back; unknown edges are ignored', async (t) => {
		const { store, openAnother } = await engine.open(t);
		const stores = [store, await openAnother()];
		await runAllPeople(store, [createEdge('eu-1'), createEdge('eu-2')]);
		await Promise.all(
			stores.map(async (each, index) => {
				for (let n = 0; n < 5; n++) {
					const uses = ['gone', 'eu-2', 'eu-1'].map((name) => edgeUse(name, NOON_MS + 10 * n + index, 7, 2));
					await noteAll(each, index ? uses : uses.toReversed());
				}
			}),
		);
		await noteAll(store, [edgeUse('eu-1', NOON_MS)]);
		assert.deepEqual(
			(await store.listEdges()).map(({ name, lastSeenAtMs, checks, refusals }) => [
				name,
				lastSeenAtMs,
				checks,
				refusals,
			]),
			[
				['eu-1', NOON_MS + 41, 70, 20],
				['eu-2', NOON_MS + 41, 70, 20],
			],
		);
	});

	test('there are 1,000 edges at most, the revoked ones too', async (t) => {
		const { store, insert } = await engine.open(t);
		await runAllPeople(store, [createEdge('eu-1')]);
		const row = (n: number) => ({ name: `more-${n}`, key_hash: `hash ${n}`, key_tail: 'tail', created_at_ms: NOON_MS });
		const more = Array.from({ length: MAX_EDGES - 1 }, (_, n) => row(n));
		await insert({ edges: more });
		await runAllPeople(store, [{ kind: 'revoke_edge', name: 'more-5' }]);
		assert.deepEqual(endings(await runPeople(store, [createEdge('one-more'), createEdge('more-5', 2)])), [
			'too_many_edges',
			'ok',
		]);
		assert.equal((await store.listEdges()).length, MAX_EDGES);
	});

	test('pairs are the present keys of sub-users and resellers; names without an account are missing', async (t) => {
		const { store, openAnother } = await engine.open(t);
		await runAll(store, [createReseller('acme', 1000), createReseller('other', 1000)]);
		await runAll(store, [createSubUser('acme', 'alice'), createSubUser('other', 'bruno')]);
		const another = await openAnother();
		assert.deepEqual(
			await another.readPairs(['nobody', 'alice', 'bruno', 'acme', 'alice']),
			new Map([
				['alice', keyOf('alice')],
				['bruno', keyOf('bruno')],
				['acme', keyOf('acme')],
			]),
		);
		await runAll(store, [resetAuthKey('acme', 'alice')]);
		assert.deepEqual(await another.readPairs(['alice']), new Map([['alice', keyOf('alice', 1)]]));
		assert.deepEqual(await another.readPairs([]), new Map());
	});

	test('a thousand pairs are read at once; a damaged row fails no other', async (t) => {
		const { store, corrupt } = await engine.open(t);
		const names = Array.from({ length: 1000 }, (_, n) => `user.${n}`);
		await runAll(store, [createReseller('acme', 100_000)]);
		for (let from = 0; from < 600; from += 200) {
			await runAll(
				store,
				names.slice(from, from + 200).map((name) => createSubUser('acme', name)),
			);
		}
		await corrupt({ kind: 'sealed_key', username: 'user.7' });
		const pairs = await store.readPairs(names);
		assert.equal(pairs.size, 600);
		assert.equal(pairs.get('user.7'), null);
		assert.equal(pairs.get('user.599'), keyOf('user.599'));
		assert.equal(pairs.get('user.600'), undefined);
	});
}
