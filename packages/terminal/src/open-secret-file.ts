import { type Stats, statSync } from 'node:fs';

const WRITABLE_BY_OTHERS = 0o022;
const READABLE_BY_OTHERS = 0o004;
const READABLE_BY_GROUP = 0o040;

/**
 * Why a file may not hold a secret, in words. `undefined` if it may, if it cannot be looked at, or if it is no regular
 * file, such as a pipe.
 *
 * The file must belong to this user or to root. Other users may neither read nor write it, except that the group of a file
 * of root may read it. PostgreSQL has the same rules for the key of its certificate. If this user is root, the file may
 * belong to any user.
 */
export function openSecretFile(file: string, user = process.getuid?.()): string | undefined {
	const found = statsOf(file);
	// Windows has no such owners and modes.
	if (!found?.isFile() || user === undefined) return undefined;
	const remedy = 'or set BURSAR_ALLOW_OPEN_KEY_FILES=1';
	if (found.uid !== 0 && user !== 0 && found.uid !== user) {
		return `it belongs to another user (${found.uid}): give it to the user that runs this, ${remedy}`;
	}
	const forbidden = WRITABLE_BY_OTHERS | READABLE_BY_OTHERS | (found.uid === 0 ? 0 : READABLE_BY_GROUP);
	const mode = found.mode & 0o777;
	if ((mode & forbidden) === 0) return undefined;
	return `others can read or change it (mode ${mode.toString(8)}): chmod 600 it, ${remedy}`;
}

/** The caller reads the file, and reports why it cannot be read. */
function statsOf(file: string): Stats | undefined {
	try {
		return statSync(file);
	} catch {
		return undefined;
	}
}
