import { normalizeUsername, USERNAME_RULE } from '@bursar/contract/username';
import { AMOUNT_PROBLEMS, readAmount } from '@bursar/terminal';
import { InvalidArgumentError } from 'commander';

/** A username in its stored form. */
export function username(text: string): string {
	const normalized = normalizeUsername(text);
	if (normalized === undefined) {
		throw new InvalidArgumentError(`It must have ${USERNAME_RULE}.`);
	}
	return normalized;
}

/** In a script whose variable is empty, the next option would be taken for the text. */
export function words(text: string): string {
	if (text.startsWith('--')) throw new InvalidArgumentError('It looks like an option: give the text first.');
	return text;
}

/** A number of digits, at most so large, below zero too if the pattern allows it. */
export function integer(text: string, pattern: RegExp, max: number): number {
	const value = Number(text);
	if (!pattern.test(text) || Math.abs(value) > max)
		throw new InvalidArgumentError(`It must be an integer of at most ${max}.`);
	return value;
}

/** US dollars as they were typed, in USD cents from 0. */
export function amount(text: string): number {
	const cents = readAmount(text);
	if (typeof cents === 'string') throw new InvalidArgumentError(`${AMOUNT_PROBLEMS[cents]}.`);
	return cents;
}

/** The same, also below zero. */
export function signedAmount(text: string): number {
	return text.startsWith('-') ? -amount(text.slice(1)) : amount(text);
}
