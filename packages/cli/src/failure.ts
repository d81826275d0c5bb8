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
import {
	CommandError,
	exitCodes as commonExitCodes,
	type EndingSignal,
	type Failure,
	signalExitCodes,
} from '@bursar/terminal';
import { feeFields, knownFields } from './output/fields.ts';

/** What the process ends with. The help and the README name them. */
export const exitCodes = {
	...commonExitCodes,
	unauthorized: 3,
	unknownSubUser: 4,
	refused: 5,
	outcomeUnknown: 6,
} as const;

/** A signal ended it. After this error nothing is left unknown: where something is, the client says so with its own. */
export class Interrupted extends CommandError {
	override readonly name = 'Interrupted';

	constructor(signal: EndingSignal) {
		super('interrupted', 'interrupted, and nothing was left unknown', signalExitCodes[signal]);
	}
}

/** What to tell of anything that was thrown. */
export function failureOf(error: unknown): Failure {
	if (error instanceof BursarError) return clientFailure(error);
	if (error instanceof CommandError) return error;
	const message = error instanceof Error ? error.message : String(error);
	return { code: 'failed', message, exitCode: exitCodes.failed, details: {} };
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
