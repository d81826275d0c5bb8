import { readBoundedFile } from '@bursar/terminal';
import type { Reader } from '../reading.ts';
import type { SharedStatement } from '../statement.ts';
import { WrongMasterKeyError } from '../store.ts';
import { createKeySeal, type KeySeal } from './key-seal.ts';

/** The file in the folder of an embedded store that holds its master key by default. */
export const KEY_FILE = 'master.key';

const MASTER_KEY_BYTES = 32;
/**
 * Far more than a key in base64 takes.
 * @bound The file of the master key: a longer one is refused.
 */
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

/** Reads, as `value`, the check value of a store: a text that only the right master key opens. */
export const MASTER_KEY_CHECK: SharedStatement = {
	sql: "SELECT value FROM meta WHERE name = 'master_key_check'",
	values: [],
};

export async function readMasterKeyCheck(read: Reader['read']): Promise<string | undefined> {
	const [check] = (await read(MASTER_KEY_CHECK)) as readonly { readonly value: string }[];
	return check?.value;
}

/** Whether the check value of a store was sealed under this master key. */
export function isSealedUnder(masterKey: Uint8Array, check: string): boolean {
	return opens(createKeySeal(masterKey), check);
}

/** The check value of a store under this seal. */
export function sealCheck(seal: KeySeal): string {
	return seal.seal(CHECK_TEXT, CHECK_CONTEXT);
}

/** Runs statements on a store that is being opened, each in a transaction of its own. */
interface OpeningStore {
	/** What to call it. */
	readonly name: string;
	readonly read: Reader['read'];
	write(statement: SharedStatement): unknown;
}

/**
 * The master key of a store, and its seal. `masterKeyOf` is asked whether the store is new. Throws `WrongMasterKeyError` if the
 * store was sealed under another key.
 */
export async function openSeal(
	{ name, read, write }: OpeningStore,
	masterKeyOf: (isNewStore: boolean) => Uint8Array,
): Promise<{ readonly masterKey: Uint8Array; readonly seal: KeySeal }> {
	const first = await readMasterKeyCheck(read);
	const isNew = first === undefined;
	if (isNew && (await read(ANY_NAME)).length > 0) {
		throw new Error(`${name} has lost the check value of its master key: restore a backup`);
	}
	const masterKey = masterKeyOf(isNew);
	if (!isNew) return { masterKey, seal: checkedSeal(masterKey, first) };
	await write({ sql: FIRST_CHECK, values: [sealCheck(createKeySeal(masterKey))] });
	return { masterKey, seal: checkedSeal(masterKey, (await readMasterKeyCheck(read)) ?? '') };
}

const ANY_NAME: SharedStatement = { sql: 'SELECT username FROM usernames LIMIT 1', values: [] };

/** Keeps the first value that is written: another process may be opening the same new store. */
const FIRST_CHECK = "INSERT INTO meta (name, value) VALUES ('master_key_check', $1) ON CONFLICT DO NOTHING";

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
