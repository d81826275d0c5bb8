import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalizeUsername } from '@bursar/contract';
import { anyCharacter } from '@bursar/testing/any-character';
import fc from 'fast-check';

const LONGEST = 'a'.repeat(32);

test('a username is stored in lowercase, and otherwise unchanged', () => {
	const stored = {
		alice: 'alice',
		ALICE: 'alice',
		'Alice.Smith': 'alice.smith',
		bob_42: 'bob_42',
		'4you': '4you',
		'0000': '0000',
		'a.b_c.d': 'a.b_c.d',
		[LONGEST]: LONGEST,
		[LONGEST.toUpperCase()]: LONGEST,
		constructor: 'constructor',
	};
	for (const [text, username] of Object.entries(stored)) assert.equal(normalizeUsername(text), username, text);
});

test('a text that breaks a rule is not a username', () => {
	const refused = {
		'is empty': [''],
		'is too short': ['a', 'abc', 'a.b'],
		'is too long': [`${LONGEST}a`, 'a'.repeat(100_000)],
		'begins with a period or underscore': ['.alice', '_alice', '__proto__'],
		'ends with a period or underscore': ['alice.', 'alice_'],
		'has two of them side by side': ['al..ice', 'al__ice', 'al._ice', 'al_.ice', '....', '____'],
		'has another character': ['al-ice', 'al ice', ' alice', 'alice ', 'al:ice', 'al@ice', 'al/ice', 'al\\ice', 'al%2e'],
		'has a character that cannot be seen': ['alice\n', 'alice\r', 'al\tice', 'al\0ice', 'alice\u200b', '\ufeffalice'],
	};
	for (const [rule, texts] of Object.entries(refused)) {
		for (const text of texts) assert.equal(normalizeUsername(text), undefined, `${JSON.stringify(text)} ${rule}`);
	}
});

test('a character outside ASCII is refused, even if lowercasing or folding would make it ASCII', () => {
	const lookalikes = [
		'\u212aelvin', // KELVIN SIGN lowercases to k
		'\u0130vanov', // I WITH DOT ABOVE lowercases to i and a combining dot
		'wei\u017fs', // LONG S uppercases to S
		'strau\u00df',
		'\u0430lice', // CYRILLIC A
		'\uff41lice', // FULLWIDTH A
		'alice\u0661', // ARABIC-INDIC DIGIT ONE
		'al\u2024ice', // ONE DOT LEADER normalises to a period
		'\ud83d\ude00\ud83d\ude00',
		'alice\ud800',
	];
	for (const text of lookalikes) assert.equal(normalizeUsername(text), undefined, JSON.stringify(text));
});

/** A second implementation of docs/api.md 6.1, character by character. */
function isUsernameByTheContract(text: string): boolean {
	const characters = [...text];
	const isMark = (character: string | undefined) => character === '.' || character === '_';
	const isLetterOrDigit = (character: string) =>
		(character >= 'a' && character <= 'z') ||
		(character >= 'A' && character <= 'Z') ||
		(character >= '0' && character <= '9');
	return (
		characters.length >= 4 &&
		characters.length <= 32 &&
		characters.every((character) => isMark(character) || (character.length === 1 && isLetterOrDigit(character))) &&
		!isMark(characters[0]) &&
		!isMark(characters.at(-1)) &&
		!characters.some((character, at) => isMark(character) && isMark(characters[at + 1]))
	);
}

/** Many of these texts are usernames, and many others are wrong in one character. */
const nearlyUsername = fc.string({
	unit: fc.oneof(
		{ weight: 12, arbitrary: fc.constantFrom(...'abcxyzABCXYZ0189') },
		{ weight: 3, arbitrary: fc.constantFrom('.', '_') },
		{ weight: 1, arbitrary: fc.constantFrom('-', ' ', '@', '\u212a', '\u0130', '\u00e9', '[', '`', '{', '/', ':') },
	),
	maxLength: 36,
});
const anyText = fc.oneof(
	{ weight: 4, arbitrary: nearlyUsername },
	{ weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 40 }) },
);

test('for any text, normalizeUsername agrees with docs/api.md 6.1', () => {
	let usernames = 0;
	fc.assert(
		fc.property(anyText, (text) => {
			const username = normalizeUsername(text);
			if (username !== undefined) usernames++;
			assert.equal(username !== undefined, isUsernameByTheContract(text));
		}),
		{ numRuns: 5000 },
	);
	assert.ok(usernames > 200, `usernames were tried too: ${usernames}`);
});

test('two texts name one account only if they differ at most in the case of ASCII letters', () => {
	fc.assert(
		fc.property(nearlyUsername, (text) => {
			const username = normalizeUsername(text);
			fc.pre(username !== undefined);
			const folded = text.replace(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 32));
			assert.equal(username, folded);
			assert.equal(normalizeUsername(username as string), username, 'the stored form normalizes to itself');
		}),
	);
});

test('any text is refused quickly, however long or repetitive it is', () => {
	const started = performance.now();
	for (const text of ['a.'.repeat(500_000), 'a'.repeat(1_000_000), `${'a_'.repeat(15)}!`, `${'a'.repeat(31)}.`]) {
		assert.equal(normalizeUsername(text), undefined);
	}
	assert.ok(performance.now() - started < 5_000);
});
