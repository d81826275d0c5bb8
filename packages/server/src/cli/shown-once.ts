import { fstatSync, readSync, statSync } from 'node:fs';
import { CommandError, exitCodes, printSurely } from '@bursar/terminal';

/** What is shown once. */
type Shown = 'token' | 'link' | 'key';

/** Throws if standard output is closed. Called before a secret is made, because it could not be shown. */
export function assertOutputOpen(shown: Shown): void {
	if (!isOutputClosed()) return;
	throw new CommandError(
		'output_closed',
		`standard output is closed, so no ${shown} could be shown, and nothing was done`,
	);
}

/** What was done, for the error message if the secret could not be shown. */
export interface DoneUnseen {
	readonly shown: Shown;
	/** In words. */
	readonly done: string;
	/** How to get another secret, in words: what follows `To get another one`. */
	readonly remedy: string;
	/** For scripts, without secrets. */
	readonly fields: Readonly<Record<string, unknown>>;
}

/** Prints lines with a new secret, which cannot be shown again. Throws if they could not be written. */
export async function printOnce(lines: readonly string[], { shown, done, remedy, fields }: DoneUnseen): Promise<void> {
	const problem = isOutputClosed()
		? 'standard output is closed'
		: await printSurely(lines).then(
				() => undefined,
				(cause: Error) => cause.message,
			);
	if (problem === undefined) return;
	throw new CommandError(
		`${shown}_not_shown`,
		`${problem}: ${done}, but the new ${shown} was not shown. To get another one${remedy}`,
		exitCodes.failed,
		{ done: fields },
	);
}

/** The remedy for a lost token of this reseller. */
export function revoking(reseller: string): string {
	return ` and end all others: bursar reseller revoke-token ${reseller}`;
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
