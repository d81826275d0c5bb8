import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsOf } from '../../src/commands/batch.ts';
import { decide } from '../../src/commands/decide.ts';
import type { ChangeCommand } from '../../src/commands/registry.ts';
import type { Effect } from '../../src/domain/books.ts';
import type { RecordedChange } from '../../src/domain/recorded-change.ts';
import { booksOf } from '../support/books.ts';
import { createNothing, createSubUser, giveBalance, NOON_MS, resetAuthKey, takeBalance } from '../support/commands.ts';

const ID = 'change-number-01';
const BALANCES = { 'acme/acme': 100, 'acme/alice': 50, 'other/other': 30 };
const books = booksOf({ balances: BALANCES });

/** What the command records, beside what it does without an id. */
function recordOf(command: ChangeCommand): Partial<RecordedChange> | undefined {
	const without = decide(books, command, NOON_MS);
	const { outcome, effects } = decide(books, { ...command, changeId: ID }, NOON_MS);
	assert.deepEqual(outcome, without.outcome);
	assert.deepEqual(effects.slice(0, without.effects.length), without.effects.map(causedById));
	const [record, ...others] = effects.slice(without.effects.length);
	assert.deepEqual(others, []);
	if (record === undefined) return undefined;
	assert.ok(record.kind === 'record_change');
	const { reseller, id, atMs, requestId, ...rest } = record.change;
	assert.deepEqual([reseller, id, atMs, requestId], ['acme', ID, NOON_MS, 'test-request']);
	return rest;
}

function causedById(effect: Effect): Effect {
	if (effect.kind !== 'happened') return effect;
	return { ...effect, happening: { ...effect.happening, cause: { requestId: 'test-request', changeId: ID } } };
}

test('a change with an id does what it does without one, and is recorded with what it did', () => {
	for (const [command, amountCents, balanceCents] of [
		[giveBalance('acme', 'alice', 5), 5, 55],
		[takeBalance('acme', 'alice', 5), 5, 45],
		[resetAuthKey('acme', 'alice'), null, null],
		[createSubUser('acme', 'bruno'), 10, 0],
	] as const) {
		const { kind, username = '' } = command;
		assert.deepEqual(recordOf(command), { kind, username, amountCents, balanceCents, error: null });
	}
});

test('a create that costs its fee and fails is recorded, with the error that its sender reads', () => {
	const failed = { kind: 'create_sub_user', amountCents: 10, balanceCents: null };
	const taken = { ...failed, username: 'other', error: 'username_taken' };
	assert.deepEqual(recordOf(createSubUser('acme', 'other')), taken);
	const nameless = { ...failed, username: null };
	assert.deepEqual(recordOf(createNothing('acme')), { ...nameless, error: 'invalid_username' });
	for (const unusableAs of ['payload_too_large', 'invalid_request'] as const) {
		assert.deepEqual(recordOf({ ...createNothing('acme'), unusableAs }), { ...nameless, error: unusableAs });
	}
});

test('a refusal without cost records nothing', () => {
	for (const command of [
		giveBalance('acme', 'alice', 101),
		giveBalance('acme', 'nobody', 1),
		giveBalance('acme', 'alice', 0),
		takeBalance('acme', 'alice', 51),
		resetAuthKey('acme', 'nobody'),
	]) {
		assert.equal(recordOf(command), undefined);
	}
	const poor = booksOf({ balances: { 'acme/acme': 9 } });
	const { effects } = decide(poor, { ...createSubUser('acme', 'bruno'), changeId: ID }, NOON_MS);
	assert.deepEqual(effects, []);
});

test('a repeated change is refused before anything else is looked at, and does nothing', () => {
	const done = { recordedChanges: [{ reseller: 'acme', id: ID }] };
	for (const balances of [BALANCES, { ...BALANCES, 'acme/acme': 0 }]) {
		for (const command of [
			giveBalance('acme', 'alice', 1),
			giveBalance('acme', 'nobody', -1),
			takeBalance('acme', 'alice', 1),
			createSubUser('acme', 'bruno'),
			createNothing('acme'),
			resetAuthKey('acme', 'alice'),
		]) {
			assert.deepEqual(decide(booksOf({ balances, ...done }), { ...command, changeId: ID }, NOON_MS), {
				outcome: { ok: false, error: 'change_repeated' },
				effects: [],
			});
		}
	}
});

test('ids of two resellers, and an id that contains another, do not meet', () => {
	const recordedChanges = [
		{ reseller: 'other', id: ID },
		{ reseller: 'acme', id: `${ID}0` },
	];
	const { outcome } = decide(
		booksOf({ balances: BALANCES, recordedChanges }),
		{ ...giveBalance('acme', 'alice', 1), changeId: ID },
		NOON_MS,
	);
	assert.ok(outcome.ok);
});

test('a batch looks up each id of each reseller once', () => {
	const { changes } = needsOf([
		{ ...giveBalance('acme', 'alice', 1), changeId: ID },
		{ ...takeBalance('acme', 'alice', 1), changeId: ID },
		{ ...resetAuthKey('other', 'bruno'), changeId: ID },
		{ ...createNothing('acme'), changeId: `${ID}0` },
		giveBalance('acme', 'alice', 1),
	]);
	assert.deepEqual(changes, [
		{ reseller: 'acme', id: ID },
		{ reseller: 'acme', id: `${ID}0` },
		{ reseller: 'other', id: ID },
	]);
});
