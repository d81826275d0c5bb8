import { readBoundedFile } from '@bursar/terminal';
import { WrongMasterKeyError } from '../store.ts';
import { createKeySeal, type KeySeal } from './key-seal.ts';

/** The file in the folder of an embedded store that holds its master key by default. */
export const KEY_FILE = 'master.key';

const MASTER_KEY_BYTES = 32;
/** Far more than a key in base64 takes. */
const MOST_FILE_BYTES = 1024;
const CHECK_TEXT = 'bursar';
const CHECK_CONTEXT = 'meta:master_key_check';

/** Reads the 32 bytes of a master key from base64. If it is not valid, throws an error that does not show the text. */
export function decodeMasterKey(text: string, where: string): Uint8Array {
	const trimmed = text.trim();
	const bytes = Buffer.from(trimmed, 'base64');
	const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(trimmed);
	if (!isBase64 || bytes.length !== MASTER_KEY_BYTES) {
		throw new Error(`${where} must hold a master key of ${MASTER_KEY_BYTES} bytes in base64`);
	}
	return bytes;
}

/** Reads a master key from a file of bounded size. Also throws if the file cannot be read. */
export function readMasterKey(file: string, where: string): Uint8Array {
	return decodeMasterKey(readBoundedFile(file, MOST_FILE_BYTES)?.toString('utf8') ?? '', where);
}

/** Access to the check value of a store: a text that only the right master key opens. */
export interface MasterKeyCheck {
	read(): Promise<string | undefined>;
	/** Keeps the first value that is written: another process may be opening the same new store. */
	writeFirst(sealed: string): Promise<void>;
}

/** Whether the check value of a store was sealed under this master key. */
export function isSealedUnder(masterKey: Uint8Array, check: string): boolean {
	return opens(createKeySeal(masterKey), check);
}

/** The check value of a store under this seal. */
export function sealCheck(seal: KeySeal): string {
	return seal.seal(CHECK_TEXT, CHECK_CONTEXT);
}

/** The seal under this master key. Throws `WrongMasterKeyError` if the store was sealed under another one. */
export async function openSeal(masterKey: Uint8Array, check: MasterKeyCheck): Promise<KeySeal> {
	const first = await check.read();
	if (first !== undefined) return checkedSeal(masterKey, first);
	await check.writeFirst(sealCheck(createKeySeal(masterKey)));
	return checkedSeal(masterKey, (await check.read()) ?? '');
}

/** The seal of a store with this check value. Throws `WrongMasterKeyError` if it was made under another master key. */
export function checkedSeal(masterKey: Uint8Array, check: string): KeySeal {
	const seal = createKeySeal(masterKey);
	if (opens(seal, check)) return seal;
	throw new WrongMasterKeyError(
		'this is not the master key of the store: proxy auth keys in it were sealed under another one',
	);
}

function opens(seal: KeySeal, check: string): boolean {
	try {
		seal.open(check, CHECK_CONTEXT);
		return true;
	} catch {
		return false;
	}
}
