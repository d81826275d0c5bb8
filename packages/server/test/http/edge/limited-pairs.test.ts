import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type { CheckRequest } from '@bursar/contract/edge';
import { createPairChecks } from '../../../src/http/edge/pair-checks.ts';
import type { StoredPair } from '../../../src/store/tables/edges/edges.ts';
import { UNLIMITED } from '../../support/unlimited-pair.ts';

const KEY = '4fQ9sLw2ZbT7xKc1';
const ALICE = { username: 'alice', password: KEY };

/** Checks of a pair with limits that the test changes, on a clock that only the test moves. */
function start(t: TestContext) {
	const state = { limits: {} as Partial<StoredPair>, nowMs: 1_000_000, reads: 0, isAway: false };
	const checks = createPairChecks({
		store: {
			async readPairs() {
				state.reads++;
				if (state.isAway) throw new Error('the store is away');
				return new Map([['alice', { ...UNLIMITED, key: KEY, ...state.limits }]]);
			},
		},
		secret: randomBytes(32),
		nowMs: () => state.nowMs,
		monotonicMs: () => state.nowMs,
	});
	t.after(checks.close);
	async function check(asked: CheckRequest = ALICE, edge = 'eu-2') {
		const outcome = await checks.check(edge, asked);
		if (typeof outcome === 'string') return outcome;
		const { username: _, keyId: __, reseller: ___, ...held } = outcome;
		return held;
	}
	async function checkWith(limits: Partial<StoredPair>, asked?: CheckRequest, edge?: string) {
		state.limits = limits;
		// Longer than anything is remembered.
		state.nowMs += 2_000;
		return check(asked, edge);
	}
	return { state, checks, check, checkWith };
}

const FREE = {
	leftBytes: null,
	leftReason: null,
	maxConnections: null,
	maxBytesPerSecond: null,
	endsInMs: null,
	allowedIps: null,
};

test('of several reasons, the first one is told, and a wrong key learns none of them', async (t) => {
	const { checkWith } = start(t);
	const all = {
		isSuspended: true,
		isResellerSuspended: true,
		expiresAtMs: 5,
		allowedIps: ['192.0.2.0/24'],
		leftBytes: 0,
		limitLeftBytes: 0,
		connections: 1,
		open: [{ edge: 'eu-1', process: '', open: 1 }],
	};
	const asked = { ...ALICE, client: '198.51.100.1' };
	assert.equal(await checkWith(all, { username: 'alice', password: 'wrong' }), 'wrong_pair');
	assert.equal(await checkWith(all, asked), 'suspended');
	assert.equal(await checkWith({ ...all, isSuspended: false }, asked), 'suspended', 'the reseller is');
	const resumed = { ...all, isSuspended: false, isResellerSuspended: false };
	assert.equal(await checkWith(resumed, asked), 'expired');
	const alive = { ...resumed, expiresAtMs: null };
	assert.equal(await checkWith(alive, asked), 'address_not_allowed');
	assert.equal(await checkWith(alive, { ...asked, client: '192.0.2.9' }), 'exhausted');
	const paid = { ...alive, leftBytes: 9, allowedIps: null };
	assert.equal(await checkWith(paid, asked), 'limit_reached');
	assert.equal(await checkWith({ ...paid, limitLeftBytes: 5 }, asked), 'connection_limit_reached');
	assert.deepEqual(await checkWith({ ...paid, limitLeftBytes: 5, connections: null }, asked), {
		...FREE,
		leftBytes: 5,
		leftReason: 'limit_reached',
	});
});

test('what is left is the least of the balance and the limits, with the reason why it ends', async (t) => {
	const { checkWith } = start(t);
	const left = async (leftBytes: number | null, limitLeftBytes: number | null) => {
		const held = await checkWith({ leftBytes, limitLeftBytes });
		return typeof held === 'string' ? held : [held.leftBytes, held.leftReason];
	};
	assert.deepEqual(await left(null, null), [null, null]);
	assert.deepEqual(await left(7, null), [7, 'exhausted']);
	assert.deepEqual(await left(null, 7), [7, 'limit_reached']);
	assert.deepEqual(await left(6, 7), [6, 'exhausted']);
	assert.deepEqual(await left(8, 7), [7, 'limit_reached']);
	assert.deepEqual(await left(7, 7), [7, 'exhausted'], 'the first reason');
});

test('an edge is told the speed of a pair, which is no reason to refuse it', async (t) => {
	const { checkWith } = start(t);
	assert.deepEqual(await checkWith({ bytesPerSecond: 8_000 }), { ...FREE, maxBytesPerSecond: 8_000 });
});

test('a pair expires at its moment, also while the store is away', async (t) => {
	const { state, check, checkWith } = start(t);
	const expiresAtMs = 1_000_000 + 2_000 + 5_000;
	assert.deepEqual(await checkWith({ expiresAtMs }), { ...FREE, endsInMs: 5_000 });
	state.isAway = true;
	state.nowMs = expiresAtMs - 1;
	assert.deepEqual(await check(), { ...FREE, endsInMs: 1 });
	state.nowMs = expiresAtMs;
	assert.equal(await check(), 'expired');
});

test('a client without a known address is refused nothing, and one that cannot be read is', async (t) => {
	const { checkWith } = start(t);
	const allowedIps = ['192.0.2.0/24', '2001:db8::/48'];
	const held = { ...FREE, allowedIps };
	assert.deepEqual(await checkWith({ allowedIps }), held, 'the edge holds it');
	for (const client of ['192.0.2.255', '::ffff:192.0.2.1', '2001:DB8:0::1']) {
		assert.deepEqual(await checkWith({ allowedIps }, { ...ALICE, client }), held, client);
	}
	for (const client of ['192.0.3.0', '2001:db8:1::1', '', 'localhost', '192.0.2.1:80', '3221225985']) {
		assert.equal(await checkWith({ allowedIps }, { ...ALICE, client }), 'address_not_allowed', client);
	}
	const other = ['198.51.100.0/24'];
	assert.equal(await checkWith({ allowedIps: other }, { ...ALICE, client: '192.0.2.1' }), 'address_not_allowed');
});

test('each edge may have what the others leave, and is refused if they leave nothing', async (t) => {
	const { checkWith } = start(t);
	const open = [
		{ edge: 'eu-1', process: '', open: 3 },
		{ edge: 'eu-2', process: '', open: 1 },
	];
	const most = async (connections: number, edge: string) => {
		const held = await checkWith({ connections, open }, ALICE, edge);
		return typeof held === 'string' ? held : held.maxConnections;
	};
	assert.deepEqual([await most(5, 'eu-1'), await most(5, 'eu-2'), await most(5, 'eu-3')], [4, 2, 1]);
	assert.deepEqual([await most(4, 'eu-1'), await most(4, 'eu-2')], [3, 1]);
	assert.equal(await most(4, 'eu-3'), 'connection_limit_reached');
	assert.deepEqual(
		[await most(3, 'eu-1'), await most(3, 'eu-2')],
		[3, 'connection_limit_reached'],
		'too many: one edge cuts',
	);
});

test('each process of an edge may have what all others leave, and an old word of its edge does not count', async (t) => {
	const { checkWith } = start(t);
	const open = [
		{ edge: 'eu-1', process: 'b', open: 3 },
		{ edge: 'eu-2', process: '', open: 9 },
		{ edge: 'eu-2', process: 'a', open: 1 },
		{ edge: 'eu-2', process: 'b', open: 2 },
	];
	const held = async (connections: number, process: string) => {
		const outcome = await checkWith({ connections, open }, { ...ALICE, process }, 'eu-2');
		return typeof outcome === 'string' ? outcome : outcome.maxConnections;
	};
	assert.equal(await held(8, 'a'), 3);
	assert.equal(await held(8, 'b'), 4);
	assert.equal(await held(8, 'c'), 2);
	assert.deepEqual([await held(5, 'a'), await held(5, 'b')], [1, 1]);
	assert.equal(await held(6, 'c'), 'connection_limit_reached');
});

test('a pair with any limit is read for each check, so that what is lifted works at once', async (t) => {
	const { state, check, checkWith } = start(t);
	const limits: Partial<StoredPair>[] = [
		{ isSuspended: true },
		{ isResellerSuspended: true },
		{ expiresAtMs: 1 },
		{ expiresAtMs: 9e12 },
		{ allowedIps: ['192.0.2.1'] },
		{ limitLeftBytes: 5 },
		{ connections: 1 },
	];
	for (const each of limits) {
		await checkWith(each);
		state.limits = {};
		assert.deepEqual(await check(), FREE, JSON.stringify(each));
	}
});

test('a re-check of an open connection learns of a suspension within a quarter of a second', async (t) => {
	const { state, checks, check } = start(t);
	const outcome = await checks.check('eu-2', ALICE);
	assert.ok(typeof outcome === 'object');
	const recheck = { username: 'alice', key_id: outcome.keyId };
	state.limits = { isSuspended: true };
	state.nowMs += 249;
	assert.deepEqual(await check(recheck), FREE, 'many edges share one read');
	state.nowMs += 1;
	assert.equal(await check(recheck), 'suspended');
});
