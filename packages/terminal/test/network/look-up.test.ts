import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLookUp } from '../../src/network/look-up.ts';

const FOUR = { address: '192.0.2.1', ttl: 300 };
const SIX = { address: '2001:db8::1', ttl: 300 };
const never = () => new Promise<never>(() => {});

function setUp(resolve4: () => Promise<readonly (typeof FOUR)[]>, resolve6: typeof resolve4, maxNames = 100) {
	const state = { nowMs: 0, asked: [] as string[] };
	const resolver = {
		resolve4(name: string) {
			state.asked.push(name);
			return resolve4();
		},
		resolve6: () => resolve6(),
	};
	return { state, lookUp: createLookUp({ resolver, maxNames, nowMs: () => state.nowMs }) };
}

test('both families are asked for, and IPv4 comes first', async () => {
	const { lookUp } = setUp(
		async () => [FOUR],
		async () => [SIX],
	);
	assert.deepEqual(await lookUp('origin.example'), [FOUR.address, SIX.address]);
});

test('a name server that ignores one family delays no look-up for long', async () => {
	assert.deepEqual(await setUp(async () => [FOUR], never).lookUp('origin.example'), [FOUR.address]);
	assert.deepEqual(await setUp(never, async () => [SIX]).lookUp('origin.example'), [SIX.address]);
});

test('if one family has no address, the other is waited for', async () => {
	const later = () => new Promise<(typeof SIX)[]>((resolve) => setTimeout(resolve, 200, [SIX]));
	assert.deepEqual(await setUp(async () => [], later).lookUp('origin.example'), [SIX.address]);
	const fault = () => Promise.reject(new Error('ENODATA'));
	assert.deepEqual(await setUp(fault, later).lookUp('origin.example'), [SIX.address]);
	assert.deepEqual(await setUp(fault, fault).lookUp('origin.example'), []);
});

test('addresses are remembered for as long as the name server says, and a minute at most', async () => {
	for (const [ttl, seconds] of [
		[5, 5],
		[86_400, 60],
	] as const) {
		const { state, lookUp } = setUp(
			async () => [{ ...FOUR, ttl }],
			async () => [SIX],
		);
		await Promise.all([lookUp('origin.example'), lookUp('origin.example')]);
		state.nowMs = seconds * 1_000 - 1;
		assert.deepEqual(await lookUp('origin.example'), [FOUR.address, SIX.address]);
		assert.equal(state.asked.length, 1);
		state.nowMs += 1;
		await lookUp('origin.example');
		assert.equal(state.asked.length, 2);
	}
});

test('a name without addresses is asked about again', async () => {
	const { state, lookUp } = setUp(
		async () => [],
		async () => [],
	);
	for (let time = 0; time < 2; time++) assert.deepEqual(await lookUp('origin.example'), []);
	assert.equal(state.asked.length, 2);
});

test('the name that was asked about longest ago is forgotten, and no long name is asked about', async () => {
	const { state, lookUp } = setUp(
		async () => [FOUR],
		async () => [SIX],
		2,
	);
	for (const name of ['a.example', 'b.example', 'c.example', 'c.example', 'a.example']) await lookUp(name);
	assert.deepEqual(state.asked, ['a.example', 'b.example', 'c.example', 'a.example']);
	assert.deepEqual(await lookUp('x'.repeat(254)), []);
	assert.equal(state.asked.length, 4);
});
