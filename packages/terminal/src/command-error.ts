import { redact } from './redact.ts';
import { say } from './standard-error.ts';

/** What every command line ends with. */
export const exitCodes = { done: 0, failed: 1, usage: 2 } as const;

/** A failure as it is told: to scripts as an object, to people as its sentence. */
export interface Failure {
	/** For scripts. */
	readonly code: string;
	/** For people. */
	readonly message: string;
	readonly exitCode: number;
	/** What else scripts may want to know, under the names of `--json`. It holds no secret. */
	readonly details: Readonly<Record<string, unknown>>;
}

/** A command could not do what it was asked. */
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

/** A command was called wrongly, and did nothing. */
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

/** Says why the program failed, without secrets: those that look like one, and those that are given. */
export function printError(program: string, failure: Failure, asJson: boolean, secrets: readonly string[] = []): void {
	const message = redact(failure.message, secrets);
	say(asJson ? JSON.stringify({ error: errorFields({ ...failure, message }) }) : `${program}: ${message}`);
}
