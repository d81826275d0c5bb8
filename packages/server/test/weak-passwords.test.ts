import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadWeakPasswords } from '../src/weak-passwords.ts';

const isWeakPassword = await loadWeakPasswords();
const EMAIL = 'annabelle.lee@acme.example';

test('what somebody would try first is weak', () => {
	for (const password of [
		'',
		'elevenchars',
		'💶💶💶💶💶💶',
		'\u{1f600}\u{1f601}\u{1f602}\u{1f603}\u{1f604}\u{1f605}\u{1f606}',
		'aaaaaaaaaaaaaaaaaaaaaaaa',
		'abcabcabcabcabc',
		'passwordpassword',
		'abcdefghijklm',
		'ponmlkjihgfedcba',
		'123456789012345',
		'098765432109876',
		'QWERTY123456',
		'administrator',
		'1qaz2wsx3edc',
		EMAIL,
		EMAIL.toUpperCase(),
		'Annabelle.Lee',
		'ｑｗｅｒｔｙ１２３４５６',
		`${'x'.repeat(1023)}é`,
		`${'a long one '.repeat(93)}!!`,
	]) {
		assert.equal(isWeakPassword(password, EMAIL), true, password.slice(0, 40));
	}
});

test('what nobody would try first is not', () => {
	for (const password of [
		'correct horse battery staple',
		'twelve chars',
		'abcdefghijkm',
		'1234567890ab',
		'💶🔑🏦📈🧾🪙💳📉🏧💸💷💴',
		'пароль не для всех',
		`${EMAIL} and more`,
		`${'a long one '.repeat(92)}!`,
	]) {
		assert.equal(isWeakPassword(password, EMAIL), false, password.slice(0, 40));
	}
});

test('the longest passwords are looked at quickly', () => {
	// A search that backtracks would take seconds.
	const hostile = `${'ab'.repeat(510)}c`;
	for (let count = 0; count < 1_000; count++) assert.equal(isWeakPassword(hostile, EMAIL), false);
	assert.equal(isWeakPassword('a'.repeat(16_000_000), EMAIL), true);
});
