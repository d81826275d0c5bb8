import { fstatSync, readSync, statSync } from 'node:fs';
import { CommandError, exitCodes, printSurely } from '@bursar/terminal';

/** Before a token is made that nobody could see. Throws if standard output is closed. */
export function assertOutputOpen(): void {
	if (!isOutputClosed()) return;
	throw new CommandError(
		'output_closed',
		'standard output is closed, so no token could be shown, and nothing was done',
	);
}

/** What was done, to be told if its token is not seen by anybody. */
export interface DoneUnseen {
	readonly reseller: string;
	/** In words. */
	readonly done: string;
	/** For scripts, without any secret. */
	readonly fields: Readonly<Record<string, unknown>>;
}

/** Prints lines with a new token in them, which nobody can ask for again. Throws if they could not be written. */
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
		`${problem}: ${done}, but the new token was not shown. For another one, with which all others end: bursar reseller revoke-token ${reseller}`,
		exitCodes.failed,
		{ done: fields },
	);
}

const STANDARD_OUTPUT = 1;

/** Whether it was closed when we were started. Then Node has put a device in its place that takes everything. */
function isOutputClosed(): boolean {
	try {
		// A shell that is told to throw our output away opens the same device only for writing.
		const isNullDevice = fstatSync(STANDARD_OUTPUT).rdev === statSync('/dev/null').rdev;
		return isNullDevice && readSync(STANDARD_OUTPUT, Buffer.alloc(1)) === 0;
	} catch {
		return false;
	}
}
