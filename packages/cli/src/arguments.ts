import { InvalidRequestError, normalizeUsername, USERNAME_RULE } from '@bursar/client';
import { isMovementReference, REFERENCE_MAX_LENGTH } from '@bursar/contract/reference';
import { AMOUNT_PROBLEMS, readAmount, UsageError } from '@bursar/terminal';
import { InvalidArgumentError } from 'commander';

/** US dollars as they were typed, in USD cents from 1. */
export function amountArgument(text: string): number {
	const cents = readAmount(text);
	if (typeof cents === 'string') throw new InvalidArgumentError(`${AMOUNT_PROBLEMS[cents]}.`);
	if (cents === 0) throw new InvalidArgumentError('The smallest amount is 0.01.');
	return cents;
}

/** The reference of a give or a take. */
export function referenceArgument(text: string): string {
	if (isMovementReference(text)) return text;
	throw new InvalidArgumentError(`It must have 1 to ${REFERENCE_MAX_LENGTH} visible ASCII characters, without spaces.`);
}

/** The name for a new sub-user. The client would refuse an invalid one only after the question. */
export function newUsername(username: string): string {
	if (normalizeUsername(username) !== undefined) return username;
	const message = `this is not a valid username (${USERNAME_RULE}): nothing was sent, and nothing paid`;
	throw new InvalidRequestError(message, { code: 'invalid_username' });
}

/** The username, or `undefined` for the bulk form. Throws if both or neither are given. */
export function usernameUnlessBulk(username: string | undefined, all: string | undefined): string | undefined {
	if (username !== undefined && all !== undefined) throw new UsageError('give a username or --all, not both');
	if (username === undefined && all === undefined) throw new UsageError('give a username, or --all with a file');
	return username;
}
