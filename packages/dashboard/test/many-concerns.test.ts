import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KnownNames } from '@bursar/contract/dashboard';
import { NAMES_AT_ONCE } from '@bursar/contract/dashboard-limits';
import { concernsOf, isDecided, linesLeft } from '../src/features/many/concerns.ts';
import type { OperationName } from '../src/features/many/operations.ts';
import type { WantedLine } from '../src/features/many/run.ts';
import { lookUp } from '../src/features/many/use-known-names.ts';

const KNOWN: KnownNames = {
	sub_users: [
		{ username: 'alice', balance: 500, state: 'active' },
		{ username: 'bobby', balance: 0, state: 'suspended' },
		{ username: 'carla', balance: 0, state: 'no_balance' },
	],
	used: ['ended', 'acme'],
};
const NOW_MS = Date.parse('2026-11-21T12:00:00Z');

function concerned(operation: OperationName, lines: readonly (readonly [string, number?] | WantedLine)[]) {
	const wanted = lines.map((line, index): WantedLine => {
		if ('username' in line) return line;
		const [username, cents = 0] = line;
		return { line: index + 1, username, cents };
	});
	const concerns = concernsOf(operation, wanted, { known: KNOWN, nowMs: NOW_MS });
	return {
		wanted,
		concerns,
		said: concerns.map(({ kind, lines }) => [kind, ...lines.map(({ line }) => line)].join(' ')),
	};
}

test('before anything is sent, names are known to be unknown, doubled or suspended, and takes to be too much', () => {
	const names = [
		['alice', 300],
		['nobody', 1],
		['alice', 300],
		['bobby', 5],
		['ended', 1],
		['alice', 1],
	] as const;
	assert.deepEqual(concerned('give', names).said, ['unknown 2 5', 'twice 3 6', 'suspended 4']);
	assert.deepEqual(concerned('take', names).said, ['unknown 2 5', 'twice 3 6', 'too_much 3 4 6']);
	assert.deepEqual(
		concerned('give', names).concerns[1]?.lines.map(({ firstLine }) => firstLine),
		[1, 1],
	);
	const selected = [['alice'], ['bobby'], ['carla']] as const;
	for (const [operation, said] of [
		['limits', ['suspended 2']],
		['reset_key', ['suspended 2']],
		['suspend', []],
		['resume', []],
		['delete', []],
	] as const) {
		assert.deepEqual(concerned(operation, selected).said, said, operation);
	}
	assert.deepEqual(concerned('delete', [['acme'], ['alice']]).said, ['unknown 1'], 'the reseller is no sub-user');
});

test('of new sub-users, names that are used and ends in the past are known', () => {
	const end = (line: number, username: string, expires_at: string) => ({
		line,
		username,
		cents: 0,
		limits: { expires_at },
	});
	const { said } = concerned('create', [
		end(1, 'new.one', '2026-11-21T11:59:59.000Z'),
		end(2, 'new.two', '2026-11-21T12:00:01.000Z'),
		{ line: 3, username: 'alice', cents: 0 },
		{ line: 4, username: 'ended', cents: 0 },
		{ line: 5, username: 'acme', cents: 0 },
	]);
	assert.deepEqual(said, ['exists 3 4 5', 'ends_now 1']);
});

test('nothing is sent before each concern is decided, and what is left out is not sent', () => {
	const { wanted, concerns } = concerned('give', [
		['alice', 1],
		['nobody', 1],
		['alice', 2],
		['bobby', 3],
	]);
	assert.deepEqual(
		concerns.map(({ mayKeep }) => mayKeep),
		[false, true, true],
	);
	assert.ok(!isDecided(concerns, {}));
	assert.ok(!isDecided(concerns, { unknown: 'left_out', twice: 'kept' }));
	const decisions = { unknown: 'left_out', twice: 'kept', suspended: 'left_out' } as const;
	assert.ok(isDecided(concerns, decisions));
	assert.deepEqual(
		linesLeft(wanted, concerns, decisions).map(({ line }) => line),
		[1, 3],
	);
	assert.ok(isDecided([], {}));
});

test('names are looked up in calls of bounded size, never one by one', async () => {
	const names = Array.from({ length: 2 * NAMES_AT_ONCE + 1 }, (_, index) => `user.${index}`);
	const asked: number[] = [];
	const known = await lookUp(names, async (usernames) => {
		asked.push(usernames.length);
		return { sub_users: [], used: usernames.slice(0, 1) };
	});
	assert.deepEqual(asked, [NAMES_AT_ONCE, NAMES_AT_ONCE, 1]);
	assert.deepEqual(known.used, ['user.0', `user.${NAMES_AT_ONCE}`, `user.${2 * NAMES_AT_ONCE}`]);
});
