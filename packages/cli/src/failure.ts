import { type AnyBursarError, BursarError, EventsGoneError } from '@bursar/client';
import {
	CommandError,
	exitCodes as commonExitCodes,
	type EndingSignal,
	type Failure,
	signalExitCodes,
} from '@bursar/terminal';
import { feeFields, knownFields } from './output/fields.ts';

/** The exit codes of the process. The help and the README list them. */
export const exitCodes = {
	...commonExitCodes,
	unauthorized: 3,
	unknown: 4,
	refused: 5,
	outcomeUnknown: 6,
} as const;

/** A signal ended the command, and no outcome is unknown. If one is, the client throws its own error instead. */
export class Interrupted extends CommandError {
	override readonly name = 'Interrupted';

	constructor(signal: EndingSignal) {
		super('interrupted', 'interrupted, and no outcome is unknown', signalExitCodes[signal]);
	}
}

/** The failure to report for anything that was thrown. */
export function failureOf(error: unknown): Failure {
	if (error instanceof BursarError) return clientFailure(error as AnyBursarError);
	if (error instanceof CommandError) return error;
	const message = error instanceof Error ? error.message : String(error);
	return { code: 'failed', message, exitCode: exitCodes.failed, details: {} };
}

function clientFailure(error: AnyBursarError): Failure {
	const { exitCode, code } = kindOf(error);
	const { requestId, status, fee } = error;
	const known = error.name === 'OutcomeUnknownError' ? error.known : undefined;
	const details = {
		...(requestId !== undefined && { request_id: requestId }),
		...(status !== undefined && { status }),
		...(fee !== undefined && { fee: feeFields(fee) }),
		...(error instanceof EventsGoneError && { oldest: error.oldest, newest: error.newest }),
		...(known && { known: knownFields(known) }),
		// The service itself does not know the outcome: the change may take effect at any later time.
		...(known?.mayHappenLater && { may_happen_later: true }),
	};
	const interruptedBy = known === undefined && error.cause instanceof Interrupted ? error.cause : undefined;
	return { code, message: error.message, exitCode: interruptedBy?.exitCode ?? exitCode, details };
}

/** The exit code for an answer to a raw request: as for a command that got it. */
export function exitCodeOf(status: number, code: string | undefined): number {
	if (code === 'outcome_unknown') return exitCodes.outcomeUnknown;
	if (code !== undefined && UNKNOWN.has(code)) return exitCodes.unknown;
	if (status === 401 || (code !== undefined && NOT_PERMITTED.has(code))) return exitCodes.unauthorized;
	return REFUSALS.has(status) ? exitCodes.refused : exitCodes.failed;
}

const UNKNOWN: ReadonlySet<string> = new Set(['unknown_sub_user', 'unknown_webhook', 'unknown_token']);
/** Of a token. */
const NOT_PERMITTED: ReadonlySet<string> = new Set(['missing_scope', 'address_not_allowed']);
/** The statuses of the contract for what the service refuses. */
const REFUSALS: ReadonlySet<number> = new Set([400, 402, 403, 409, 410, 413, 415]);

interface Kind {
	readonly exitCode: number;
	readonly code: string;
}

/** The error class decides. The service's own code, if there is one, is the name. */
function kindOf(error: AnyBursarError): Kind {
	const named = (exitCode: number, code: string): Kind => ({ exitCode, code: error.code ?? code });
	switch (error.name) {
		case 'OutcomeUnknownError':
			return { exitCode: exitCodes.outcomeUnknown, code: 'outcome_unknown' };
		case 'UnauthorizedError':
			return named(exitCodes.unauthorized, 'unauthorized');
		case 'UnknownSubUserError':
			return named(exitCodes.unknown, 'unknown_sub_user');
		case 'UnknownWebhookError':
			return named(exitCodes.unknown, 'unknown_webhook');
		case 'UnknownTokenError':
			return named(exitCodes.unknown, 'unknown_token');
		case 'TooManyTokensError':
			return named(exitCodes.refused, 'too_many_tokens');
		case 'TooManyWebhooksError':
			return named(exitCodes.refused, 'too_many_webhooks');
		case 'TooManyPaymentsError':
			return named(exitCodes.refused, 'too_many_payments');
		case 'ProviderOffError':
			return named(exitCodes.refused, 'provider_off');
		case 'InsufficientBalanceError':
			return named(exitCodes.refused, 'insufficient_balance');
		case 'SuspendedError':
			return named(exitCodes.refused, 'suspended');
		case 'NotPermittedError':
			return named(exitCodes.unauthorized, 'missing_scope');
		case 'UsernameTakenError':
			return named(exitCodes.refused, 'username_taken');
		case 'EventsExpiredError':
			return named(exitCodes.refused, 'events_expired');
		case 'EventsRewoundError':
			return named(exitCodes.refused, 'events_rewound');
		case 'StatementRewoundError':
			return named(exitCodes.refused, 'statement_rewound');
		case 'InvalidRequestError':
			return named(error.status === undefined ? exitCodes.usage : exitCodes.refused, 'invalid_request');
		case 'UnavailableError':
			return named(exitCodes.failed, 'unavailable');
		case 'InternalServerError':
			return named(exitCodes.failed, 'internal_error');
		case 'UnexpectedAnswerError':
			return { exitCode: exitCodes.failed, code: 'unexpected_answer' };
		case 'ConnectionError':
			return { exitCode: exitCodes.failed, code: 'connection_failed' };
	}
}
