import { userInfo } from 'node:os';

const MAX_NAME_CHARACTERS = 64;

/** Like `root` or, with sudo, `root (ann)`. Users can set SUDO_USER themselves, so it only helps honest ones. */
export function systemUser(): string {
	const by = process.env.SUDO_USER ?? '';
	const isName = /^[\x21-\x7e]+$/.test(by) && by.length <= MAX_NAME_CHARACTERS;
	return isName ? `${processUser()} (${by})` : processUser();
}

/** In a container, a user may have a number and no name. */
function processUser(): string {
	try {
		return userInfo().username;
	} catch {
		return `user ${process.getuid?.() ?? 'unknown'}`;
	}
}
