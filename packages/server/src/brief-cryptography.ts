import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { AES } from '@stablelib/aes';
import { GCM } from '@stablelib/gcm';
import { hash } from '@stablelib/sha256';
import { type Cryptography, NONCE_BYTES, nodeCryptography } from './cryptography.ts';

/** The random numbers of Linux, and the number of that device. */
const RANDOM_DEVICE = '/dev/urandom';
const RANDOM_DEVICE_NUMBER = 0x109;
const KEY_BYTES = 32;

/**
 * Gives the same results as Node's cryptography without loading `node:crypto`, which takes a short command longer than
 * all else that it loads. It is slower for many texts, and the time that it takes depends on the key. So it is only for
 * a command that makes one secret and ends.
 */
export const briefCryptography: Cryptography = {
	randomBytes: (size) => bytesOfSystem(size) ?? nodeCryptography.randomBytes(size),
	sha256: (bytes) => Buffer.from(hash(Buffer.from(bytes))),
	encrypt(key, text, place) {
		const nonce = briefCryptography.randomBytes(NONCE_BYTES);
		return Buffer.concat([nonce, gcm(key).seal(nonce, Buffer.from(text), Buffer.from(place))]);
	},
	decrypt(key, encrypted, place) {
		const nonce = encrypted.subarray(0, NONCE_BYTES);
		const text = gcm(key).open(nonce, encrypted.subarray(NONCE_BYTES), Buffer.from(place));
		if (text === null) throw new Error('the text was changed, or encrypted for another place or under another key');
		return Buffer.from(text).toString('utf8');
	},
};

function gcm(key: Uint8Array): GCM {
	if (key.length !== KEY_BYTES) throw new Error(`a key has ${KEY_BYTES} bytes`);
	const isOnlyForEncryption = true;
	return new GCM(new AES(key, isOnlyForEncryption));
}

/** `undefined` if there is no such device, or something else in its place. */
function bytesOfSystem(size: number): Buffer | undefined {
	const found = statSync(RANDOM_DEVICE, { throwIfNoEntry: false });
	if (process.platform !== 'linux' || !found?.isCharacterDevice() || found.rdev !== RANDOM_DEVICE_NUMBER)
		return undefined;
	const device = openSync(RANDOM_DEVICE, 'r');
	try {
		const bytes = Buffer.alloc(size);
		return readSync(device, bytes) === size ? bytes : undefined;
	} finally {
		closeSync(device);
	}
}
