import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import { briefCryptography } from '../src/brief-cryptography.ts';
import { nodeCryptography } from '../src/cryptography.ts';

const BOTH = { brief: briefCryptography, node: nodeCryptography };
const text = fc.string({ unit: 'binary', maxLength: 100 });
const key = fc.uint8Array({ minLength: 32, maxLength: 32 });

test('what one cryptography encrypts, the other decrypts; and their hashes are equal', (t) => {
	const property = fc.property(key, text, text, (key, text, place) => {
		for (const [one, other] of [
			[briefCryptography, nodeCryptography],
			[nodeCryptography, briefCryptography],
		] as const) {
			assert.equal(other.decrypt(key, one.encrypt(key, text, place), place), text);
			assert.deepEqual(one.sha256(text), other.sha256(Buffer.from(text)));
		}
	});
	fc.assert(property, { seed: printedSeed(t) });
});

for (const [name, { encrypt, decrypt, randomBytes }] of Object.entries(BOTH)) {
	test(`the ${name} cryptography decrypts only the same bytes, for the same place and under the same key`, () => {
		const [key, other] = [randomBytes(32), randomBytes(32)];
		const encrypted = encrypt(key, '4fQ9sLw2ZbT7xKc1', 'alice');
		assert.equal(decrypt(key, encrypted, 'alice'), '4fQ9sLw2ZbT7xKc1');
		assert.throws(() => decrypt(key, encrypted, 'alicf'));
		assert.throws(() => decrypt(other, encrypted, 'alice'));
		for (const size of [0, 16, 24, 31, 33]) {
			assert.throws(() => encrypt(randomBytes(size), 'text', 'alice'), `a key of ${size} bytes`);
		}
		for (let at = 0; at < encrypted.length; at++) {
			const changed = Buffer.from(encrypted);
			changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
			assert.throws(() => decrypt(key, changed, 'alice'), `byte ${at}`);
			assert.throws(() => decrypt(key, encrypted.subarray(0, at), 'alice'), `${at} bytes`);
		}
	});

	test(`the random bytes of the ${name} cryptography are as many as asked, and all values are as likely`, () => {
		for (const size of [0, 1, 12, 40, 1000]) assert.equal(randomBytes(size).length, size);
		assert.notDeepEqual(randomBytes(16), randomBytes(16));
		const counts = new Array(256).fill(0);
		for (const byte of randomBytes(256_000)) counts[byte]++;
		// The mean is 1,000 and the standard deviation 32: ten of them are never seen.
		for (const [byte, count] of counts.entries()) assert.ok(Math.abs(count - 1000) < 320, `${byte}: ${count}`);
	});
}
