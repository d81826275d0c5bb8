import { USERNAME_MAX_LENGTH, USERNAME_MIN_LENGTH } from './limits.ts';

const ASCII_USERNAME_CHARACTERS = /^[A-Za-z0-9._]+$/;

/** Letters and digits at both ends, and never two of `.` `_` side by side. Matches in linear time. */
export const NORMALIZED_USERNAME = /^[a-z0-9](?:[._]?[a-z0-9])*$/;

/**
 * The username in its one stored form, or `undefined` where the text is no username.
 *
 * docs/api.md 6.1: 4 to 32 letters, digits, periods and underscores, converted to lowercase, not
 * beginning or ending with a period or underscore, no two of them adjacent. Characters are checked
 * before they are lowercased: some letters outside ASCII (the Kelvin sign, for one) lowercase to
 * ASCII letters, and would otherwise let two spellings name one account.
 */
export function normalizeUsername(text: string): string | undefined {
	if (text.length < USERNAME_MIN_LENGTH || text.length > USERNAME_MAX_LENGTH) return undefined;
	if (!ASCII_USERNAME_CHARACTERS.test(text)) return undefined;
	const lowercase = text.toLowerCase();
	return NORMALIZED_USERNAME.test(lowercase) ? lowercase : undefined;
}
