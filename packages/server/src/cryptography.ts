import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What credentials and sealed texts are made with. */
export interface Cryptography {
	/** Bytes that nobody can guess. */
	randomBytes(size: number): Buffer;
	sha256(bytes: string | Uint8Array): Buffer;
	/** Encrypts a text with AES-256-GCM under a random nonce. `place` is authenticated. Returns nonce, ciphertext, tag. */
	encrypt(key: Uint8Array, text: string, place: string): Buffer;
	/** Decrypts what `encrypt` returned. Throws if anything was changed, or if the key or the place is another one. */
	decrypt(key: Uint8Array, encrypted: Uint8Array, place: string): string;
}

/** Node's cryptography, for everything except short commands. */
export const nodeCryptography: Cryptography = {
	randomBytes: (size) => randomBytes(size),
	sha256: (bytes) => hash('sha256', bytes, 'buffer'),
	encrypt(key, text, place) {
		const nonce = randomBytes(NONCE_BYTES);
		const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
		cipher.setAAD(Buffer.from(place));
		return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
	},
	decrypt(key, encrypted, place) {
		const nonce = encrypted.subarray(0, NONCE_BYTES);
		const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
		decipher.setAAD(Buffer.from(place));
		decipher.setAuthTag(encrypted.subarray(-TAG_BYTES));
		const text = decipher.update(encrypted.subarray(NONCE_BYTES, -TAG_BYTES));
		return Buffer.concat([text, decipher.final()]).toString('utf8');
	},
};
