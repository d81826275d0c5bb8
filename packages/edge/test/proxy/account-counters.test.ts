import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CounterValue } from '../../src/agent/kept-counters.ts';
import { createAccountCounters } from '../../src/proxy/account-counters.ts';

const DAY_MS = 86_400_000;

function setUp() {
	const values = new Map<string, CounterValue>();
	const ended: string[] = [];
	const state = { nowMs: 0, hasRoom: true };
	const reporter = {
		set(counter: string, value: CounterValue) {
			if (state.hasRoom) values.set(counter, value);
			return state.hasRoom;
		},
		end: (counter: string) => void ended.push(counter),
	};
	return { values, ended, state, accounts: createAccountCounters(reporter, () => state.nowMs) };
}

test('all connections of an account share one counter, and no two starts do', () => {
	const { values, accounts } = setUp();
	for (const bytes of [1, 10]) accounts.open('alice')?.add(bytes, 2 * bytes);
	accounts.open('bob.b')?.add(5, 5);
	assert.deepEqual(
		[...values.values()],
		[
			{ username: 'alice', bytesUp: 11, bytesDown: 22 },
			{ username: 'bob.b', bytesUp: 5, bytesDown: 5 },
		],
	);
	const other = setUp();
	other.accounts.open('alice');
	assert.ok([...other.values.keys()].every((name) => name.endsWith(':alice') && !values.has(name)));
});

test('a counter that rested for a day ends, and the account then gets a new one, which begins at zero', () => {
	const { values, ended, state, accounts } = setUp();
	const connection = accounts.open('alice');
	connection?.add(1, 1);
	state.nowMs = 10 * DAY_MS;
	accounts.endRested();
	assert.deepEqual(ended, [], 'it has a connection');
	connection?.close();
	state.nowMs += DAY_MS - 1;
	accounts.endRested();
	assert.deepEqual(ended, []);
	state.nowMs += 1;
	accounts.endRested();
	accounts.open('alice')?.add(7, 7);
	const [first, second] = [...values.keys()];
	assert.deepEqual(ended, [first]);
	assert.deepEqual(values.get(second as string), { username: 'alice', bytesUp: 7, bytesDown: 7 });
});

test('an account for which no counter can be kept is not served', () => {
	const { state, accounts } = setUp();
	assert.ok(accounts.open('alice'));
	state.hasRoom = false;
	assert.equal(accounts.open('bob.b'), undefined);
	assert.ok(accounts.open('alice'), 'a known account goes on');
	state.hasRoom = true;
	assert.ok(accounts.open('bob.b'));
});
