import type { Role } from '@bursar/contract/dashboard';
import { USERNAME_MAX_LENGTH, USERNAME_MIN_LENGTH } from '@bursar/contract/limits';
import { texts, textsWith } from '../preferences/catalogue.ts';
import type { UsernameProblem } from './username-problem.ts';

/** What people of a reseller may do. */
export const roleTexts = texts('roleTexts', {
	label: 'Role',
	names: { owner: 'Owner', manager: 'Manager', viewer: 'Viewer' } as const satisfies Record<Role, string>,
	means: {
		owner: 'May do everything, and looks after the team, the tokens of the API and webhooks.',
		manager: 'May do everything but change the team, the tokens and webhooks.',
		viewer: 'May read everything but proxy auth keys, and changes nothing.',
	} as const satisfies Record<Role, string>,
});

const VALUES = { shortest: USERNAME_MIN_LENGTH, longest: USERNAME_MAX_LENGTH };

export const usernameTexts = textsWith('usernameTexts', VALUES, {
	hint: '{shortest} to {longest} letters, digits, periods and underscores. It can never be changed.',
	problems: {
		characters: 'Only the letters a to z, digits, periods and underscores are allowed.',
		start: 'It must begin with a letter or digit.',
		adjacent: 'Two periods or underscores cannot follow each other.',
		long: 'At most {longest} characters are allowed.',
		short: 'At least {shortest} characters are needed.',
		end: 'It must end with a letter or digit.',
	} as const satisfies Record<UsernameProblem, string>,
	willBe: 'It will be {username}: names are lowercase.',
	/** Whether it is free is another question. */
	isWellFormed: 'The form of this name is right.',
});

/** A field that asks for a file. */
export const fileTexts = texts('fileTexts', {
	choose: 'Choose a file',
	chooseAnother: 'Choose another file',
	drop: 'or drop it here',
	onlyOne: 'Only one file can be taken.',
});
