import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { isAllowedAddress } from '@bursar/contract/allowed-ips';
import { createLogger } from '@bursar/terminal/logger';
import { eventually } from '@bursar/testing/eventually';
import type { KnownPair } from '../../src/agent/pair-checker.ts';
import { startPairRecheck } from '../../src/proxy/account/pair-recheck.ts';

const LIMIT_MS = 60_000;

const NO_SPEED = { isWaiting: () => false, hold() {}, sendTo() {}, end() {} };

/** A recheck with one open connection and a clock of its own. */
function setUp(test: TestContext) {
	const pair: KnownPair = { username: 'alice', keyId: 'one' };
	const state = { nowMs: 0, asked: 0, isCut: false, recheck: async () => new Map<KnownPair, 'wrong_pair'>() };
	const lines: string[] = [];
	const logger = createLogger('info', { write: (line: string) => void lines.push(line) });
	const recheck = startPairRecheck({
		connections: () => [
			{ pair, client: '192.0.2.1', speed: NO_SPEED, cut: () => Object.assign(state, { isCut: true }) },
		],
		checker: {
			isAllowedFrom: () => true,
			recheck() {
				state.asked++;
				return state.recheck();
			},
		},
		logger,
		intervalMs: 1,
		nowMs: () => state.nowMs,
	});
	test.after(() => recheck.stop());
	return { pair, lines, state, recheck };
}

test('a fault of a recheck is logged, and the next one cuts', async (t) => {
	const { pair, lines, state, recheck } = setUp(t);
	state.recheck = () => Promise.reject(new Error('a fault of the test'));
	await eventually(async () => assert.ok(state.asked >= 3), LIMIT_MS);
	assert.match(lines.join(''), /a fault of the test/);
	assert.equal(recheck.problem(), undefined);
	state.nowMs = 30_001;
	assert.match(recheck.problem() ?? '', /30 seconds/);
	state.recheck = async () => new Map([[pair, 'wrong_pair']]);
	await eventually(async () => assert.equal(recheck.problem(), undefined), LIMIT_MS);
	assert.ok(state.isCut);
	assert.ok(recheck.cut >= 1);
});

test('a recheck that never ends is a problem, and so is no answer for long', async (t) => {
	const { state, recheck } = setUp(t);
	state.recheck = () => new Promise(() => {});
	await eventually(async () => assert.ok(state.asked >= 1), LIMIT_MS);
	state.nowMs = 30_001;
	assert.match(recheck.problem() ?? '', /30 seconds/);
});

/** A recheck of connections whose pairs are all good, and what it has cut, in order. */
async function cutOf(t: TestContext, connections: readonly { readonly pair: KnownPair; readonly client: string }[]) {
	const cut: string[] = [];
	const recheck = startPairRecheck({
		connections: () =>
			connections.map(({ pair, client }, index) => ({
				pair,
				client,
				speed: NO_SPEED,
				cut: (reason) => void cut.push(`${index} ${reason}`),
			})),
		checker: {
			recheck: async () => new Map(),
			isAllowedFrom: ({ allowedFrom }, client) => allowedFrom === undefined || isAllowedAddress([allowedFrom], client),
		},
		logger: createLogger('silent'),
		intervalMs: LIMIT_MS,
	});
	t.after(() => recheck.stop());
	await recheck.ask([]);
	return cut;
}

test('of an account with too many connections the newest are cut, and no other account is', async (t) => {
	const alice = { username: 'alice', keyId: 'one', maxConnections: 2 };
	const bruno = { username: 'bruno', keyId: 'two', maxConnections: 1 };
	const free = { username: 'free', keyId: 'three' };
	const pairs = [alice, free, alice, bruno, free, alice, { ...alice, keyId: 'new key' }];
	const connections = pairs.map((pair) => ({ pair, client: '192.0.2.1' }));
	assert.deepEqual(await cutOf(t, connections), ['5 connection_limit_reached', '6 connection_limit_reached']);
});

test('a connection from an address that is not allowed is cut, and takes no other one with it', async (t) => {
	const alice = { username: 'alice', keyId: 'one', allowedFrom: '192.0.2.0/24', maxConnections: 1 };
	const connections = ['198.51.100.1', '192.0.2.1'].map((client) => ({ pair: alice, client }));
	assert.deepEqual(await cutOf(t, connections), ['0 address_not_allowed']);
});
