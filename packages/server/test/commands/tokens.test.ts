import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import { decide } from '../../src/commands/decide.ts';
import { isLiveToken, TOKEN_CACHE_LIFE_MS, type Token } from '../../src/domain/token.ts';
import { booksOf } from '../support/books.ts';
import { NOON_MS, revokeToken, rotateToken, tokenOf } from '../support/commands.ts';

const CURRENT = tokenOf(revokeToken('acme', 'current'), NOON_MS - 1);
const BALANCES = { 'acme/acme': 0 };

function decideOn(tokens: readonly Token[], command: Parameters<typeof decide>[1], nowMs = NOON_MS) {
	return decide(booksOf({ balances: BALANCES, tokens }), command, nowMs);
}

function tokensAfter(tokens: readonly Token[], command: Parameters<typeof decide>[1], nowMs = NOON_MS) {
	const [effect] = decideOn(tokens, command, nowMs).effects;
	return effect?.kind === 'replace_tokens' ? effect.tokens : assert.fail('the tokens do not change');
}

test('after a rotation the new token works, and the previous one until the overlap ends', () => {
	for (const overlapMs of [60_000, 0]) {
		const rotation = rotateToken('acme', 'next', overlapMs);
		assert.deepEqual(decideOn([CURRENT], rotation).outcome, { ok: true, previousExpiresAtMs: NOON_MS + overlapMs });
		const tokens = tokensAfter([CURRENT], rotation);
		assert.deepEqual(tokens, [{ ...CURRENT, expiresAtMs: NOON_MS + overlapMs }, tokenOf(rotation)]);
		const live = (nowMs: number) => tokens.filter((token) => isLiveToken(token, nowMs)).map(({ hash }) => hash);
		if (overlapMs > 0) assert.deepEqual(live(NOON_MS + overlapMs - 1), ['current', 'next']);
		assert.deepEqual(live(NOON_MS + overlapMs), ['next']);
	}
});

test('an overlap is a whole number of milliseconds from 0 to 240 seconds', () => {
	for (const overlapMs of [0, 1, 240_000]) {
		assert.equal(decideOn([CURRENT], rotateToken('acme', 'next', overlapMs)).outcome.ok, true);
	}
	for (const overlapMs of [-1, 0.5, NaN, 240_001]) {
		assert.deepEqual(decideOn([CURRENT], rotateToken('acme', 'next', overlapMs)), {
			outcome: { ok: false, error: 'invalid_overlap' },
			effects: [],
		});
	}
});

test('a second rotation is refused until no process can accept the previous token, and no longer', () => {
	for (const overlapMs of [0, 240_000]) {
		const tokens = tokensAfter([CURRENT], rotateToken('acme', 'next', overlapMs));
		const deadMs = NOON_MS + overlapMs + TOKEN_CACHE_LIFE_MS;
		for (const nowMs of [NOON_MS, deadMs - 1]) {
			assert.deepEqual(decideOn(tokens, rotateToken('acme', 'third', 0), nowMs), {
				outcome: { ok: false, error: 'rotation_pending' },
				effects: [],
			});
		}
		assert.equal(decideOn(tokens, rotateToken('acme', 'third', 0), deadMs).outcome.ok, true);
	}
});

test('no process accepts the previous token after five minutes, as docs/api.md 5.4 promises', () => {
	const [previous] = tokensAfter([CURRENT], rotateToken('acme', 'next', 240_000));
	assert.ok((previous?.expiresAtMs ?? Infinity) + TOKEN_CACHE_LIFE_MS - NOON_MS <= 5 * 60_000);
});

test('a revocation removes every earlier token, even during a rotation', () => {
	const pending = tokensAfter([CURRENT], rotateToken('acme', 'next', 240_000));
	const { outcome } = decideOn(pending, revokeToken('acme', 'fresh'), NOON_MS + 1000);
	assert.deepEqual(outcome, { ok: true, previousExpiresAtMs: NOON_MS + 1000 });
	const tokens = tokensAfter(pending, revokeToken('acme', 'fresh'), NOON_MS + 1000);
	assert.deepEqual(tokens, [tokenOf(revokeToken('acme', 'fresh'), NOON_MS + 1000)]);
	assert.equal(decideOn(tokens, rotateToken('acme', 'after', 0), NOON_MS + 1000).outcome.ok, true);
});

test('a rotation removes tokens that an earlier one ended', () => {
	const dead = { ...CURRENT, hash: 'dead', expiresAtMs: NOON_MS - TOKEN_CACHE_LIFE_MS };
	assert.deepEqual(tokensAfter([dead, CURRENT], rotateToken('acme', 'next', 1000)), [
		{ ...CURRENT, expiresAtMs: NOON_MS + 1000 },
		tokenOf(rotateToken('acme', 'next', 0)),
	]);
});

test('a clock that is set back by more than the longest overlap does not revive a rotated token', () => {
	const [previous] = tokensAfter([CURRENT], rotateToken('acme', 'next', 0)) as [Token];
	for (const backMs of [240_001, 3_600_000]) assert.equal(isLiveToken(previous, NOON_MS - backMs), false);
});

test('a rotation or revocation for an unknown reseller or a sub-user is refused', () => {
	const books = booksOf({ balances: { ...BALANCES, 'acme/alice': 0 }, tokens: [CURRENT] });
	for (const name of ['nobody', 'alice']) {
		for (const command of [rotateToken(name, 'next', 0), revokeToken(name, 'next')]) {
			assert.deepEqual(decide(books, command, NOON_MS), {
				outcome: { ok: false, error: 'unknown_reseller' },
				effects: [],
			});
		}
	}
});

test('after any rotations and revocations, one token does not expire, and an ended one never works again', (t) => {
	const step = fc.record({
		waitMs: fc.nat({ max: 400_000 }),
		overlapMs: fc.option(fc.integer({ min: 0, max: 240_000 })),
	});
	const property = fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
		let tokens: readonly Token[] = [CURRENT];
		let nowMs = NOON_MS;
		const dead = new Set<string>();
		for (const [index, { waitMs, overlapMs }] of steps.entries()) {
			nowMs += waitMs;
			for (const token of tokens) if (!isLiveToken(token, nowMs)) dead.add(token.hash);
			const hash = `token ${index}`;
			const command = overlapMs === null ? revokeToken('acme', hash) : rotateToken('acme', hash, overlapMs);
			if (decideOn(tokens, command, nowMs).outcome.ok) tokens = tokensAfter(tokens, command, nowMs);
			else assert.equal(command.kind, 'rotate_token');
			assert.equal(tokens.filter(({ expiresAtMs }) => expiresAtMs === null).length, 1);
			const live = tokens.filter((token) => isLiveToken(token, nowMs));
			assert.ok(live.length <= 2 && (overlapMs !== null || live.length === 1));
			assert.ok(live.every((token) => !dead.has(token.hash)));
		}
	});
	fc.assert(property, { seed: printedSeed(t) });
});
