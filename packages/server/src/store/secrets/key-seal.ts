import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_LENGTH = 8;
const DERIVED_BYTES = 32;
/**
 * How many opened texts make a generation. Two generations are kept, of about 10 MB each.
 * @bound Decrypted keys of one generation: the older generation is forgotten.
 */
const OPENED_LIMIT = 65_536;

/** Encrypts secrets that the store has to give back in the clear. */
export interface KeySeal {
	/** Encrypts a text for one context, such as its row. It does not open in another one. */
	seal(text: string, context: string): string;
	/** Decrypts a text. Throws if it was sealed in another context or under another key, or was changed. */
	open(sealed: string, context: string): string;
	/** Like `open`, but does not remember the text: for long lists. */
	openOnce(sealed: string, context: string): string;
	/** A key of 32 bytes for one purpose (HKDF with SHA-256). It tells nothing about the master key or other keys. */
	deriveKey(purpose: string): Uint8Array;
}

interface OpenedText {
	readonly context: string;
	readonly text: string;
}

/**
 * AES-256-GCM under the master key (32 bytes). The sealed form is `<key id>.<base64url of nonce,
 * ciphertext and tag>`. The key id tells which master key was used.
 */
export function createKeySeal(masterKey: Uint8Array): KeySeal {
	const keyId = keyIdOf(masterKey);

	function openUncached(sealed: string, context: string): string {
		const [sealedKeyId, body] = sealed.split('.');
		if (sealedKeyId !== keyId || body === undefined) throw new Error('this was sealed under another master key');
		return decrypt(masterKey, Buffer.from(body, 'base64url'), context);
	}

	// A sealed text always opens to the same text, so it can be remembered. Texts that were not used during a whole
	// generation are forgotten.
	let young = new Map<string, OpenedText>();
	let old = new Map<string, OpenedText>();

	function remember(sealed: string, opened: OpenedText): void {
		if (young.size >= OPENED_LIMIT) {
			old = young;
			young = new Map();
		}
		young.set(sealed, opened);
	}

	return {
		seal: (text, context) => `${keyId}.${encrypt(masterKey, text, context).toString('base64url')}`,
		open(sealed, context) {
			let opened = young.get(sealed);
			if (opened?.context === context) return opened.text;
			opened = old.get(sealed);
			if (opened?.context !== context) opened = { context, text: openUncached(sealed, context) };
			remember(sealed, opened);
			return opened.text;
		},
		openOnce: openUncached,
		deriveKey: (purpose) => new Uint8Array(hkdfSync('sha256', masterKey, '', `bursar ${purpose}`, DERIVED_BYTES)),
	};
}

/** Names a master key in everything that is sealed under it. Of other keys, one in 2^32 has the same id. */
function keyIdOf(masterKey: Uint8Array): string {
	return hash('sha256', Buffer.concat([Buffer.from('bursar master key id'), masterKey])).slice(0, KEY_ID_LENGTH);
}

/** Returns nonce, ciphertext and tag. The context is authenticated. */
function encrypt(key: Uint8Array, text: string, context: string): Buffer {
	const nonce = randomBytes(NONCE_BYTES);
	const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
	cipher.setAAD(Buffer.from(context));
	return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts what `encrypt` returned. Throws if anything was changed, or if the key or the context is another one. */
function decrypt(key: Uint8Array, encrypted: Uint8Array, context: string): string {
	const decipher = createDecipheriv(ALGORITHM, key, encrypted.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
	decipher.setAAD(Buffer.from(context));
	decipher.setAuthTag(encrypted.subarray(-TAG_BYTES));
	const text = decipher.update(encrypted.subarray(NONCE_BYTES, -TAG_BYTES));
	return Buffer.concat([text, decipher.final()]).toString('utf8');
}
