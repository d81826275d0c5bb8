import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_ALLOWED_IPS, MAX_BYTES_PER_SECOND, MAX_CONNECTIONS, MIN_BYTES_PER_SECOND } from '@bursar/contract/limits';
import { decide } from '../../src/commands/decide.ts';
import type { Command } from '../../src/commands/registry.ts';
import { NO_LIMITS, NO_TERMS, type Terms } from '../../src/domain/terms.ts';
import { booksOf } from '../support/books.ts';
import { NOON_MS, setLimits, setNote, suspendSubUser } from '../support/commands.ts';
import { actOf, sessionOf } from '../support/person-commands.ts';

/** Decides a command about alice of acme, who has these terms. */
function decided(command: Command, terms: Terms = NO_TERMS) {
	const session = { ...sessionOf('ada', 's1'), reseller: 'acme', role: 'owner' } as const;
	const books = booksOf({
		balances: { 'acme/acme': 0, 'acme/alice': 0 },
		sessions: [session],
		terms: [{ reseller: 'acme', username: 'alice', terms }],
	});
	const { outcome, effects } = decide(books, command, NOON_MS);
	return { ending: outcome.ok ? 'ok' : outcome.error, effects };
}

test('limits are whole numbers from 1, addresses are few, and an end has a year of four digits; null is no limit', () => {
	const addresses = (count: number) => Array.from({ length: count }, (_, index) => `192.0.2.${index}`);
	const most = Number.MAX_SAFE_INTEGER;
	for (const [limits, ending] of [
		[{ dayBytes: 1, monthBytes: most, totalBytes: 1, connections: MAX_CONNECTIONS }, 'ok'],
		[{ bytesPerSecond: MIN_BYTES_PER_SECOND }, 'ok'],
		[{ bytesPerSecond: MAX_BYTES_PER_SECOND }, 'ok'],
		[{ allowedIps: addresses(MAX_ALLOWED_IPS), expiresAtMs: Date.UTC(9999, 11, 31) }, 'ok'],
		[NO_LIMITS, 'ok'],
		...[0, -1, 1.5, most + 1].flatMap((bytes) =>
			['dayBytes', 'monthBytes', 'totalBytes'].map((name) => [{ [name]: bytes }, 'invalid_limits'] as const),
		),
		...[0, 1.5, MAX_CONNECTIONS + 1].map((connections) => [{ connections }, 'invalid_limits'] as const),
		...[0, MIN_BYTES_PER_SECOND - 1, 8_000.5, MAX_BYTES_PER_SECOND + 1].map(
			(bytesPerSecond) => [{ bytesPerSecond }, 'invalid_limits'] as const,
		),
		...[0, MAX_ALLOWED_IPS + 1].map((count) => [{ allowedIps: addresses(count) }, 'invalid_limits'] as const),
		...[0, Number.NaN, Date.UTC(10_000)].map((expiresAtMs) => [{ expiresAtMs }, 'invalid_limits'] as const),
		[{ dayBytes: 1, expiresAtMs: 0 }, 'invalid_limits'],
	] as const) {
		const { ending: seen, effects } = decided(setLimits('acme', 'alice', limits));
		assert.equal(seen, ending, JSON.stringify(limits));
		if (ending !== 'ok') assert.deepEqual(effects, []);
	}
});

test('a note is one short line, and may be empty', () => {
	for (const note of ['', 'pays late', 'x'.repeat(200)]) {
		assert.equal(decided(setNote('acme', 'alice', note)).ending, 'ok');
	}
	for (const note of ['x'.repeat(201), 'two\nlines', '\u202eevil', '\u0000']) {
		assert.deepEqual(decided(setNote('acme', 'alice', note)), { ending: 'invalid_note', effects: [] });
	}
});

test('limits that are not named stay, and what holds already is not set again; its act is done all the same', () => {
	const terms = { ...NO_TERMS, suspendedAtMs: 1, limits: { ...NO_LIMITS, connections: 5 } };
	const [change] = decided(setLimits('acme', 'alice', { dayBytes: 7 }), terms).effects;
	assert.deepEqual(change?.kind === 'change_terms' && change.change.terms, {
		...terms,
		limits: { ...terms.limits, dayBytes: 7 },
	});
	const again = suspendSubUser('acme', 'alice');
	assert.deepEqual(decided(again, terms), { ending: 'ok', effects: [] });
	// A late copy of it must undo nothing.
	const byAda = decided({ ...again, act: actOf('ada', 's1', 'act', again.kind) } as Command, terms);
	assert.deepEqual(
		byAda.effects.map(({ kind }) => kind),
		['record_act'],
	);
});
