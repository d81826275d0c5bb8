import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { anyCharacter } from '@bursar/testing/any-character';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import { isWellFormedToken, makeEdgeKey, makeProxyAuthkey, makeToken } from '../src/secret-text.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test('a token is brs_, 40 random base62 characters and 6 for their CRC-32', () => {
	for (let i = 0; i < 200; i++) {
		const token = makeToken(randomBytes);
		assert.match(token, /^brs_[0-9A-Za-z]{46}$/);
		const digits = Array.from(token.slice(44), (digit) => BASE62.indexOf(digit));
		assert.equal(
			digits.reduce((value, digit) => value * 62 + digit, 0),
			crc32(token.slice(4, 44)),
		);
		assert.ok(isWellFormedToken(token));
	}
});

test('the key of an edge has the same form with another prefix, and is no token', () => {
	const key = makeEdgeKey(randomBytes);
	assert.match(key, /^bre_[0-9A-Za-z]{46}$/);
	assert.equal(isWellFormedToken(key), false);
	assert.ok(isWellFormedToken(key.replace('bre_', 'brs_')));
});

test('one wrong, missing, added or swapped character makes a token malformed', (t) => {
	const position = fc.nat({ max: 49 });
	const property = fc.property(position, fc.constantFrom(...BASE62, ' ', '_', 'é', '\n'), (at, character) => {
		const token = makeToken(randomBytes);
		const typo = token.slice(0, at) + character + token.slice(at + 1);
		assert.equal(isWellFormedToken(typo), typo === token);
		assert.equal(isWellFormedToken(token.slice(0, at) + token.slice(at + 1)), false);
		assert.equal(isWellFormedToken(token.slice(0, at) + character + token.slice(at)), false);
		const swapped = token.slice(0, at) + (token[at + 1] ?? '') + token[at] + token.slice(at + 2);
		assert.equal(isWellFormedToken(swapped), swapped === token);
	});
	fc.assert(property, { seed: printedSeed(t), numRuns: 2000 });
});

test('any other text is malformed', (t) => {
	const property = fc.property(fc.string({ unit: anyCharacter }), (text) => !isWellFormedToken(text));
	fc.assert(property, { seed: printedSeed(t) });
	for (const text of ['', 'brs_', `brs_${'0'.repeat(45)}`, `brs_${'0'.repeat(47)}`, `BRS_${'0'.repeat(46)}`]) {
		assert.equal(isWellFormedToken(text), false);
	}
	const token = makeToken(randomBytes);
	for (const text of [`${token}\n`, ` ${token}`, token.toLowerCase()]) assert.equal(isWellFormedToken(text), false);
});

test('a proxy auth key is 16 letters and digits', () => {
	for (let i = 0; i < 200; i++) assert.match(makeProxyAuthkey(randomBytes), /^[0-9A-Za-z]{16}$/);
});

test('every character is equally likely: bytes that would cause a bias are skipped', () => {
	const counts = new Map<string, number>();
	let next = 0;
	const everyByte = (size: number) => Uint8Array.from({ length: size }, () => next++ % 256);
	for (let i = 0; i < 62; i++) for (const c of makeProxyAuthkey(everyByte)) counts.set(c, (counts.get(c) ?? 0) + 1);
	assert.equal(counts.size, 62);
	assert.deepEqual([...new Set(counts.values())], [16]);
});
