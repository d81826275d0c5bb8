import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide } from '../../src/commands/decide.ts';
import type { CreateToken } from '../../src/commands/tokens/further.ts';
import { isLiveToken, type Token } from '../../src/domain/token.ts';
import { booksOf } from '../support/books.ts';
import {
	createToken,
	endToken,
	furtherTokenOf,
	NOON_MS,
	revokeToken,
	rotateToken,
	tokenOf,
} from '../support/commands.ts';

const DAY_MS = 86_400_000;
const CURRENT = tokenOf(revokeToken('acme', 'current'), NOON_MS - 1);
const RETIRED: Token = { ...CURRENT, hash: 'retired', expiresAtMs: NOON_MS + 60_000 };
const SHOP = furtherTokenOf(createToken('acme', 'shop'));
const PROGRAM = { program: { tokenTail: 'tail', address: '192.0.2.1' } };

function decideOn(tokens: readonly Token[], command: Parameters<typeof decide>[1], nowMs = NOON_MS) {
	const books = booksOf({ balances: { 'acme/acme': 0 }, tokens, suspendedResellers: ['acme'] });
	const { outcome, effects } = decide(books, command, nowMs);
	const replaced = effects.find(({ kind }) => kind === 'replace_tokens');
	return {
		ending: outcome.ok ? 'ok' : outcome.error,
		kinds: effects.map(({ kind }) => kind),
		tokens: replaced && 'tokens' in replaced ? replaced.tokens : tokens,
	};
}

function refusalOf(wrong: Partial<CreateToken>): string {
	const { ending, kinds } = decideOn([CURRENT], { ...createToken('acme', 'new'), ...wrong });
	assert.deepEqual(kinds, []);
	return ending;
}

test('a further token is made and ended beside all others, also while the reseller is suspended', () => {
	const create = createToken('acme', 'new');
	const others = [CURRENT, RETIRED, SHOP];
	const made = decideOn(others, create);
	assert.deepEqual([made.ending, made.kinds], ['ok', ['replace_tokens']]);
	assert.deepEqual(made.tokens, [...others, furtherTokenOf(create)]);
	const ended = decideOn(made.tokens, endToken('acme', 'new'));
	assert.deepEqual([ended.ending, ended.kinds, ended.tokens], ['ok', ['replace_tokens'], others]);
	assert.equal(decideOn(others, endToken('acme', 'new')).ending, 'unknown_token');
	for (const command of [create, endToken('acme', 'shop')]) {
		assert.deepEqual(decideOn(others, { ...command, ...PROGRAM }).kinds, ['replace_tokens', 'record_act']);
	}
});

test('a program makes and ends tokens only with the one token, and only as long as that is good', () => {
	const tokens = [CURRENT, RETIRED, SHOP];
	for (const [askedWith, nowMs, ending] of [
		['current', NOON_MS, 'ok'],
		['retired', NOON_MS + 59_999, 'ok'],
		['retired', NOON_MS + 60_000, 'unauthorized'],
		['shop', NOON_MS, 'unauthorized'],
		['revoked', NOON_MS, 'unauthorized'],
	] as const) {
		for (const command of [createToken('acme', 'new'), endToken('acme', 'shop')]) {
			const decided = decideOn(tokens, { ...command, askedWith, ...PROGRAM }, nowMs);
			assert.equal(decided.ending, ending, `${command.kind} with ${askedWith}`);
			if (ending !== 'ok') assert.deepEqual(decided.kinds, []);
		}
	}
	// Sent before the end of all tokens, and decided after it.
	const revoked = decideOn(tokens, revokeToken('acme', 'fresh')).tokens;
	const late = decideOn(revoked, { ...createToken('acme', 'new'), askedWith: 'current' });
	assert.deepEqual([late.ending, late.tokens], ['unauthorized', revoked]);
});

test('what no token can be is refused', () => {
	for (const name of ['a', 'A 1._-b', 'x'.repeat(40)]) assert.equal(refusalOfName(name), 'ok', name);
	for (const name of ['', ' a', 'a ', '.a', 'a-', 'a\n', 'caf\u00e9', 'x'.repeat(41)]) {
		assert.equal(refusalOf({ name }), 'invalid_token', JSON.stringify(name));
	}
	for (const scopes of [[], ['all'], ['read', 'read'], ['tokens:write'], ['one_token']]) {
		assert.equal(refusalOf({ scopes }), 'invalid_token', String(scopes));
	}
	for (const endsAtMs of [NOON_MS, NOON_MS - 1, NOON_MS + 366 * DAY_MS + 1, NOON_MS + 1.5, Number.NaN]) {
		assert.equal(refusalOf({ endsAtMs }), 'invalid_token', String(endsAtMs));
	}
	for (const endsAtMs of [NOON_MS + 1, NOON_MS + 366 * DAY_MS]) {
		assert.equal(decideOn([CURRENT], { ...createToken('acme', 'new'), endsAtMs }).ending, 'ok');
	}
});

function refusalOfName(name: string): string {
	return decideOn([CURRENT], createToken('acme', 'new', name)).ending;
}

test('at most 20 are good at once, each with a name of its own; expired ones are forgotten when one is made', () => {
	const many = Array.from({ length: 20 }, (_, n) => furtherTokenOf(createToken('acme', `token ${n}`)));
	assert.equal(decideOn([CURRENT, ...many], createToken('acme', 'new')).ending, 'too_many_tokens');
	assert.equal(decideOn([CURRENT, ...many], createToken('acme', 'new', 'token 7')).ending, 'token_exists');
	const expired = many.slice(0, 3).map((token) => ({ ...token, expiresAtMs: NOON_MS }));
	const made = decideOn([CURRENT, RETIRED, ...expired, ...many.slice(3)], createToken('acme', 'new', 'token 1'));
	assert.equal(made.ending, 'ok');
	assert.deepEqual(
		made.tokens.map(({ hash }) => hash),
		['current', 'retired', ...many.slice(3).map(({ hash }) => hash), 'new'],
	);
});

test('a rotation leaves further tokens as they are and does not wait for them; the end of all tokens ends them', () => {
	const rotation = rotateToken('acme', 'next', 1000);
	const rotated = decideOn([CURRENT, SHOP], rotation).tokens;
	assert.deepEqual(rotated, [{ ...CURRENT, expiresAtMs: NOON_MS + 1000 }, SHOP, tokenOf(rotation)]);
	assert.equal(decideOn(rotated, rotateToken('acme', 'third', 0), NOON_MS + 31_000).ending, 'ok');
	assert.deepEqual(decideOn([CURRENT, RETIRED, SHOP], revokeToken('acme', 'fresh')).tokens, [
		tokenOf(revokeToken('acme', 'fresh')),
	]);
});

test('a further token is good until its end, however far that is', () => {
	assert.deepEqual(
		[0, DAY_MS - 1, DAY_MS].map((afterMs) => isLiveToken(SHOP, NOON_MS + afterMs)),
		[true, true, false],
	);
});
