import type { Role } from '@bursar/contract/dashboard';
import { USERNAME_MAX_LENGTH, USERNAME_MIN_LENGTH } from '@bursar/contract/limits';
import { inLanguage } from '../preferences/in-language.ts';
import type { UsernameProblem } from './username-problem.ts';

/** What people of a reseller may do. */
export const roleTexts = inLanguage('roleTexts', {
	label: 'Role',
	names: { owner: 'Owner', manager: 'Manager', viewer: 'Viewer' } satisfies Record<Role, string>,
	means: {
		owner: 'May do everything, and looks after the team and the tokens of the API.',
		manager: 'May do everything but change the team and the tokens.',
		viewer: 'May read everything but proxy auth keys, and changes nothing.',
	} satisfies Record<Role, string>,
});

export const usernameTexts = inLanguage('usernameTexts', {
	hint: `${USERNAME_MIN_LENGTH} to ${USERNAME_MAX_LENGTH} letters, digits, periods and underscores. It can never be changed.`,
	problems: {
		characters: 'Only the letters a to z, digits, periods and underscores are allowed.',
		start: 'It must begin with a letter or digit.',
		adjacent: 'Two periods or underscores cannot follow each other.',
		long: `At most ${USERNAME_MAX_LENGTH} characters are allowed.`,
		short: `At least ${USERNAME_MIN_LENGTH} characters are needed.`,
		end: 'It must end with a letter or digit.',
	} satisfies Record<UsernameProblem, string>,
	willBe: (username: string) => `It will be ${username}: names are lowercase.`,
	/** Whether it is free is another question. */
	isWellFormed: 'The form of this name is right.',
});
