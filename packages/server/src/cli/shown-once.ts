import { fstatSync, readSync, statSync } from 'node:fs';
import { CommandError, exitCodes, printSurely } from '@bursar/terminal';

/** Throws if standard output is closed. Called before a token is made, because it could not be shown. */
export function assertOutputOpen(): void {
	if (!isOutputClosed()) return;
	throw new CommandError(
		'output_closed',
		'standard output is closed, so no token could be shown, and nothing was done',
	);
}

/** What was done, for the error message if the token could not be shown. */
export interface DoneUnseen {
	readonly reseller: string;
	/** In words. */
	readonly done: string;
	/** For scripts, without secrets. */
	readonly fields: Readonly<Record<string, unknown>>;
}

/** Prints lines with a new token, which cannot be shown again. Throws if they could not be written. */
export async function printOnce(lines: readonly string[], { reseller, done, fields }: DoneUnseen): Promise<void> {
	const problem = isOutputClosed()
		? 'standard output is closed'
		: await printSurely(lines).then(
				() => undefined,
				(cause: Error) => cause.message,
			);
	if (problem === undefined) return;
	throw new CommandError(
		'token_not_shown',
		`${problem}: ${done}, but the new token was not shown. To get another one and end all others: bursar reseller revoke-token ${reseller}`,
		exitCodes.failed,
		{ done: fields },
	);
}

const STANDARD_OUTPUT = 1;

/** Whether standard output was closed when we were started. Node then opens the null device in its place. */
function isOutputClosed(): boolean {
	try {
		// With `> /dev/null` the shell opens the same device, but only for writing, and reading it fails.
		const isNullDevice = fstatSync(STANDARD_OUTPUT).rdev === statSync('/dev/null').rdev;
		return isNullDevice && readSync(STANDARD_OUTPUT, Buffer.alloc(1)) === 0;
	} catch {
		return false;
	}
}
