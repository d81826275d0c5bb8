import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalizeEmail, normalizeNewEmail } from '@bursar/contract/dashboard';
import { anyCharacter } from '@bursar/testing/any-character';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';

test('an e-mail address is stored in lowercase and without white space around it', () => {
	const longest = `${'a'.repeat(249)}@b.cd`;
	const stored = {
		'ann@example.com': 'ann@example.com',
		"  Ann.O'Neil+x@Example.COM\n": "ann.o'neil+x@example.com",
		'ÉVA@bücher.example': 'éva@bücher.example',
		'demo@bursar.localhost': 'demo@bursar.localhost',
		[longest]: longest,
	};
	for (const [text, email] of Object.entries(stored)) assert.equal(normalizeEmail(text), email, text);
});

test('a text that is no address, or that looks like another address, is refused', () => {
	const refused = {
		'is empty': ['', ' ', '@'],
		'has no @, or two': ['ann', 'ann@', '@example.com', 'ann@b@c', 'ann@@b'],
		'is too long': [`${'a'.repeat(250)}@b.cd`, 'a'.repeat(1_000_000), `${'\u0130'.repeat(240)}@b.cd`],
		'has a space or control character': [
			'an n@b.cd',
			'ann@b.c\u00a0d',
			'ann@b\n.cd',
			'ann\u0000@b.cd',
			'ann@b.cd\u0007',
		],
		'has an invisible character': [
			'ann\u200b@b.cd',
			'ann@b\u00ad.cd',
			'\u202eann@b.cd',
			'ann@b\u2800.cd',
			'ann\ufffd@b.cd',
		],
		'has a plainer form': ['\uff41nn@b.cd', 'ann\uff20b.cd', 'cafe\u0301@b.cd', 'ann@\u2460.cd', '\u212aate@b.cd'],
		'is not Unicode': ['ann\ud800@b.cd', 'ann@b.cd\udc00'],
	};
	for (const [why, texts] of Object.entries(refused)) {
		for (const text of texts) assert.equal(normalizeEmail(text), undefined, `${JSON.stringify(text)} ${why}`);
	}
});

test('a new person has an address that mail can reach; who has another one is still found by it', () => {
	for (const email of ["o'neil+x=y{1}|a%b!c@example.com", 'éva@bücher.example', 'demo@bursar.localhost', 'a..b@c']) {
		assert.equal(normalizeNewEmail(` ${email.toUpperCase()}`), normalizeEmail(email), email);
	}
	const unreachable = [
		...[...'()<>[]:;\\,"'].flatMap((character) => [`ann${character}x@example.com`, `ann@ex${character}ample.com`]),
		...['<ann@example.com>', 'ann@[192.0.2.1]', `${'é'.repeat(122)}@example.com`],
	];
	for (const email of unreachable) {
		assert.equal(normalizeNewEmail(email), undefined, email);
		assert.equal(normalizeEmail(email), email);
	}
	assert.equal(normalizeNewEmail('an n@example.com'), undefined);
});

test('the stored form of any address normalizes to itself', (t) => {
	const characters = fc.oneof(
		fc.constantFrom(...'aZéÉßΣς.@@ \u0130\u212a'),
		fc.string({ unit: anyCharacter, maxLength: 2 }),
	);
	let addresses = 0;
	fc.assert(
		fc.property(fc.string({ unit: characters, maxLength: 30 }), (text) => {
			const email = normalizeEmail(`${text}@example.com`) ?? normalizeEmail(text);
			if (email === undefined) return;
			addresses++;
			assert.equal(normalizeEmail(email), email);
		}),
		{ seed: printedSeed(t), numRuns: 3000 },
	);
	assert.ok(addresses > 200, `only ${addresses} addresses were tried`);
});
