import { randomBytes, randomUUID } from 'node:crypto';
import {
	closeSync,
	existsSync,
	fsyncSync,
	linkSync,
	openSync,
	readdirSync,
	renameSync,
	unlinkSync,
	writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isSealedUnder, KEY_FILE, readMasterKey } from '../../secrets/master-key.ts';

/**
 * The master key of an embedded store: the given key, or by default the `master.key` file next to the database. A new
 * key is made only if the store never had one. It is written to disk before anything is sealed with it.
 */
export function sqliteMasterKey(databaseFile: string, given: Uint8Array | undefined, isNewStore: boolean): Uint8Array {
	if (given) return given;
	const file = join(dirname(databaseFile), KEY_FILE);
	if (!existsSync(file)) {
		if (!isNewStore) {
			throw new Error(
				`the store has a master key, and it is missing: restore ${file} from your backup of it, or set BURSAR_MASTER_KEY or BURSAR_MASTER_KEY_FILE. If every copy is lost: bursar master-key replace --lost`,
			);
		}
		createKeyFile(file);
	}
	return readMasterKey(file, file);
}

/** The file appears complete or not at all. If two processes create it at once, the first one wins. */
function createKeyFile(file: string): void {
	const draft = writeDraft(file, randomBytes(32));
	try {
		linkSync(draft, file);
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
	} finally {
		unlinkSync(draft);
	}
	flushFolder(file);
}

/**
 * Replaces the key file of the store. The previous key stays next to it, because older backups need it. Returns the
 * path of the new key.
 */
export function replaceKeyFile(dataDir: string, masterKey: Uint8Array): string {
	const file = join(dataDir, KEY_FILE);
	if (readMasterKey(file, file).every((byte, index) => byte === masterKey[index])) return file;
	const draft = writeDraft(file, masterKey);
	linkSync(file, `${file}.until-${new Date().toISOString().replaceAll(':', '')}`);
	renameSync(draft, file);
	flushFolder(file);
	return file;
}

/** Throws if the master key of a store with this check value is in a file of its folder, unless it is the new key. */
export function assertLost(dataDir: string, check: string, newKey: Uint8Array): void {
	if (isSealedUnder(newKey, check)) return;
	for (const name of readdirSync(dataDir).filter((each) => each.startsWith(KEY_FILE))) {
		const file = join(dataDir, name);
		if (opensStore(file, check)) throw new Error(`the master key of the store is not lost: it is in ${file}`);
	}
}

function opensStore(file: string, check: string): boolean {
	try {
		return isSealedUnder(readMasterKey(file, file), check);
	} catch {
		// It holds no master key.
		return false;
	}
}

function writeDraft(file: string, masterKey: Uint8Array): string {
	// A random name, because in a container a process that was killed here had the same id as this one.
	const draft = `${file}.${randomUUID()}.draft`;
	const descriptor = openSync(draft, 'wx', 0o600);
	try {
		writeSync(descriptor, `${Buffer.from(masterKey).toString('base64')}\n`);
		fsyncSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
	return draft;
}

function flushFolder(file: string): void {
	const folder = openSync(dirname(file), 'r');
	try {
		fsyncSync(folder);
	} finally {
		closeSync(folder);
	}
}
