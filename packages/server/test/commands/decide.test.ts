import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_CENTS } from '@bursar/contract';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import { decide } from '../../src/commands/decide.ts';
import type { Command } from '../../src/commands/registry.ts';
import type { Effect } from '../../src/domain/books.ts';
import { type BooksOnPaper, booksOf } from '../support/books.ts';
import {
	createNothing,
	createReseller,
	createSubUser,
	creditReseller,
	deleteSubUser,
	giveBalance,
	keyOf,
	NOON_MS,
	resetAuthKey,
	revokeToken,
	setLimits,
	setNote,
	suspendSubUser,
	takeBalance,
	tokenOf,
} from '../support/commands.ts';

const INVALID_AMOUNTS = [0, -0, 0.1, 1.5, NaN, Infinity, MAX_CENTS + 1, -MAX_CENTS - 1];
/** A payment that was made before requests and reasons were kept. */
const PAID = {
	reference: 'invoice-1',
	reseller: 'acme',
	amountCents: 50,
	requestId: 'first',
	reason: '',
	payment: null,
};

/** How a command of acme ends, and its effects. An entry is `KIND CENTS: FROM BALANCE-AFTER -> TO BALANCE-AFTER`. */
function decided(onPaper: BooksOnPaper, command: Command): readonly string[] {
	const { outcome, effects } = decide(booksOf(onPaper), command, NOON_MS);
	const balance = outcome.ok && 'balanceCents' in outcome ? [outcome.username, outcome.balanceCents] : [];
	return [outcome.ok ? ['ok', ...balance].join(' ') : outcome.error, ...effects.map(inShort)];
}

function inShort(effect: Effect): string {
	if (effect.kind === 'happened') return `tells ${effect.happening.type}`;
	if (effect.kind !== 'transfer') return effect.kind;
	const { kind, amountCents, debit, debitBalanceCents, credit, creditBalanceCents, ...rest } = effect.transfer;
	const { aboutUsername, ...usual } = rest;
	assert.deepEqual(usual, { reseller: 'acme', atMs: NOON_MS, requestId: 'test-request' });
	const about = aboutUsername === undefined ? '' : `, about ${aboutUsername}`;
	return `${kind} ${amountCents}: ${debit} ${debitBalanceCents} -> ${credit} ${creditBalanceCents}${about}`;
}

test('a create charges the fee and opens the sub-user with balance 0', () => {
	const balances = { 'acme/acme': 10 };
	const fee = 'create_fee 10: acme 0 -> platform:fees null, about alice';
	assert.deepEqual(decided({ balances }, createSubUser('acme', 'alice')), [
		'ok',
		fee,
		'open_account',
		'tells sub_user.created',
	]);
	const made = { reseller: 'acme', username: 'alice', proxyAuthkey: keyOf('alice'), createdAtMs: NOON_MS };
	const { outcome, effects } = decide(booksOf({ balances }), createSubUser('acme', 'alice'), NOON_MS);
	assert.deepEqual(outcome, { ok: true, account: { ...made, balanceCents: 0 } });
	assert.deepEqual(effects[1], { kind: 'open_account', account: { ...made, balanceCents: 0 }, told: null });
});

test('below 10 cents, a create is refused for its balance, whatever its name, and charges nothing', () => {
	const balances = { 'acme/acme': 9, 'acme/alice': 500 };
	for (const command of [createSubUser('acme', 'alice'), createSubUser('acme', 'free'), createNothing('acme')]) {
		assert.deepEqual(decided({ balances }, command), ['insufficient_balance']);
	}
});

test('a taken name costs the fee, whoever has it, and so does a request without a usable one', () => {
	const balances = { 'acme/acme': 25, 'acme/alice': 0, 'other/other': 0, 'other/bruno': 0 };
	const fee = 'create_fee 10: acme 15 -> platform:fees null';
	for (const name of ['alice', 'bruno', 'other', 'acme']) {
		const ending = decided({ balances }, createSubUser('acme', name));
		assert.deepEqual(ending, ['username_taken', `${fee}, about ${name}`]);
	}
	assert.deepEqual(decided({ balances }, createNothing('acme')), ['no_usable_username', fee]);
});

test('a reset replaces the key of a sub-user, and changes no balance', () => {
	const books = booksOf({ balances: { 'acme/acme': 0, 'acme/alice': 0 } });
	const proxyAuthkey = keyOf('alice', 1);
	assert.deepEqual(decide(books, resetAuthKey('acme', 'alice'), NOON_MS), {
		outcome: { ok: true, username: 'alice', proxyAuthkey },
		effects: [
			{ kind: 'replace_auth_key', change: { reseller: 'acme', username: 'alice', proxyAuthkey } },
			{
				kind: 'happened',
				happening: {
					...{ type: 'sub_user.key_reset', reseller: 'acme', username: 'alice', data: {}, atMs: NOON_MS },
					cause: { requestId: 'test-request', changeId: undefined },
				},
			},
		],
	});
});

test('a give and a take are one ledger entry with both balances: up to the whole balance, and not a cent more', () => {
	const balances = { 'acme/acme': 100, 'acme/alice': 7 };
	for (const [command, ...expected] of [
		[giveBalance('acme', 'alice', 30), 'ok alice 37', 'give 30: acme 70 -> alice 37'],
		[giveBalance('acme', 'alice', 100), 'ok alice 107', 'give 100: acme 0 -> alice 107'],
		[giveBalance('acme', 'alice', 101), 'insufficient_balance'],
		[takeBalance('acme', 'alice', 7), 'ok alice 0', 'take 7: alice 0 -> acme 107'],
		[takeBalance('acme', 'alice', 8), 'insufficient_balance'],
	] as const) {
		assert.deepEqual(decided({ balances }, command), expected);
	}
});

test('a note is recorded with the movement; one that may not be refuses it', () => {
	const balances = { 'acme/acme': 100, 'acme/alice': 7 };
	for (const command of [giveBalance('acme', 'alice', 5), takeBalance('acme', 'alice', 5)]) {
		const { effects } = decide(booksOf({ balances }), { ...command, note: 'for May' }, NOON_MS);
		const note = { reseller: 'acme', requestId: 'test-request', note: 'for May' };
		assert.deepEqual(effects.slice(1), [{ kind: 'note_movement', note }]);
		assert.deepEqual(decided({ balances }, { ...command, note: '' }), decided({ balances }, command));
		for (const bad of ['x'.repeat(201), 'two\nlines']) {
			assert.deepEqual(decided({ balances }, { ...command, note: bad }), ['invalid_note']);
		}
		const refused = { ...command, amountCents: 101, note: 'for May' };
		assert.deepEqual(decided({ balances }, refused), ['insufficient_balance'], 'what is refused notes nothing');
	}
});

test('an amount that is not a whole number of cents from 1, or from -1 for a credit, is refused', () => {
	const balances = { 'acme/acme': 100, 'acme/alice': 100 };
	for (const cents of INVALID_AMOUNTS) {
		for (const command of [
			...[giveBalance('acme', 'alice', cents), takeBalance('acme', 'alice', cents)],
			creditReseller('acme', cents, 'r'),
		]) {
			assert.deepEqual(decided({ balances }, command), ['invalid_amount'], `${command.kind} ${cents}`);
		}
	}
	assert.deepEqual(decided({ balances }, giveBalance('acme', 'alice', -1)), ['invalid_amount']);
});

test('nothing raises a balance over 2^53-1, or takes one below zero', () => {
	const full = (reseller: number, subUser: number) => ({
		balances: { 'acme/acme': reseller, 'acme/alice': subUser },
	});
	for (const [onPaper, command, ending] of [
		[full(1, MAX_CENTS), giveBalance('acme', 'alice', 1), 'balance_limit'],
		[full(MAX_CENTS, 2), takeBalance('acme', 'alice', 2), 'balance_limit'],
		[full(MAX_CENTS, 0), giveBalance('acme', 'alice', MAX_CENTS), `ok alice ${MAX_CENTS}`],
		[full(100, 0), creditReseller('acme', -101, 'r'), 'insufficient_balance'],
		[full(100, 0), creditReseller('acme', MAX_CENTS - 99, 'r'), 'balance_limit'],
		[full(100, 0), creditReseller('acme', MAX_CENTS - 100, 'r'), `ok acme ${MAX_CENTS}`],
	] as const) {
		assert.equal(decided(onPaper, command)[0], ending);
	}
});

test('unknown and foreign usernames, and the reseller itself, are the same refusal, before any about the amount', () => {
	const balances = { 'acme/acme': 5, 'other/other': 5, 'other/bruno': 5 };
	for (const username of ['bruno', 'nobody', 'acme', 'other']) {
		const moves = [1, 0, 1000].flatMap((cents) => [
			giveBalance('acme', username, cents),
			takeBalance('acme', username, cents),
		]);
		for (const command of [...moves, resetAuthKey('acme', username)]) {
			assert.deepEqual(decided({ balances }, command), ['unknown_sub_user']);
		}
	}
});

test('an invalid balance or an unknown reseller is a fault, not a refusal', () => {
	const give = giveBalance('acme', 'alice', 1);
	for (const broken of [-1, 0.5, NaN, MAX_CENTS + 1]) {
		assert.throws(() => decided({ balances: { 'acme/acme': broken, 'acme/alice': 0 } }, give), /balance of acme/);
		assert.throws(() => decided({ balances: { 'acme/acme': 1, 'acme/alice': broken } }, give), /balance of alice/);
	}
	for (const command of [give, createSubUser('acme', 'bruno')]) {
		assert.throws(() => decided({ balances: { 'acme/alice': 0 } }, command), /has no account/);
	}
});

test('any transfer keeps the sum of both balances, and their limits', (t) => {
	const cents = fc.oneof(fc.nat({ max: 200 }), fc.integer({ min: MAX_CENTS - 200, max: MAX_CENTS }), fc.maxSafeNat());
	const property = fc.property(cents, cents, cents, fc.boolean(), (reseller, subUser, amountCents, isGive) => {
		const command = (isGive ? giveBalance : takeBalance)('acme', 'alice', amountCents);
		const books = booksOf({ balances: { 'acme/acme': reseller, 'acme/alice': subUser } });
		const { outcome, effects } = decide(books, command, NOON_MS);
		const [from, to] = isGive ? [reseller, subUser] : [subUser, reseller];
		const isPossible = amountCents >= 1 && amountCents <= from && BigInt(to) + BigInt(amountCents) <= BigInt(MAX_CENTS);
		assert.equal(outcome.ok, isPossible);
		assert.equal(effects.length, isPossible ? 1 : 0);
		for (const effect of effects) {
			assert.ok(effect.kind === 'transfer');
			const { debitBalanceCents, creditBalanceCents } = effect.transfer;
			assert.equal(BigInt(debitBalanceCents ?? -1) + BigInt(creditBalanceCents ?? -1), BigInt(from) + BigInt(to));
			assert.ok((debitBalanceCents ?? -1) >= 0 && (creditBalanceCents ?? Infinity) <= MAX_CENTS);
		}
	});
	fc.assert(property, { seed: printedSeed(t), numRuns: 2000 });
});

test('a new reseller gets an account, one token without expiry, and its opening balance as a top-up', () => {
	const topUp = 'top_up 500: platform:funding null -> acme 500';
	assert.deepEqual(decided({}, createReseller('acme', 500)), ['ok', 'open_account', 'replace_tokens', topUp]);
	const { outcome, effects } = decide(booksOf({}), createReseller('acme', 500), NOON_MS);
	const account = { reseller: 'acme', username: 'acme', proxyAuthkey: keyOf('acme'), createdAtMs: NOON_MS };
	assert.deepEqual(outcome, { ok: true, account: { ...account, balanceCents: 500 } });
	assert.deepEqual(effects.slice(0, 2), [
		{ kind: 'open_account', account: { ...account, balanceCents: 0 } },
		{ kind: 'replace_tokens', reseller: 'acme', tokens: [tokenOf(createReseller('acme'))] },
	]);
	assert.deepEqual(decided({}, createReseller('acme', 0)), ['ok', 'open_account', 'replace_tokens']);
	for (const cents of [-1, 0.5, NaN, MAX_CENTS + 1]) {
		assert.deepEqual(decided({}, createReseller('acme', cents)), ['balance_limit']);
	}
	for (const name of ['acme', 'alice']) {
		const balances = { 'acme/acme': 0, 'acme/alice': 0 };
		assert.deepEqual(decided({ balances }, createReseller(name, 100)), ['username_taken']);
	}
});

test('a credit adds to the balance and records its reference; a negative one is an adjustment', () => {
	const balances = { 'acme/acme': 100 };
	const told = ['record_top_up', 'tells reseller.credited'];
	const credited = ['ok acme 150', 'top_up 50: platform:funding null -> acme 150', ...told];
	assert.deepEqual(decided({ balances }, creditReseller('acme', 50, 'invoice-1')), credited);
	const { outcome, effects } = decide(booksOf({ balances }), creditReseller('acme', 50, 'invoice-1'), NOON_MS);
	assert.ok(outcome.ok && 'repeated' in outcome && !outcome.repeated);
	const topUp = { ...PAID, balanceCents: 150, requestId: 'test-request' };
	assert.deepEqual(effects[1], { kind: 'record_top_up', topUp });
	const adjusted = ['ok acme 0', 'adjustment 100: acme 0 -> platform:funding null', ...told];
	assert.deepEqual(decided({ balances }, creditReseller('acme', -100, 'mistake-1')), adjusted);
	for (const reseller of ['alice', 'nobody']) {
		assert.deepEqual(decided({ balances }, creditReseller(reseller, 1, 'r')), ['unknown_reseller']);
	}
});

test('a repeated reference gets its first answer; with another amount, sign or reseller it is a conflict', () => {
	const topUps = [{ ...PAID, balanceCents: 150 }];
	for (const balance of [0, 7, MAX_CENTS]) {
		const books = booksOf({ balances: { 'acme/acme': balance }, topUps });
		assert.deepEqual(decide(books, creditReseller('acme', 50, 'invoice-1'), NOON_MS), {
			outcome: { ok: true, username: 'acme', balanceCents: 150, repeated: true },
			effects: [],
		});
	}
	const balances = { 'acme/acme': 500, 'other/other': 500 };
	for (const [reseller, cents] of [
		['acme', 51],
		['acme', -50],
		['other', 50],
	] as const) {
		const again = creditReseller(reseller, cents, 'invoice-1');
		assert.deepEqual(decided({ balances, topUps }, again), ['reference_conflict']);
	}
});

test('a credit keeps its reason; one that cannot be read, or is missing where money is taken, is refused', () => {
	const balances = { 'acme/acme': 0 };
	const thanks = { ...creditReseller('acme', 1, 'r'), reason: 'Thank you' };
	const [, recorded] = decide(booksOf({ balances }), thanks, NOON_MS).effects;
	assert.equal(recorded?.kind === 'record_top_up' && recorded.topUp.reason, 'Thank you');
	const unexplained = [undefined, '', ' '].map((reason) => ({ ...creditReseller('acme', -1, 'r'), reason }));
	for (const command of [{ ...thanks, reason: 'a\u202eb' }, ...unexplained]) {
		assert.deepEqual(decided({ balances }, command), ['invalid_reason']);
	}
	for (const reference of ['', ' invoice-1']) {
		assert.deepEqual(decided({ balances }, creditReseller('acme', 1, reference)), ['invalid_reference']);
	}
});

test('a suspended reseller changes neither money nor sub-users, and pays no fee; its token can be replaced', () => {
	const suspended = { balances: { 'acme/acme': 100, 'acme/alice': 50 }, suspendedResellers: ['acme'] };
	for (const command of [
		...[createSubUser('acme', 'bruno'), giveBalance('acme', 'alice', 1), takeBalance('acme', 'alice', 1)],
		...[resetAuthKey('acme', 'alice'), suspendSubUser('acme', 'alice'), deleteSubUser('acme', 'alice')],
		...[setLimits('acme', 'alice', { connections: 1 }), setNote('acme', 'alice', 'a note')],
	]) {
		assert.deepEqual(decided(suspended, command), ['suspended'], command.kind);
	}
	assert.equal(decided(suspended, revokeToken('acme', 'next'))[0], 'ok');
});
