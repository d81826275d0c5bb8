import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { test } from 'node:test';
import { admitPasswordWork, hashPassword, verifyPassword } from '../src/passwords.ts';

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

test('eighteen sign-ins are under way at most, and further ones are admitted when one ends', async () => {
	const gate = Promise.withResolvers<void>();
	const admitted = Array.from({ length: 18 }, (_, place) => admitPasswordWork(`${place}`, () => gate.promise));
	assert.ok(admitted.every((work) => work !== undefined));
	assert.equal(
		admitPasswordWork('another', () => assert.fail('it was run')),
		undefined,
	);
	gate.resolve();
	await Promise.all(admitted);
	await assert.rejects(admitPasswordWork('one', () => Promise.reject(new Error('it failed'))) ?? Promise.resolve());
	const again = Array.from({ length: 18 }, (_, place) => admitPasswordWork(`${place}`, async () => 'done'));
	assert.equal((await Promise.all(again)).filter((result) => result === 'done').length, 18);
});

test('four sign-ins of one network are under way at most, so that others get in', async () => {
	const gate = Promise.withResolvers<void>();
	const admitted = Array.from({ length: 10 }, () => admitPasswordWork('one', () => gate.promise));
	assert.equal(admitted.filter((work) => work !== undefined).length, 4);
	assert.equal(await admitPasswordWork('another', async () => 'done'), 'done');
	gate.resolve();
	await Promise.all(admitted);
	assert.equal(await admitPasswordWork('one', async () => 'done'), 'done');
});

test('many computations at once end, each with its own answer', async () => {
	const hash = await hashPassword(PASSWORD);
	const results = await Promise.all(
		Array.from({ length: 9 }, (_, place) => verifyPassword(place % 3 === 0 ? PASSWORD : `${PASSWORD}${place}`, hash)),
	);
	assert.deepEqual(
		results,
		Array.from({ length: 9 }, (_, place) => place % 3 === 0),
	);
});

test('two computations run at once, never more, and those that wait run later', async (t) => {
	let [running, most, computed] = [0, 0, 0];
	const { argon2 } = crypto;
	type Compute = (...given: Parameters<typeof argon2>) => void;
	const counted: Compute = (algorithm, parameters, done) => {
		most = Math.max(most, ++running);
		argon2(algorithm, parameters, (error, key) => {
			running--;
			computed++;
			done(error, key);
		});
	};
	const { mock } = t.mock.method(crypto, 'argon2', counted);
	syncBuiltinESMExports();
	t.after(() => {
		mock.restore();
		syncBuiltinESMExports();
	});
	const hashes = Array.from({ length: 5 }, () => hashPassword(PASSWORD));
	const verified = Array.from({ length: 5 }, () => verifyPassword(PASSWORD, undefined));
	await Promise.all([...hashes, ...verified]);
	assert.deepEqual({ most, computed }, { most: 2, computed: 10 });
});
