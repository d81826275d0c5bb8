import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword, verifyPassword } from '../src/passwords.ts';

const PASSWORD = 'correct horse battery staple';

test('a hash is argon2id with 19 MiB and two passes, and belongs to one password', async () => {
	const hash = await hashPassword(PASSWORD);
	assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
	assert.notEqual(await hashPassword(PASSWORD), hash, 'each hash has a salt of its own');
	assert.equal(await verifyPassword(PASSWORD, hash), true);
	for (const wrong of ['', PASSWORD.toUpperCase(), `${PASSWORD} `, PASSWORD.slice(1)]) {
		assert.equal(await verifyPassword(wrong, hash), false);
	}
	assert.equal(await verifyPassword(PASSWORD, undefined), false);
});

test('a hash of another library, with other costs, is verified', async () => {
	// The example of the reference implementation (phc-winner-argon2), with other parameters than ours.
	const hash = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
	assert.equal(await verifyPassword('password', hash), true);
	assert.equal(await verifyPassword('Password', hash), false);
});

test('a malformed hash is a fault, and is not shown', async () => {
	for (const hash of ['', 'x', '$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4']) {
		await assert.rejects(verifyPassword(PASSWORD, hash), { message: 'a password hash in the store is malformed' });
	}
});

test('a password of 1,024 bytes counts, and a longer one is wrong, even if it is not hashed', async () => {
	const longest = 'é'.repeat(512);
	const hash = await hashPassword(longest);
	assert.equal(await verifyPassword(longest, hash), true);
	assert.equal(await verifyPassword(longest.normalize('NFD').slice(0, 600), hash), false);
	assert.equal(await verifyPassword(`${longest}x`, hash), false);
	// What is too long must not stand for an empty password.
	assert.equal(await verifyPassword('x'.repeat(1_025), await hashPassword('')), false);
	await assert.rejects(hashPassword(`${longest}x`), { message: 'a password is too long' });
});
