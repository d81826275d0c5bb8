import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CounterValue } from '../../src/agent/kept-counters.ts';
import { createAccountCounters } from '../../src/proxy/account/account-counters.ts';

const DAY_MS = 86_400_000;

function setUp() {
	const values = new Map<string, CounterValue>();
	const ended: string[] = [];
	const state = {
		nowMs: 0,
		hasRoom: true,
		settledBytes: new Map<string, number>(),
		sentBytes: new Map<string, number>(),
	};
	const reporter = {
		set(counter: string, value: CounterValue) {
			if (state.hasRoom) values.set(counter, value);
			return state.hasRoom;
		},
		end: (counter: string) => void ended.push(counter),
		settledBytes: (counter: string) => state.settledBytes.get(counter) ?? 0,
		sentBytes: (counter: string) => state.sentBytes.get(counter) ?? 0,
	};
	const accounts = createAccountCounters({ reporter, maxConnections: 3, nowMs: () => state.nowMs });
	const open = (username: string) => {
		const opened = accounts.open({ username });
		assert.ok(typeof opened === 'object');
		return opened;
	};
	return { values, ended, state, accounts, open };
}

test('all connections of an account share one counter, and no two starts do', () => {
	const { values, open } = setUp();
	for (const bytes of [1, 10]) open('alice').add(bytes, 2 * bytes);
	open('bob.b').add(5, 5);
	assert.deepEqual(
		[...values.values()],
		[
			{ username: 'alice', bytesUp: 11, bytesDown: 22 },
			{ username: 'bob.b', bytesUp: 5, bytesDown: 5 },
		],
	);
	const other = setUp();
	other.accounts.open({ username: 'alice' });
	assert.ok([...other.values.keys()].every((name) => name.endsWith(':alice') && !values.has(name)));
});

test('a counter that rested for a day ends, and the account then gets a new one, which begins at zero', () => {
	const { values, ended, state, accounts, open } = setUp();
	const connection = open('alice');
	connection.add(1, 1);
	state.nowMs = 10 * DAY_MS;
	accounts.endRested();
	assert.deepEqual(ended, [], 'it has a connection');
	connection.close();
	state.nowMs += DAY_MS - 1;
	accounts.endRested();
	assert.deepEqual(ended, []);
	state.nowMs += 1;
	accounts.endRested();
	open('alice').add(7, 7);
	const [first, second] = [...values.keys()];
	assert.deepEqual(ended, [first]);
	assert.deepEqual(values.get(second as string), { username: 'alice', bytesUp: 7, bytesDown: 7 });
});

test('an account for which no counter can be kept is not served', () => {
	const { state, accounts, open } = setUp();
	open('alice');
	state.hasRoom = false;
	assert.equal(accounts.open({ username: 'bob.b' }), 'no_room');
	open('alice');
	state.hasRoom = true;
	open('bob.b');
});

test('an account has so many connections at a time, and no other account loses any by that', () => {
	const { accounts, open } = setUp();
	const [first] = [open('alice'), open('alice'), open('alice')];
	assert.equal(accounts.open({ username: 'alice' }), 'too_many_of_account');
	open('bob.b');
	first?.close();
	open('alice');
	assert.equal(accounts.open({ username: 'alice' }), 'too_many_of_account');
});

test('what passed of an account, and what of it was reported, are those of its present counter', () => {
	const { values, state, accounts, open } = setUp();
	assert.deepEqual(accounts.bytesOf('alice'), { passed: 0, reported: 0, sent: 0 });
	const alice = open('alice');
	alice.add(3, 4);
	open('alice').add(10, 20);
	const [counter] = [...values.keys()];
	state.settledBytes.set(counter as string, 7);
	state.sentBytes.set(counter as string, 17);
	assert.deepEqual(accounts.bytesOf('alice'), { passed: 37, reported: 7, sent: 17 });
	assert.equal(alice.passedBytes, 37);
});
