import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide } from '../../src/domain/decide.ts';
import { FEES } from '../../src/domain/ledger.ts';
import { booksOf } from '../support/books.ts';
import { createNothing, createSubUser, keyOf, NOON_MS, resetAuthKey } from '../support/commands.ts';

function feeFrom(balanceCents: number, aboutUsername?: string) {
	const transfer = {
		reseller: 'acme',
		debit: 'acme',
		credit: FEES,
		amountCents: 10,
		kind: 'create_fee',
		atMs: NOON_MS,
		requestId: 'test-request',
		debitBalanceCents: balanceCents - 10,
		creditBalanceCents: null,
		...(aboutUsername !== undefined && { aboutUsername }),
	};
	return { kind: 'transfer', transfer };
}

test('a create charges the fee and opens the sub-user with balance 0', () => {
	const books = booksOf({ balances: { 'acme/acme': 10 } });
	const account = {
		reseller: 'acme',
		username: 'alice',
		balanceCents: 0,
		proxyAuthkey: keyOf('alice'),
		createdAtMs: NOON_MS,
	};
	assert.deepEqual(decide(books, createSubUser('acme', 'alice'), NOON_MS), {
		outcome: { ok: true, account },
		effects: [feeFrom(10, 'alice'), { kind: 'open_account', account }],
	});
});

test('below 10 cents, a create is refused for its balance, whatever its name, and charges nothing', () => {
	const books = booksOf({ balances: { 'acme/acme': 9, 'acme/alice': 500 } });
	for (const command of [createSubUser('acme', 'alice'), createSubUser('acme', 'free'), createNothing('acme')]) {
		assert.deepEqual(decide(books, command, NOON_MS), {
			outcome: { ok: false, error: 'insufficient_balance' },
			effects: [],
		});
	}
});

test('a taken name costs the fee, whether a sub-user, another reseller or the reseller itself has it', () => {
	const books = booksOf({ balances: { 'acme/acme': 25, 'acme/alice': 0, 'other/other': 0, 'other/bruno': 0 } });
	for (const username of ['alice', 'bruno', 'other', 'acme']) {
		assert.deepEqual(decide(books, createSubUser('acme', username), NOON_MS), {
			outcome: { ok: false, error: 'username_taken' },
			effects: [feeFrom(25, username)],
		});
	}
});

test('a request without a usable username costs the fee', () => {
	assert.deepEqual(decide(booksOf({ balances: { 'acme/acme': 10 } }), createNothing('acme'), NOON_MS), {
		outcome: { ok: false, error: 'no_usable_username' },
		effects: [feeFrom(10)],
	});
});

test('a create for a reseller that does not exist is a fault', () => {
	assert.throws(() => decide(booksOf({}), createSubUser('acme', 'alice'), NOON_MS), /has no account/);
});

test('a reset replaces the key of a sub-user, and changes no balance', () => {
	const books = booksOf({ balances: { 'acme/acme': 0, 'acme/alice': 0 } });
	const proxyAuthkey = keyOf('alice', 1);
	assert.deepEqual(decide(books, resetAuthKey('acme', 'alice'), NOON_MS), {
		outcome: { ok: true, username: 'alice', proxyAuthkey },
		effects: [{ kind: 'replace_auth_key', change: { reseller: 'acme', username: 'alice', proxyAuthkey } }],
	});
});

test('a reset of an unknown username, a foreign one or the reseller itself is the same refusal', () => {
	const books = booksOf({ balances: { 'acme/acme': 0, 'other/other': 0, 'other/bruno': 0 } });
	for (const username of ['nobody', 'bruno', 'acme', 'other']) {
		assert.deepEqual(decide(books, resetAuthKey('acme', username), NOON_MS), {
			outcome: { ok: false, error: 'unknown_sub_user' },
			effects: [],
		});
	}
});
