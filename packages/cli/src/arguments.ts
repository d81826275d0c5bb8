import { parseCents } from '@bursar/contract/bulk';
import { UsageError } from '@bursar/terminal';
import { InvalidArgumentError } from 'commander';

export function centsArgument(text: string): number {
	const cents = parseCents(text);
	if (cents === undefined) throw new InvalidArgumentError('It must be an integer of USD cents, at least 1.');
	return cents;
}

/** The username, or `undefined` for the bulk form. Throws if both or neither are given. */
export function usernameUnlessBulk(username: string | undefined, all: string | undefined): string | undefined {
	if (username !== undefined && all !== undefined) throw new UsageError('give a username or --all, not both');
	if (username === undefined && all === undefined) throw new UsageError('give a username, or --all with a file');
	return username;
}
