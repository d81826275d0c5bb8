import { USERNAME_MAX_LENGTH, USERNAME_MIN_LENGTH } from './limits.ts';

/** A letter or digit at both ends, and no two of `.` and `_` side by side. Matches in linear time. */
export const USERNAME = /^[A-Za-z0-9](?:[._]?[A-Za-z0-9])*$/;

/** The same in its stored form. */
export const NORMALIZED_USERNAME = /^[a-z0-9](?:[._]?[a-z0-9])*$/;

/** What a username is, for people. */
export const USERNAME_RULE = `${USERNAME_MIN_LENGTH} to ${USERNAME_MAX_LENGTH} letters, digits, periods or underscores; a letter or digit at both ends; no two periods or underscores side by side`;

/**
 * The username in its stored form, or `undefined` if the text is not a valid username.
 *
 * docs/api.md 6.1: 4 to 32 letters, digits, periods and underscores, converted to lowercase, not beginning or ending
 * with a period or underscore, no two of them adjacent. Characters are checked before they become lowercase: some
 * letters outside ASCII, such as the Kelvin sign, become ASCII letters, so two spellings would name one account.
 */
export function normalizeUsername(text: string): string | undefined {
	if (text.length < USERNAME_MIN_LENGTH || text.length > USERNAME_MAX_LENGTH) return undefined;
	return USERNAME.test(text) ? text.toLowerCase() : undefined;
}
