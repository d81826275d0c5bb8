import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_CENTS } from '@bursar/contract';
import { decide } from '../../src/domain/decide.ts';
import { FUNDING } from '../../src/domain/ledger.ts';
import { type BooksOnPaper, booksOf } from '../support/books.ts';
import { createReseller, creditReseller, keyOf, NOON_MS, tokenOf } from '../support/commands.ts';

function decideOn(onPaper: BooksOnPaper, command: Parameters<typeof decide>[1]) {
	return decide(booksOf(onPaper), command, NOON_MS);
}

function refusal(error: string) {
	return { outcome: { ok: false, error }, effects: [] };
}

const FUNDED = { reseller: 'acme', atMs: NOON_MS, requestId: 'test-request' };

test('a new reseller gets an account, one token without expiry, and its opening balance as a top-up', () => {
	const { outcome, effects } = decideOn({}, createReseller('acme', 500));
	const account = { reseller: 'acme', username: 'acme', proxyAuthkey: keyOf('acme'), createdAtMs: NOON_MS };
	const token = tokenOf(createReseller('acme'));
	assert.deepEqual(outcome, { ok: true, account: { ...account, balanceCents: 500 } });
	assert.deepEqual(effects, [
		{ kind: 'open_account', account: { ...account, balanceCents: 0 } },
		{ kind: 'replace_tokens', reseller: 'acme', tokens: [token] },
		{
			kind: 'transfer',
			transfer: {
				...FUNDED,
				kind: 'top_up',
				debit: FUNDING,
				credit: 'acme',
				amountCents: 500,
				debitBalanceCents: null,
				creditBalanceCents: 500,
			},
		},
	]);
});

test('an opening balance of 0 makes no ledger entry, and an invalid one is refused', () => {
	const kinds = decideOn({}, createReseller('acme', 0)).effects.map(({ kind }) => kind);
	assert.deepEqual(kinds, ['open_account', 'replace_tokens']);
	for (const cents of [-1, 0.5, NaN, MAX_CENTS + 1]) {
		assert.deepEqual(decideOn({}, createReseller('acme', cents)), refusal('balance_limit'));
	}
});

test('a new reseller cannot have the name of a reseller or a sub-user', () => {
	const balances = { 'acme/acme': 0, 'acme/alice': 0 };
	for (const name of ['acme', 'alice'])
		assert.deepEqual(decideOn({ balances }, createReseller(name, 100)), refusal('username_taken'));
});

test('a credit adds to the balance and records its reference; a negative one is an adjustment', () => {
	const balances = { 'acme/acme': 100 };
	assert.deepEqual(decideOn({ balances }, creditReseller('acme', 50, 'invoice-1')), {
		outcome: { ok: true, username: 'acme', balanceCents: 150, repeated: false },
		effects: [
			{
				kind: 'transfer',
				transfer: {
					...FUNDED,
					kind: 'top_up',
					debit: FUNDING,
					credit: 'acme',
					amountCents: 50,
					debitBalanceCents: null,
					creditBalanceCents: 150,
				},
			},
			{
				kind: 'record_top_up',
				topUp: {
					reference: 'invoice-1',
					reseller: 'acme',
					amountCents: 50,
					balanceCents: 150,
					requestId: 'test-request',
					reason: '',
				},
			},
		],
	});
	const { outcome, effects } = decideOn({ balances }, creditReseller('acme', -100, 'mistake-1'));
	assert.deepEqual(outcome, { ok: true, username: 'acme', balanceCents: 0, repeated: false });
	assert.deepEqual(effects[0], {
		kind: 'transfer',
		transfer: {
			...FUNDED,
			kind: 'adjustment',
			debit: 'acme',
			credit: FUNDING,
			amountCents: 100,
			debitBalanceCents: 0,
			creditBalanceCents: null,
		},
	});
});

test('a credit takes no balance below zero or over 2^53-1', () => {
	const balances = { 'acme/acme': 100 };
	assert.deepEqual(decideOn({ balances }, creditReseller('acme', -101, 'r')), refusal('insufficient_balance'));
	assert.deepEqual(decideOn({ balances }, creditReseller('acme', MAX_CENTS - 99, 'r')), refusal('balance_limit'));
	const fits = decideOn({ balances }, creditReseller('acme', MAX_CENTS - 100, 'r'));
	assert.deepEqual(fits.outcome, { ok: true, username: 'acme', balanceCents: MAX_CENTS, repeated: false });
});

/** A payment that was made before requests and reasons were kept. */
const OLD = { requestId: 'first', reason: '' };

test('a repeated reference gets its first answer, whatever the present balance', () => {
	const topUps = [{ reference: 'invoice-1', reseller: 'acme', amountCents: 50, balanceCents: 150, ...OLD }];
	for (const balance of [0, 7, MAX_CENTS]) {
		assert.deepEqual(
			decideOn({ balances: { 'acme/acme': balance }, topUps }, creditReseller('acme', 50, 'invoice-1')),
			{ outcome: { ok: true, username: 'acme', balanceCents: 150, repeated: true }, effects: [] },
		);
	}
});

test('a reference with another amount, sign or reseller is a conflict', () => {
	const balances = { 'acme/acme': 500, 'other/other': 500 };
	const topUps = [{ reference: 'invoice-1', reseller: 'acme', amountCents: 50, balanceCents: 150, ...OLD }];
	for (const [reseller, cents] of [
		['acme', 51],
		['acme', -50],
		['other', 50],
	] as const) {
		const decision = decideOn({ balances, topUps }, creditReseller(reseller, cents, 'invoice-1'));
		assert.deepEqual(decision, refusal('reference_conflict'));
	}
});

test('a credit keeps its reason; one that cannot be read is refused', () => {
	const balances = { 'acme/acme': 0 };
	const { effects } = decideOn({ balances }, { ...creditReseller('acme', 1, 'r'), reason: 'Thank you' });
	assert.equal(effects[1]?.kind === 'record_top_up' && effects[1].topUp.reason, 'Thank you');
	const unreadable = { ...creditReseller('acme', 1, 'r'), reason: 'a\u202eb' };
	assert.deepEqual(decideOn({ balances }, unreadable), refusal('invalid_reason'));
	for (const reason of [undefined, '', ' ']) {
		const unexplained = { ...creditReseller('acme', -1, 'r'), reason };
		assert.deepEqual(decideOn({ balances }, unexplained), refusal('invalid_reason'));
	}
});

test('a credit with an invalid reference is refused', () => {
	const balances = { 'acme/acme': 0 };
	for (const reference of ['', ' invoice-1']) {
		assert.deepEqual(decideOn({ balances }, creditReseller('acme', 1, reference)), refusal('invalid_reference'));
	}
});

test('a credit needs a whole amount other than 0, and a reseller, not a sub-user', () => {
	const balances = { 'acme/acme': 100, 'acme/alice': 100 };
	for (const cents of [0, -0, 0.5, NaN, Infinity, MAX_CENTS + 1, -MAX_CENTS - 1]) {
		assert.deepEqual(decideOn({ balances }, creditReseller('acme', cents, 'r')), refusal('invalid_amount'));
	}
	for (const reseller of ['alice', 'nobody']) {
		assert.deepEqual(decideOn({ balances }, creditReseller(reseller, 1, 'r')), refusal('unknown_reseller'));
	}
});
