import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import { createKeySeal } from '../../src/store/secrets/key-seal.ts';
import { decodeMasterKey } from '../../src/store/secrets/master-key.ts';

const MASTER_KEY = randomBytes(32);

test('a sealed text opens again, in another process too, and looks different every time', () => {
	const seal = createKeySeal(MASTER_KEY);
	const sealed = ['', '4fQ9sLw2ZbT7xKc1', 'naïve 💶'].map((text) => [text, seal.seal(text, 'alice')] as const);
	for (const [text, hidden] of sealed) {
		assert.equal(createKeySeal(Uint8Array.from(MASTER_KEY)).open(hidden, 'alice'), text);
		assert.notEqual(seal.seal(text, 'alice'), hidden);
		assert.match(hidden, /^[0-9a-f]{8}\.[\w-]+$/);
		if (text !== '') assert.ok(!hidden.includes(text));
	}
});

test('a sealed text opens only in its own place, also after it was opened there', () => {
	const seal = createKeySeal(MASTER_KEY);
	const sealed = seal.seal('secret', 'alice');
	assert.throws(() => seal.open(sealed, 'bruno'));
	assert.equal(seal.open(sealed, 'alice'), 'secret');
	assert.throws(() => seal.open(sealed, 'bruno'));
	assert.equal(seal.open(sealed, 'alice'), 'secret');
});

test('a sealed text does not open with another master key, and the error says why', () => {
	const sealed = createKeySeal(MASTER_KEY).seal('secret', 'alice');
	assert.throws(() => createKeySeal(randomBytes(32)).open(sealed, 'alice'), /another master key/);
});

test('a sealed text with a changed bit, or cut short, does not open', (t) => {
	const seal = createKeySeal(MASTER_KEY);
	const sealed = seal.seal('4fQ9sLw2ZbT7xKc1', 'alice');
	const [keyId, body = ''] = sealed.split('.');
	const bytes = Buffer.from(body, 'base64url');
	const property = fc.property(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 7 }), (at, bit) => {
		const changed = Buffer.from(bytes);
		changed.writeUInt8(changed.readUInt8(at) ^ (1 << bit), at);
		assert.throws(() => seal.open(`${keyId}.${changed.toString('base64url')}`, 'alice'));
		assert.throws(() => seal.open(`${keyId}.${bytes.subarray(0, at).toString('base64url')}`, 'alice'));
	});
	fc.assert(property, { seed: printedSeed(t) });
	for (const text of ['', '.', `${keyId}`, `${keyId}.`, body]) assert.throws(() => seal.open(text, 'alice'));
});

test('more texts than the cache holds still open correctly', () => {
	const seal = createKeySeal(MASTER_KEY);
	const sealed = Array.from({ length: 10_050 }, (_, n) => seal.seal(`text ${n}`, 'alice'));
	for (let round = 0; round < 2; round++) {
		for (const [n, text] of sealed.entries()) assert.equal(seal.open(text, 'alice'), `text ${n}`);
	}
});

test('a master key is 32 bytes in base64; any other text is refused with its origin, and not repeated', () => {
	const text = MASTER_KEY.toString('base64');
	for (const valid of [text, ` ${text}\n`]) {
		assert.deepEqual(Buffer.from(decodeMasterKey(valid, 'the file')), MASTER_KEY);
	}
	for (const wrong of ['', 'geheimnis', text.slice(4), `${text}AAAA`, `${text.slice(0, 10)} ${text.slice(10)}`]) {
		assert.throws(
			() => decodeMasterKey(wrong, 'the file'),
			(error: Error) =>
				error.message.startsWith('the file must hold') && (wrong === '' || !error.message.includes(wrong)),
		);
	}
});

test('a derived key is the same everywhere, and differs for each purpose and master key', () => {
	const { deriveKey } = createKeySeal(MASTER_KEY);
	const key = deriveKey('one purpose');
	assert.equal(key.length, 32);
	assert.deepEqual(createKeySeal(Uint8Array.from(MASTER_KEY)).deriveKey('one purpose'), key);
	assert.notDeepEqual(deriveKey('another purpose'), key);
	assert.notDeepEqual(createKeySeal(randomBytes(32)).deriveKey('one purpose'), key);
});
