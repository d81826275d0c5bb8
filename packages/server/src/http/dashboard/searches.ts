import { USERNAME_MAX_LENGTH } from '@bursar/contract/limits';

/** What stands in the name of an account: its text in lowercase, or `undefined` if no name can contain it. */
export function readSearch(text: string): string | undefined {
	return text.length <= USERNAME_MAX_LENGTH && /^[A-Za-z0-9._]*$/.test(text) ? text.toLowerCase() : undefined;
}
