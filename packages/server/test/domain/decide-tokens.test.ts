import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import { decide } from '../../src/domain/decide.ts';
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
	const { outcome } = decideOn([CURRENT], rotateToken('acme', 'next', 60_000));
	assert.deepEqual(outcome, { ok: true, previousExpiresAtMs: NOON_MS + 60_000 });
	const tokens = tokensAfter([CURRENT], rotateToken('acme', 'next', 60_000));
	assert.deepEqual(tokens, [{ ...CURRENT, expiresAtMs: NOON_MS + 60_000 }, tokenOf(rotateToken('acme', 'next', 0))]);
	const live = (nowMs: number) => tokens.filter((token) => isLiveToken(token, nowMs)).map(({ hash }) => hash);
	assert.deepEqual(live(NOON_MS + 59_999), ['current', 'next']);
	assert.deepEqual(live(NOON_MS + 60_000), ['next']);
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

test('with an overlap of 0 the previous token is refused from that moment on', () => {
	const tokens = tokensAfter([CURRENT], rotateToken('acme', 'next', 0));
	assert.deepEqual(
		tokens.map((token) => isLiveToken(token, NOON_MS)),
		[false, true],
	);
});

test('a second rotation is refused until the previous token is surely dead in every process, and not longer', () => {
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

test('the previous token is dead everywhere within five minutes, as docs/api.md 5.4 promises', () => {
	const [previous] = tokensAfter([CURRENT], rotateToken('acme', 'next', 240_000));
	assert.ok((previous?.expiresAtMs ?? Infinity) + TOKEN_CACHE_LIFE_MS - NOON_MS <= 5 * 60_000);
});

test('a revocation leaves nothing of any earlier token, also while a rotation is pending', () => {
	const pending = tokensAfter([CURRENT], rotateToken('acme', 'next', 240_000));
	const { outcome } = decideOn(pending, revokeToken('acme', 'fresh'), NOON_MS + 1000);
	assert.deepEqual(outcome, { ok: true, previousExpiresAtMs: NOON_MS + 1000 });
	const tokens = tokensAfter(pending, revokeToken('acme', 'fresh'), NOON_MS + 1000);
	assert.deepEqual(tokens, [tokenOf(revokeToken('acme', 'fresh'), NOON_MS + 1000)]);
	assert.equal(decideOn(tokens, rotateToken('acme', 'after', 0), NOON_MS + 1000).outcome.ok, true);
});

test('a rotation drops what an earlier one retired', () => {
	const dead = { ...CURRENT, hash: 'dead', expiresAtMs: NOON_MS - TOKEN_CACHE_LIFE_MS };
	assert.deepEqual(tokensAfter([dead, CURRENT], rotateToken('acme', 'next', 1000)), [
		{ ...CURRENT, expiresAtMs: NOON_MS + 1000 },
		tokenOf(rotateToken('acme', 'next', 0)),
	]);
});

test('a clock that is set back by more than the longest overlap does not bring a rotated token back', () => {
	const [previous] = tokensAfter([CURRENT], rotateToken('acme', 'next', 0)) as [Token];
	for (const backMs of [240_001, 3_600_000]) assert.equal(isLiveToken(previous, NOON_MS - backMs), false);
});

test('tokens of an unknown reseller are neither rotated nor revoked, and a sub-user has none', () => {
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

test('whatever is rotated and revoked, exactly one token has no end, and a retired one never lives again', (t) => {
	const step = fc.record({
		waitMs: fc.nat({ max: 400_000 }),
		overlapMs: fc.option(fc.integer({ min: 0, max: 240_000 })),
	});
	const property = fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
		let tokens: readonly Token[] = [CURRENT];
		let nowMs = NOON_MS;
		const dead = new Set<string>();
		for (const [place, { waitMs, overlapMs }] of steps.entries()) {
			nowMs += waitMs;
			for (const token of tokens) if (!isLiveToken(token, nowMs)) dead.add(token.hash);
			const hash = `token ${place}`;
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
