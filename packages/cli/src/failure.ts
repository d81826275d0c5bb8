import {
	BursarError,
	ConnectionError,
	InsufficientBalanceError,
	InternalServerError,
	InvalidRequestError,
	OutcomeUnknownError,
	UnauthorizedError,
	UnavailableError,
	UnexpectedAnswerError,
	UnknownSubUserError,
	UsernameTakenError,
} from '@bursar/client';
import { feeFields, knownFields } from './output/fields.ts';

/** What the process ends with. The help and the README name them. */
export const exitCodes = {
	done: 0,
	failed: 1,
	usage: 2,
	unauthorized: 3,
	unknownSubUser: 4,
	refused: 5,
	outcomeUnknown: 6,
} as const;

/** What went wrong outside of the client, with a code for scripts and a sentence for people. */
export class CommandError extends Error {
	override readonly name: string = 'CommandError';
	readonly code: string;
	readonly exitCode: number;

	constructor(code: string, message: string, exitCode: number = exitCodes.failed) {
		super(message);
		this.code = code;
		this.exitCode = exitCode;
	}
}

/** It was called wrongly, and nothing was sent. */
export class UsageError extends CommandError {
	override readonly name = 'UsageError';

	constructor(message: string, code = 'usage') {
		super(code, message, exitCodes.usage);
	}
}

/** A signal ended it. After this error nothing is left unknown: where something is, the client says so with its own. */
export class Interrupted extends CommandError {
	override readonly name = 'Interrupted';

	constructor(signal: 'SIGINT' | 'SIGTERM') {
		super('interrupted', 'interrupted, and nothing was left unknown', signal === 'SIGINT' ? 130 : 143);
	}
}

/** A failure as it is told: to scripts as an object, to people as its sentence. */
export interface Failure {
	readonly code: string;
	readonly message: string;
	readonly exitCode: number;
	/** What else scripts may want to know, under the names of `--json`. */
	readonly details: Readonly<Record<string, unknown>>;
}

/** What to tell of anything that was thrown. */
export function failureOf(error: unknown): Failure {
	if (error instanceof BursarError) return clientFailure(error);
	if (error instanceof CommandError) {
		const { code, message, exitCode } = error;
		return { code, message, exitCode, details: {} };
	}
	const message = error instanceof Error ? error.message : String(error);
	return { code: 'failed', message, exitCode: exitCodes.failed, details: {} };
}

/** The object of `--json` for a failure. */
export function errorFields({ code, message, details }: Failure): Record<string, unknown> {
	return { code, message, ...details };
}

function clientFailure(error: BursarError): Failure {
	const { exitCode, code } = kindOf(error);
	const { requestId, status, fee } = error;
	const details = {
		...(requestId !== undefined && { request_id: requestId }),
		...(status !== undefined && { status }),
		...(fee !== undefined && { fee: feeFields(fee) }),
		...(error instanceof OutcomeUnknownError && { known: knownFields(error.known) }),
		// The service's own word, and not a lost answer: no time can be named after which it is certain.
		...(error instanceof OutcomeUnknownError && error.code === 'outcome_unknown' && { may_happen_later: true }),
		...(error instanceof OutcomeUnknownError && error.known.isDisturbed && { disturbed: true }),
	};
	const isCertain = !(error instanceof OutcomeUnknownError);
	const interruptedBy = isCertain && error.cause instanceof Interrupted ? error.cause : undefined;
	return { code, message: error.message, exitCode: interruptedBy?.exitCode ?? exitCode, details };
}

interface Kind {
	readonly exitCode: number;
	readonly code: string;
}

/** Decided by the class: the service's own code is a name for it, and may be missing. */
function kindOf(error: BursarError): Kind {
	const named = (exitCode: number, code: string): Kind => ({ exitCode, code: error.code ?? code });
	if (error instanceof OutcomeUnknownError) return { exitCode: exitCodes.outcomeUnknown, code: 'outcome_unknown' };
	if (error instanceof UnauthorizedError) return named(exitCodes.unauthorized, 'unauthorized');
	if (error instanceof UnknownSubUserError) return named(exitCodes.unknownSubUser, 'unknown_sub_user');
	if (error instanceof InsufficientBalanceError) return named(exitCodes.refused, 'insufficient_balance');
	if (error instanceof UsernameTakenError) return named(exitCodes.refused, 'username_taken');
	if (error instanceof InvalidRequestError) {
		return named(error.status === undefined ? exitCodes.usage : exitCodes.refused, 'invalid_request');
	}
	if (error instanceof UnavailableError) return named(exitCodes.failed, 'unavailable');
	if (error instanceof InternalServerError) return named(exitCodes.failed, 'internal_error');
	if (error instanceof UnexpectedAnswerError) return { exitCode: exitCodes.failed, code: 'unexpected_answer' };
	if (error instanceof ConnectionError) return { exitCode: exitCodes.failed, code: 'connection_failed' };
	return named(exitCodes.failed, 'failed');
}
