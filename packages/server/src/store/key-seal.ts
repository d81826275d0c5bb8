import { hkdfSync } from 'node:crypto';
import { nodeCryptography } from '../cryptography.ts';

const KEY_ID_LENGTH = 8;
const DERIVED_BYTES = 32;
/** How many opened texts make a generation. Two generations are kept, of about 10 MB each. */
const OPENED_LIMIT = 65_536;

/** Encrypts secrets that the store has to give back in the clear. */
export interface KeySeal {
	/** Encrypts a text for one place. It does not open at another place. */
	seal(text: string, place: string): string;
	/** Decrypts a text. Throws if it was sealed for another place or under another key, or was changed. */
	open(sealed: string, place: string): string;
	/** Like `open`, but does not remember the text: for long lists. */
	openOnce(sealed: string, place: string): string;
	/** A key of 32 bytes for one purpose (HKDF with SHA-256). It tells nothing about the master key or other keys. */
	deriveKey(purpose: string): Uint8Array;
}

/**
 * A seal that `make` makes when it is first used. Short commands often use none, and `node:crypto` takes longer to load
 * than everything else of theirs.
 */
export function lazyKeySeal(make: () => KeySeal): KeySeal {
	return {
		seal: (text, place) => make().seal(text, place),
		open: (sealed, place) => make().open(sealed, place),
		openOnce: (sealed, place) => make().openOnce(sealed, place),
		deriveKey: (purpose) => make().deriveKey(purpose),
	};
}

interface OpenedText {
	readonly place: string;
	readonly text: string;
}

/** Names a master key in everything that is sealed under it. Of other keys, one in 2^32 has the same id. */
export function keyIdOf(masterKey: Uint8Array, sha256: (bytes: Uint8Array) => Uint8Array): string {
	const digest = sha256(Buffer.concat([Buffer.from('bursar master key id'), masterKey]));
	return Buffer.from(digest).toString('hex').slice(0, KEY_ID_LENGTH);
}

/**
 * AES-256-GCM under the master key (32 bytes). The sealed form is `<key id>.<base64url of nonce,
 * ciphertext and tag>`. The key id tells which master key was used.
 */
export function createKeySeal(masterKey: Uint8Array, { sha256, encrypt, decrypt } = nodeCryptography): KeySeal {
	const keyId = keyIdOf(masterKey, sha256);

	function openUncached(sealed: string, place: string): string {
		const [sealedKeyId, body] = sealed.split('.');
		if (sealedKeyId !== keyId || body === undefined) throw new Error('this was sealed under another master key');
		return decrypt(masterKey, Buffer.from(body, 'base64url'), place);
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
		seal: (text, place) => `${keyId}.${encrypt(masterKey, text, place).toString('base64url')}`,
		open(sealed, place) {
			let opened = young.get(sealed);
			if (opened?.place === place) return opened.text;
			opened = old.get(sealed);
			if (opened?.place !== place) opened = { place, text: openUncached(sealed, place) };
			remember(sealed, opened);
			return opened.text;
		},
		openOnce: openUncached,
		deriveKey: (purpose) => new Uint8Array(hkdfSync('sha256', masterKey, '', `bursar ${purpose}`, DERIVED_BYTES)),
	};
}
