import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { hashSecret } from '../../../src/credentials.ts';
import type { Edge } from '../../../src/domain/edge.ts';
import { createEdgeDirectory } from '../../../src/http/edge/edge-directory.ts';
import { StoreUnavailableError } from '../../../src/store/reading.ts';

function edge(name: string, key: string | null): Edge {
	return {
		name,
		keyHash: key === null ? null : hashSecret(key),
		keyTail: 'xxxx',
		linkHash: null,
		linkExpiresAtMs: null,
		createdAtMs: 0,
		revokedAtMs: key === null ? 1 : null,
		lastSeenAtMs: null,
		reportedToMs: null,
		checks: 0,
		refusals: 0,
	};
}

/** A directory that reads only when the test says so, with a clock that only the test moves. */
function start(t: TestContext) {
	const state = { edges: [edge('gw', 'bre_one')], isAway: false, nowMs: 0 };
	const directory = createEdgeDirectory(
		{
			async listEdges() {
				if (state.isAway) throw new StoreUnavailableError('away');
				return state.edges;
			},
			isSignInUsed: async () => false,
		},
		{ readMs: 3_600_000, monotonicMs: () => state.nowMs },
	);
	t.after(directory.close);
	return { state, directory };
}

test('an edge is found by its key; a revoked key, a replaced key and an unknown one are not', async (t) => {
	const { state, directory } = start(t);
	await directory.read();
	assert.equal(directory.edgeOf('bre_one'), 'gw');
	assert.equal(directory.edgeOf('bre_one'), 'gw', 'from memory');
	for (const wrong of ['', 'bre_two', hashSecret('bre_one')]) assert.equal(directory.edgeOf(wrong), undefined);
	state.edges = [edge('gw', 'bre_two'), edge('old', null)];
	await directory.read();
	assert.equal(directory.edgeOf('bre_one'), undefined);
	assert.equal(directory.edgeOf('bre_two'), 'gw');
	state.edges = [edge('gw', null)];
	await directory.read();
	assert.equal(directory.edgeOf('bre_two'), undefined);
});

test('before the edges were read, and 15 minutes after the store went away, no key is valid or invalid', async (t) => {
	const { state, directory } = start(t);
	const isUnavailable = () => assert.throws(() => directory.edgeOf('bre_one'), StoreUnavailableError);
	isUnavailable();
	await directory.read();
	state.isAway = true;
	state.nowMs += 15 * 60_000 - 1;
	await directory.read();
	assert.equal(directory.edgeOf('bre_one'), 'gw');
	assert.equal(directory.edgeOf('bre_two'), undefined);
	state.nowMs += 1;
	isUnavailable();
	state.isAway = false;
	await directory.read();
	assert.equal(directory.edgeOf('bre_one'), 'gw');
});

test('a read shows what changed while an earlier one was in progress', async (t) => {
	const { promise: held, resolve: release } = Promise.withResolvers<void>();
	let edges = [edge('gw', 'bre_one')];
	const listEdges = async () => {
		const then = edges;
		await held;
		return then;
	};
	const directory = createEdgeDirectory({ listEdges, isSignInUsed: async () => false }, { readMs: 3_600_000 });
	t.after(directory.close);
	const earlier = directory.read();
	edges = [edge('gw', 'bre_two')];
	const later = directory.read();
	release();
	await Promise.all([earlier, later]);
	assert.equal(directory.edgeOf('bre_two'), 'gw');
});
