import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_CENTS } from '@bursar/contract';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import { decide } from '../../src/domain/decide.ts';
import { booksOf } from '../support/books.ts';
import { giveBalance, NOON_MS, takeBalance } from '../support/commands.ts';

const INVALID_AMOUNTS = [0, -0, -1, 0.1, 1.5, NaN, Infinity, MAX_CENTS + 1, -MAX_CENTS];

function decideOn(balances: Record<string, number>, command: Parameters<typeof decide>[1]) {
	return decide(booksOf({ balances }), command, NOON_MS);
}

test('a give transfers the amount from the reseller to its sub-user, in one ledger entry with both balances', () => {
	const { outcome, effects } = decideOn({ 'acme/acme': 100, 'acme/alice': 7 }, giveBalance('acme', 'alice', 30));
	assert.deepEqual(outcome, { ok: true, username: 'alice', balanceCents: 37 });
	const transfer = {
		reseller: 'acme',
		debit: 'acme',
		credit: 'alice',
		amountCents: 30,
		kind: 'give',
		atMs: NOON_MS,
		requestId: 'test-request',
		debitBalanceCents: 70,
		creditBalanceCents: 37,
	};
	assert.deepEqual(effects, [{ kind: 'transfer', transfer }]);
});

test('a note is recorded with the movement; one that may not be refuses it', () => {
	const balances = { 'acme/acme': 100, 'acme/alice': 7 };
	for (const command of [giveBalance('acme', 'alice', 5), takeBalance('acme', 'alice', 5)]) {
		const effects = decideOn(balances, { ...command, note: 'for May' }).effects;
		const note = { reseller: 'acme', requestId: 'test-request', note: 'for May' };
		assert.deepEqual(effects.slice(1), [{ kind: 'note_movement', note }]);
		assert.deepEqual(decideOn(balances, { ...command, note: '' }), decideOn(balances, command));
		const refusal = { outcome: { ok: false, error: 'invalid_note' }, effects: [] };
		for (const bad of ['x'.repeat(201), 'two\nlines'])
			assert.deepEqual(decideOn(balances, { ...command, note: bad }), refusal);
		// What is refused notes nothing.
		assert.deepEqual(decideOn(balances, { ...command, amountCents: 101, note: 'for May' }).effects, []);
	}
});

test('a take transfers the amount back, and answers with the balance of the sub-user', () => {
	const { outcome, effects } = decideOn({ 'acme/acme': 100, 'acme/alice': 7 }, takeBalance('acme', 'alice', 7));
	assert.deepEqual(outcome, { ok: true, username: 'alice', balanceCents: 0 });
	const transfer = {
		reseller: 'acme',
		debit: 'alice',
		credit: 'acme',
		amountCents: 7,
		kind: 'take',
		atMs: NOON_MS,
		requestId: 'test-request',
		debitBalanceCents: 0,
		creditBalanceCents: 107,
	};
	assert.deepEqual(effects, [{ kind: 'transfer', transfer }]);
});

test('the whole balance can be transferred, and not a cent more', () => {
	const balances = { 'acme/acme': 100, 'acme/alice': 50 };
	assert.deepEqual(decideOn(balances, giveBalance('acme', 'alice', 100)).outcome, {
		ok: true,
		username: 'alice',
		balanceCents: 150,
	});
	for (const command of [giveBalance('acme', 'alice', 101), takeBalance('acme', 'alice', 51)]) {
		assert.deepEqual(decideOn(balances, command), {
			outcome: { ok: false, error: 'insufficient_balance' },
			effects: [],
		});
	}
});

test('an amount that is not a whole number of cents from 1 is refused', () => {
	for (const amountCents of INVALID_AMOUNTS) {
		for (const make of [giveBalance, takeBalance]) {
			const decision = decideOn({ 'acme/acme': 100, 'acme/alice': 100 }, make('acme', 'alice', amountCents));
			assert.deepEqual(decision, { outcome: { ok: false, error: 'invalid_amount' }, effects: [] }, String(amountCents));
		}
	}
});

test('a transfer that would raise a balance over 2^53-1 is refused, in both directions', () => {
	const full = { 'acme/acme': 1, 'acme/alice': MAX_CENTS };
	assert.deepEqual(decideOn(full, giveBalance('acme', 'alice', 1)).outcome, { ok: false, error: 'balance_limit' });
	const fullReseller = { 'acme/acme': MAX_CENTS, 'acme/alice': 2 };
	assert.deepEqual(decideOn(fullReseller, takeBalance('acme', 'alice', 2)), {
		outcome: { ok: false, error: 'balance_limit' },
		effects: [],
	});
	const exactly = decideOn({ 'acme/acme': MAX_CENTS, 'acme/alice': 0 }, giveBalance('acme', 'alice', MAX_CENTS));
	assert.deepEqual(exactly.outcome, { ok: true, username: 'alice', balanceCents: MAX_CENTS });
});

test('unknown and foreign usernames, and the reseller itself, are the same refusal, before any about the amount', () => {
	const balances = { 'acme/acme': 5, 'other/other': 5, 'other/bruno': 5 };
	for (const username of ['bruno', 'nobody', 'acme', 'other']) {
		for (const amountCents of [1, 0, 1000]) {
			for (const make of [giveBalance, takeBalance]) {
				assert.deepEqual(decideOn(balances, make('acme', username, amountCents)), {
					outcome: { ok: false, error: 'unknown_sub_user' },
					effects: [],
				});
			}
		}
	}
});

test('an invalid balance or an unknown reseller is a fault, not a refusal', () => {
	const give = giveBalance('acme', 'alice', 1);
	for (const broken of [-1, 0.5, NaN, MAX_CENTS + 1]) {
		assert.throws(() => decideOn({ 'acme/acme': broken, 'acme/alice': 0 }, give), /balance of acme/);
		assert.throws(() => decideOn({ 'acme/acme': 1, 'acme/alice': broken }, give), /balance of alice/);
	}
	assert.throws(() => decideOn({ 'acme/alice': 0 }, give), /has no account/);
});

test('any transfer keeps the sum of both balances, and their limits', (t) => {
	const cents = fc.oneof(fc.nat({ max: 200 }), fc.integer({ min: MAX_CENTS - 200, max: MAX_CENTS }), fc.maxSafeNat());
	const property = fc.property(cents, cents, cents, fc.boolean(), (reseller, subUser, amountCents, isGive) => {
		const command = (isGive ? giveBalance : takeBalance)('acme', 'alice', amountCents);
		const { outcome, effects } = decideOn({ 'acme/acme': reseller, 'acme/alice': subUser }, command);
		const [from, to] = isGive ? [reseller, subUser] : [subUser, reseller];
		const isPossible = amountCents >= 1 && amountCents <= from && BigInt(to) + BigInt(amountCents) <= BigInt(MAX_CENTS);
		assert.equal(outcome.ok, isPossible);
		assert.equal(effects.length, isPossible ? 1 : 0);
		for (const effect of effects) {
			assert.equal(effect.kind, 'transfer');
			if (effect.kind !== 'transfer') continue;
			const { debitBalanceCents, creditBalanceCents } = effect.transfer;
			assert.equal(BigInt(debitBalanceCents ?? -1) + BigInt(creditBalanceCents ?? -1), BigInt(from) + BigInt(to));
			assert.ok((debitBalanceCents ?? -1) >= 0 && (creditBalanceCents ?? Infinity) <= MAX_CENTS);
		}
	});
	fc.assert(property, { seed: printedSeed(t), numRuns: 2000 });
});
