import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CreateEdge } from '../../../src/commands/edges/create.ts';
import type { JoinEdge } from '../../../src/commands/edges/join.ts';
import { EDGE_LINK_MS, MAX_EDGES } from '../../../src/domain/edge.ts';
import { createReseller, createSubUser, keyOf, NOON_MS, resetAuthKey } from '../../support/commands.ts';
import { edgeUse } from '../../support/records.ts';
import { UNLIMITED } from '../../support/unlimited-pair.ts';
import { type Engine, endings, keepAll, runAll, runAllPeople, runPeople } from './engine.ts';

function createEdge(name: string, serial = 1): CreateEdge {
	return { kind: 'create_edge', name, keyHash: `key ${serial} of ${name}`, keyTail: `t${serial}` };
}

const link = (name: string, serial: number) =>
	({ kind: 'link_edge', name, linkHash: `link ${serial} of ${name}` }) as const;

function join(name: string, linkSerial: number, key: string): JoinEdge {
	const linkHash = `link ${linkSerial} of ${name}`;
	return { kind: 'join_edge', name, linkHash, keyHash: `key ${key}`, keyTail: key };
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
			linkHash: null,
			linkExpiresAtMs: null,
			createdAtMs: NOON_MS,
			revokedAtMs: null,
			lastSeenAtMs: null,
			reportedToMs: null,
			checks: 0,
			refusals: 0,
		};
		const other = { ...made, name: 'eu-2', keyHash: 'key 1 of eu-2' };
		assert.deepEqual(await another.listEdges(), [made, other]);

		await keepAll(another, [edgeUse('eu-1', NOON_MS + 5, 10, 3)]);
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

	test('of two hosts that join at once with one link, over all stores, exactly one becomes the edge', async (t) => {
		const { store, openAnother } = await engine.open(t);
		const another = await openAnother();
		await runAllPeople(store, [createEdge('eu-2'), link('eu-1', 1)]);
		const [other] = (await store.listEdges()).filter(({ name }) => name === 'eu-2');
		const outcomes = await Promise.all([
			runPeople(store, [join('eu-1', 1, 'a')]),
			runPeople(another, [join('eu-1', 1, 'b')]),
		]);
		const ended = outcomes.map((some) => endings(some)[0]);
		assert.deepEqual(ended.toSorted(), ['invalid_link', 'ok']);
		const [winner, loser] = ended[0] === 'ok' ? ['a', 'b'] : ['b', 'a'];
		const [joined, untouched] = await another.listEdges();
		assert.deepEqual([joined?.keyHash, joined?.keyTail, joined?.revokedAtMs], [`key ${winner}`, winner, null]);
		assert.deepEqual(untouched, other);

		// The repeat after a lost answer, also when the link is too old by then.
		const late = NOON_MS + 2 * EDGE_LINK_MS;
		assert.deepEqual(endings(await runPeople(store, [join('eu-1', 1, winner as string)], late)), ['ok']);
		assert.deepEqual(endings(await runPeople(store, [join('eu-1', 1, loser as string)])), ['invalid_link']);
		assert.deepEqual(endings(await runPeople(store, [link('eu-1', 2), createEdge('eu-1')])), [
			'edge_exists',
			'edge_exists',
		]);
		assert.deepEqual(await store.listEdges(), [joined, other]);
	});

	test('when all sessions end, each link of an edge ends, and the edge still waits for its host', async (t) => {
		const { store } = await engine.open(t);
		await runAllPeople(store, [createEdge('eu-1'), link('eu-2', 1), link('eu-3', 1), join('eu-3', 1, 'c')]);
		const [made, , joined] = await store.listEdges();
		await runAllPeople(store, [{ kind: 'end_all_sessions' }], NOON_MS + 1);
		assert.deepEqual(endings(await runPeople(store, [join('eu-2', 1, 'a')])), ['invalid_link']);
		const [stillMade, waits, stillJoined] = await store.listEdges();
		assert.deepEqual([stillMade, stillJoined?.keyHash], [made, joined?.keyHash]);
		assert.deepEqual([waits?.linkHash, waits?.linkExpiresAtMs], [null, NOON_MS]);
		await runAllPeople(store, [link('eu-2', 2), join('eu-2', 2, 'b')]);
	});

	test('a link ends after 24 hours, with a newer link, with a key and with a revocation; a key is one edge', async (t) => {
		const { store } = await engine.open(t);
		const refused = async (command: JoinEdge, atMs = NOON_MS) => {
			const before = await store.listEdges();
			assert.deepEqual(endings(await runPeople(store, [command], atMs)), ['invalid_link']);
			assert.deepEqual(await store.listEdges(), before);
		};
		await runAllPeople(store, [link('eu-1', 1)]);
		await refused(join('eu-1', 1, 'a'), NOON_MS + EDGE_LINK_MS);
		await refused({ ...join('eu-1', 1, 'a'), name: 'eu-9' });
		await runAllPeople(store, [link('eu-1', 2)]);
		await refused(join('eu-1', 1, 'a'));
		await runAllPeople(store, [{ kind: 'revoke_edge', name: 'eu-1' }]);
		await refused(join('eu-1', 2, 'a'));
		await runAllPeople(store, [link('eu-1', 3), createEdge('eu-1')]);
		await refused(join('eu-1', 3, 'a'));

		await runAllPeople(store, [link('eu-2', 1)]);
		await refused({ ...join('eu-2', 1, 'a'), keyHash: 'key 1 of eu-1' });
		await runAllPeople(store, [join('eu-2', 1, 'b')], NOON_MS + EDGE_LINK_MS - 1);
		await runAllPeople(store, [{ kind: 'revoke_edge', name: 'eu-2' }]);
		await refused(join('eu-2', 1, 'b'));
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

	const pair = (username: string, serial = 0) => ({ ...UNLIMITED, key: keyOf(username, serial) });

	test('pairs are the present keys of sub-users and resellers; names without an account are missing', async (t) => {
		const { store, openAnother } = await engine.open(t);
		await runAll(store, [createReseller('acme', 1000), createReseller('other', 1000)]);
		await runAll(store, [createSubUser('acme', 'alice'), createSubUser('other', 'bruno')]);
		const another = await openAnother();
		assert.deepEqual(
			await another.readPairs(['nobody', 'alice', 'bruno', 'acme', 'alice']),
			new Map([
				['alice', pair('alice')],
				['bruno', { ...pair('bruno'), reseller: 'other' }],
				['acme', pair('acme')],
			]),
		);
		await runAll(store, [resetAuthKey('acme', 'alice')]);
		assert.deepEqual(await another.readPairs(['alice']), new Map([['alice', pair('alice', 1)]]));
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
		await corrupt("UPDATE accounts SET sealed_auth_key = 'damaged' WHERE username = 'user.7'");
		const pairs = await store.readPairs(names);
		assert.equal(pairs.size, 600);
		assert.equal(pairs.get('user.7'), null);
		assert.deepEqual(pairs.get('user.599'), pair('user.599'));
		assert.equal(pairs.get('user.600'), undefined);
	});
}
