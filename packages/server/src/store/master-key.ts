import { createKeySeal, type KeySeal } from './key-seal.ts';

const MASTER_KEY_BYTES = 32;
const CHECK_TEXT = 'bursar';
const CHECK_PLACE = 'meta:master_key_check';

/** The 32 bytes of a master key from base64. Throws, without the text, where it is none; `where` names its origin. */
export function decodeMasterKey(text: string, where: string): Uint8Array {
	const trimmed = text.trim();
	const bytes = Buffer.from(trimmed, 'base64');
	const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(trimmed);
	if (!isBase64 || bytes.length !== MASTER_KEY_BYTES) {
		throw new Error(`${where} must hold a master key of ${MASTER_KEY_BYTES} bytes in base64`);
	}
	return bytes;
}

/** Where a store keeps its check value: a text that only the right master key opens. */
export interface MasterKeyCheck {
	read(): string | undefined;
	/** Keeps the first value that is written: another process may be opening the same new store. */
	writeFirst(sealed: string): void;
}

/** The seal under this master key. Throws where the store was sealed under another one. */
export function openSeal(masterKey: Uint8Array, check: MasterKeyCheck): KeySeal {
	const seal = createKeySeal(masterKey);
	if (check.read() === undefined) check.writeFirst(seal.seal(CHECK_TEXT, CHECK_PLACE));
	try {
		seal.open(check.read() ?? '', CHECK_PLACE);
	} catch {
		throw new Error('this is not the master key of the store: proxy auth keys in it were sealed under another one');
	}
	return seal;
}
