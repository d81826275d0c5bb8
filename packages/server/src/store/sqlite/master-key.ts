import { randomBytes, randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { decodeMasterKey } from '../master-key.ts';

/**
 * The master key of an embedded store: the given one, else that of the `master.key` file beside the
 * database. Only for a store that has never had one is a new key made. It is written to disk before
 * anything is sealed with it.
 */
export function sqliteMasterKey(databaseFile: string, given: Uint8Array | undefined, isNewStore: boolean): Uint8Array {
	if (given) return given;
	const file = join(dirname(databaseFile), 'master.key');
	if (!existsSync(file)) {
		if (!isNewStore) {
			throw new Error(
				`the store has a master key, and it is missing: restore ${file} from your backup of it, or set BURSAR_MASTER_KEY or BURSAR_MASTER_KEY_FILE`,
			);
		}
		createKeyFile(file);
	}
	return decodeMasterKey(readFileSync(file, 'utf8'), file);
}

/** The file appears whole or not at all, also when two processes make it at once: the first one wins. */
function createKeyFile(file: string): void {
	// A name of its own: in a container, the process that was killed here had the same id as this one.
	const draft = `${file}.${randomUUID()}.draft`;
	const descriptor = openSync(draft, 'wx', 0o600);
	try {
		writeSync(descriptor, `${randomBytes(32).toString('base64')}\n`);
		fsyncSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
	try {
		linkSync(draft, file);
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
	} finally {
		unlinkSync(draft);
	}
	const folder = openSync(dirname(file), 'r');
	try {
		fsyncSync(folder);
	} finally {
		closeSync(folder);
	}
}
