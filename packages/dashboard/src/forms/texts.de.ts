import { USERNAME_MAX_LENGTH, USERNAME_MIN_LENGTH } from '@bursar/contract/limits';
import type { roleTexts as englishRole, usernameTexts as englishUsername } from './texts.ts';

export const roleTexts: typeof englishRole = {
	label: 'Rolle',
	names: { owner: 'Inhaber', manager: 'Manager', viewer: 'Leser' },
	means: {
		owner: 'Darf alles und verwaltet das Team und die Token der API.',
		manager: 'Darf alles, außer das Team und die Token zu ändern.',
		viewer: 'Darf alles außer Proxy-Schlüsseln lesen und ändert nichts.',
	},
};

export const usernameTexts: typeof englishUsername = {
	hint: `${USERNAME_MIN_LENGTH} bis ${USERNAME_MAX_LENGTH} Buchstaben, Ziffern, Punkte und Unterstriche. Der Name kann nie geändert werden.`,
	problems: {
		characters: 'Nur die Buchstaben a bis z, Ziffern, Punkte und Unterstriche sind erlaubt.',
		start: 'Der Name muss mit einem Buchstaben oder einer Ziffer beginnen.',
		adjacent: 'Zwei Punkte oder Unterstriche dürfen nicht aufeinander folgen.',
		long: `Höchstens ${USERNAME_MAX_LENGTH} Zeichen sind erlaubt.`,
		short: `Mindestens ${USERNAME_MIN_LENGTH} Zeichen sind nötig.`,
		end: 'Der Name muss mit einem Buchstaben oder einer Ziffer enden.',
	},
	willBe: (username) => `Der Name wird ${username}: Namen sind kleingeschrieben.`,
	isWellFormed: 'Die Form des Namens stimmt.',
};
