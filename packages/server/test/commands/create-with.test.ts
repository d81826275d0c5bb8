import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_CENTS } from '@bursar/contract';
import { decide } from '../../src/commands/decide.ts';
import type { Command } from '../../src/commands/registry.ts';
import type { Effect } from '../../src/domain/books.ts';
import { NO_LIMITS } from '../../src/domain/terms.ts';
import { type BooksOnPaper, booksOf } from '../support/books.ts';
import { createSubUserWith, keyOf, NOON_MS } from '../support/commands.ts';
import { actOf, sessionOf } from '../support/person-commands.ts';

const BALANCES = { 'acme/acme': 35, 'acme/alice': 0, 'other/other': 0, 'other/bruno': 0 };
const END_MS = NOON_MS + 1;
const PACKAGE = { amountCents: 25, limits: { totalBytes: 5_000, expiresAtMs: END_MS }, note: 'order 7' };
const FEE = 'create_fee 10: acme 25 -> platform:fees';

function decided(onPaper: BooksOnPaper, command: Command) {
	const { outcome, effects } = decide(booksOf(onPaper), command, NOON_MS);
	return [outcome.ok ? 'ok' : outcome.error, ...effects.map(inShort)];
}

function inShort(effect: Effect): string {
	if (effect.kind === 'happened') return `${effect.happening.type} ${JSON.stringify(effect.happening.data)}`;
	if (effect.kind === 'change_terms') return `terms ${JSON.stringify(effect.change.terms)}`;
	if (effect.kind === 'open_account') return `open ${effect.account.username}, told ${effect.told}`;
	if (effect.kind !== 'transfer') return effect.kind;
	const { kind, amountCents, debit, debitBalanceCents, credit, creditBalanceCents, reference } = effect.transfer;
	const to = creditBalanceCents === null ? credit : `${credit} ${creditBalanceCents}`;
	return `${kind} ${amountCents}: ${debit} ${debitBalanceCents} -> ${to}${reference ? `, for ${reference}` : ''}`;
}

test('the fee is charged, and the sub-user has its balance, its limits and its note from the beginning', () => {
	const command = createSubUserWith('acme', 'chiara', { ...PACKAGE, reference: 'order-7' });
	const limits = { ...NO_LIMITS, ...PACKAGE.limits };
	const expires_at = new Date(END_MS).toISOString();
	const told = {
		day_bytes: null,
		month_bytes: null,
		total_bytes: 5_000,
		connections: null,
		bytes_per_second: null,
		allowed_ips: null,
	};
	assert.deepEqual(decided({ balances: BALANCES }, command), [
		'ok',
		FEE,
		'open chiara, told null',
		'sub_user.created {"usable":true,"reason":null}',
		`terms ${JSON.stringify({ suspendedAtMs: null, limits, note: 'order 7' })}`,
		`sub_user.limits_set ${JSON.stringify({ limits: { ...told, expires_at } })}`,
		'give 25: acme 0 -> chiara 25, for order-7',
	]);
	const { outcome } = decide(booksOf({ balances: BALANCES }), command, NOON_MS);
	const account = { reseller: 'acme', username: 'chiara', proxyAuthkey: keyOf('chiara'), createdAtMs: NOON_MS };
	assert.deepEqual(outcome, {
		ok: true,
		account: { ...account, balanceCents: 25 },
		terms: { suspendedAtMs: null, limits, note: 'order 7' },
	});
});

test('each of balance, limits and note may be missing, and does nothing then', () => {
	const made = [FEE, 'open chiara, told null', 'sub_user.created {"usable":true,"reason":null}'];
	const terms = (limits: object, note: string) =>
		`terms ${JSON.stringify({ suspendedAtMs: null, limits: { ...NO_LIMITS, ...limits }, note })}`;
	for (const [has, ...expected] of [
		[{}],
		[{ limits: NO_LIMITS }],
		[{ amountCents: 1 }, 'give 1: acme 24 -> chiara 1'],
		[{ note: 'order 7' }, terms({}, 'order 7')],
	] as const) {
		assert.deepEqual(decided({ balances: BALANCES }, createSubUserWith('acme', 'chiara', has)), [
			'ok',
			...made,
			...expected,
		]);
	}
});

test('what is told of a new sub-user is what holds with all that it has', () => {
	const set = { meteredSinceMs: NOON_MS, setAtMs: NOON_MS, requestId: 'price' };
	const prices = [{ reseller: 'acme', number: 1, microUsdPerGb: 1_000_000, ...set }];
	for (const [has, free, priced] of [
		[{}, null, 'exhausted'],
		[{ amountCents: 1 }, null, null],
		[{ limits: { totalBytes: 1 } }, null, 'exhausted'],
		[{ amountCents: 1, limits: { expiresAtMs: NOON_MS } }, 'expired', 'expired'],
		[{ limits: { expiresAtMs: NOON_MS } }, 'expired', 'expired'],
	] as const) {
		const command = createSubUserWith('acme', 'chiara', has);
		const told = (reason: string | null) => [
			`open chiara, told ${reason}`,
			`sub_user.created ${JSON.stringify({ usable: reason === null, reason })}`,
		];
		assert.deepEqual(decided({ balances: BALANCES }, command).slice(2, 4), told(free));
		assert.deepEqual(decided({ balances: BALANCES, prices }, command).slice(2, 4), told(priced));
	}
});

test('if fee and amount together are not there, it is refused before the name is looked at, and charges nothing', () => {
	for (const name of ['chiara', 'alice', 'bruno', 'acme']) {
		for (const amountCents of [26, MAX_CENTS]) {
			const command = createSubUserWith('acme', name, { ...PACKAGE, amountCents });
			assert.deepEqual(decided({ balances: BALANCES }, command), ['insufficient_balance']);
		}
	}
	const dues = [{ ...ACME, price: 1, microUsdPerGb: 1, fromBytes: 0, bytes: 1, cents: 1, sinceMs: NOON_MS }];
	const command = createSubUserWith('acme', 'chiara', PACKAGE);
	assert.deepEqual(decided({ balances: BALANCES, dues }, command), ['insufficient_balance'], 'it owes a cent');
});

const ACME = { reseller: 'acme', username: 'acme' };

test('what the reseller owes for bandwidth is posted first', () => {
	const dues = [{ ...ACME, price: 1, microUsdPerGb: 1, fromBytes: 0, bytes: 1, cents: 5, sinceMs: NOON_MS }];
	const [, ...effects] = decided(
		{ balances: BALANCES, dues },
		createSubUserWith('acme', 'chiara', { amountCents: 20 }),
	);
	assert.deepEqual(
		effects.filter((effect) => !/^(open|sub_user)/.test(effect)),
		[
			'settle_usage',
			'usage 5: acme 30 -> platform:usage',
			'create_fee 10: acme 20 -> platform:fees',
			'give 20: acme 0 -> chiara 20',
		],
	);
});

test('a taken name costs the fee, whoever has it, and nothing else happens', () => {
	for (const name of ['alice', 'bruno', 'other', 'acme', 'gone']) {
		const ending = decided({ balances: BALANCES, taken: ['gone'] }, createSubUserWith('acme', name, PACKAGE));
		assert.deepEqual(ending, ['username_taken', FEE]);
	}
});

test('what is not valid costs nothing, also if the name is taken', () => {
	for (const name of ['chiara', 'bruno']) {
		for (const [has, error] of [
			...[0, -1, 1.5, Number.NaN, MAX_CENTS + 1].map((amountCents) => [{ amountCents }, 'invalid_amount'] as const),
			[{ limits: { dayBytes: 0 } }, 'invalid_limits'],
			[{ limits: { expiresAtMs: Date.UTC(10_000) } }, 'invalid_limits'],
			[{ note: 'two\nlines' }, 'invalid_note'],
		] as const) {
			assert.deepEqual(decided({ balances: BALANCES }, createSubUserWith('acme', name, { ...PACKAGE, ...has })), [
				error,
			]);
		}
	}
});

test('a suspended reseller creates nothing and pays nothing; one that does not exist is a fault', () => {
	const command = createSubUserWith('acme', 'chiara', PACKAGE);
	assert.deepEqual(decided({ balances: BALANCES, suspendedResellers: ['acme'] }, command), ['suspended']);
	assert.throws(() => decided({ balances: {} }, command), /no account/);
});

test('its change is recorded with what was given, and if it failed and cost the fee, with nothing and the error', () => {
	const changeId = 'change-number-01';
	const recordOf = (name: string, has: Parameters<typeof createSubUserWith>[2]) => {
		const command = { ...createSubUserWith('acme', name, has), changeId };
		const { effects } = decide(booksOf({ balances: BALANCES }), command, NOON_MS);
		const { change } = effects.find((effect) => effect.kind === 'record_change') ?? {};
		return change && [change.kind, change.username, change.amountCents, change.balanceCents, change.error];
	};
	const kind = 'create_sub_user_with';
	assert.deepEqual(recordOf('chiara', PACKAGE), [kind, 'chiara', 25, 25, null]);
	assert.deepEqual(recordOf('chiara', {}), [kind, 'chiara', 0, 0, null]);
	assert.deepEqual(recordOf('bruno', PACKAGE), [kind, 'bruno', 0, null, 'username_taken']);
	assert.equal(recordOf('chiara', { amountCents: 26 }), undefined);
	assert.equal(recordOf('chiara', { note: 'two\nlines' }), undefined);
});

test('what a person does by it is an act of its own kind, which counts once, also if the name was taken', () => {
	const sessions = [{ ...sessionOf('ada', 's1'), reseller: 'acme', role: 'owner' } as const];
	const act = actOf('ada', 's1', 'act', 'create_sub_user');
	for (const name of ['chiara', 'bruno']) {
		const command: Command = { ...createSubUserWith('acme', name, PACKAGE), act };
		assert.equal(decided({ balances: BALANCES, sessions }, command).at(-1), 'record_act');
		assert.deepEqual(decided({ balances: BALANCES, sessions, recordedActs: ['act'] }, command), ['act_repeated']);
	}
});
