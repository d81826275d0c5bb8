import { USERNAME_MAX_LENGTH, USERNAME_MIN_LENGTH } from '@bursar/contract/limits';
import { normalizeUsername } from '@bursar/contract/username';

/** Why a text is not a username. */
export type UsernameProblem = 'characters' | 'start' | 'adjacent' | 'long' | 'short' | 'end';

/** `undefined` if it is one. Problems that further typing cannot mend come first. */
export function usernameProblem(text: string): UsernameProblem | undefined {
	if (/[^A-Za-z0-9._]/.test(text)) return 'characters';
	if (/^[._]/.test(text)) return 'start';
	if (/[._]{2}/.test(text)) return 'adjacent';
	if (text.length > USERNAME_MAX_LENGTH) return 'long';
	if (text.length < USERNAME_MIN_LENGTH) return 'short';
	// The contract decides, and only the end can be wrong still.
	return normalizeUsername(text) === undefined ? 'end' : undefined;
}

/** Whether the text can become a username by further typing. */
export function isUnfinished(problem: UsernameProblem | undefined): boolean {
	return problem === 'short' || problem === 'end';
}
