import { MIN_PASSWORD_CHARACTERS } from '@bursar/contract/dashboard';

export const passwordTexts = {
	password: 'New password',
	hint: `At least ${MIN_PASSWORD_CHARACTERS} characters. Long is better than complicated: four unrelated words are good.`,
	missing: (count: number) => (count === 1 ? 'One more character is needed.' : `${count} more characters are needed.`),
	isLongEnough: 'This is long enough.',
	repeat: 'The same password again',
	isDifferent: 'The two passwords are different.',
} as const;
