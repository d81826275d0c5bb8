import { redact } from './redact.ts';
import { say } from './standard-error.ts';

/** The exit codes that every command line shares. */
export const exitCodes = { done: 0, failed: 1, usage: 2 } as const;

/** A failure to print: an object for scripts, a sentence for people. */
export interface Failure {
	/** For scripts. */
	readonly code: string;
	/** For people. */
	readonly message: string;
	readonly exitCode: number;
	/** More fields for `--json`. They hold no secret. */
	readonly details: Readonly<Record<string, unknown>>;
}

/** Error thrown when a command fails. */
export class CommandError extends Error implements Failure {
	override readonly name: string = 'CommandError';
	readonly code: string;
	readonly exitCode: number;
	readonly details: Failure['details'];

	constructor(code: string, message: string, exitCode: number = exitCodes.failed, details: Failure['details'] = {}) {
		super(message);
		this.code = code;
		this.exitCode = exitCode;
		this.details = details;
	}
}

/** Error thrown when a command has wrong arguments. The command did nothing. */
export class UsageError extends CommandError {
	override readonly name = 'UsageError';

	constructor(message: string, code = 'usage') {
		super(code, message, exitCodes.usage);
	}
}

/** The object of `--json` for a failure. */
export function errorFields({ code, message, details }: Failure): Record<string, unknown> {
	return { code, message, ...details };
}

/** Prints a failure on stderr. Removes the given secrets and everything that looks like a secret. */
export function printError(program: string, failure: Failure, asJson: boolean, secrets: readonly string[] = []): void {
	const message = redact(failure.message, secrets);
	say(asJson ? JSON.stringify({ error: errorFields({ ...failure, message }) }) : `${program}: ${message}`);
}
