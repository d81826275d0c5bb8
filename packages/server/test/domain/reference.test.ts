import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyCharacter } from '@bursar/testing/any-character';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import { isReference } from '../../src/domain/reference.ts';

test('a reference has 1 to 200 characters, in any script', () => {
	for (const reference of [
		'x',
		'x'.repeat(200),
		'💶'.repeat(200),
		'invoice-2026-117',
		'Rechnung Nr. 7 / März',
		'счёт 117',
		'発票117',
		'हिन्दी',
		'it\'s {a,b} \\ "$1" %s',
	]) {
		assert.equal(isReference(reference), true, reference);
	}
	for (const reference of ['', 'x'.repeat(201), '💶'.repeat(201)]) assert.equal(isReference(reference), false);
});

test('of references that look the same, only one form is valid', () => {
	const alike = {
		'surrounding white space': [' inv 1', 'inv 1 ', '\tinv 1', 'inv 1\n', '\u00a0inv 1', 'inv 1\u3000', '\ufeffinv 1'],
		'other inner white space': ['inv  1', 'inv\u00a01', 'inv\u20091', 'inv\t1', 'inv\u20281', 'inv\u202f1'],
		'invisible characters': [
			'inv\u200b 1',
			'i\u00adnv 1',
			'\u202einv 1',
			'inv\u2060 1',
			'inv\ufe0f 1',
			'inv\u034f 1',
			'inv\u3164 1',
			'inv\u2800 1',
			'inv\u0000 1',
			'inv\u001b 1',
			'inv\u{E0001} 1',
		],
		'another form of a letter or digit': ['ｉｎｖ 1', 'inv １', 'inv ①', 'ⅰnv 1', 'inv 𝟏'],
		'not a character': ['inv 1\ufffd', 'inv 1\ud800', '\udc00inv 1', 'inv 1\ufdd0', 'inv 1\u{10ffff}', 'inv 1\ue000'],
	};
	assert.equal(isReference('inv 1'), true);
	for (const [what, references] of Object.entries(alike)) {
		for (const reference of references)
			assert.equal(isReference(reference), false, `${what}: ${JSON.stringify(reference)}`);
	}
	assert.deepEqual(['caf\u00e9', 'cafe\u0301'].map(isReference), [true, false]);
	assert.deepEqual(['\u212b', 'A\u030a', '\u00c5'].map(isReference), [false, false, true]);
});

test('a valid reference has no invisible or replaceable characters', (t) => {
	const text = fc.string({
		unit: fc.oneof(
			fc.constantFrom(' ', 'é', 'ﬁ', '\u0301', '\u200d', 'x'),
			fc.string({ unit: anyCharacter, maxLength: 1 }),
		),
	});
	const property = fc.property(text, (given) => {
		const seen = given
			.normalize('NFKC')
			.replace(/[\p{Default_Ignorable_Code_Point}\p{C}]/gu, '')
			.replace(/\s+/g, ' ')
			.trim();
		assert.ok(!isReference(given) || given === seen);
	});
	fc.assert(property, { seed: printedSeed(t), numRuns: 2000 });
});
