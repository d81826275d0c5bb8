import type { ErrorCode } from '@bursar/contract/errors';

/** What may have been paid in `create` fees, in USD cents: exactly known where both are the same. */
export interface FeeRange {
	readonly minCents: number;
	readonly maxCents: number;
}

/** What is known of a failure. */
export interface ErrorDetails {
	/** The service's own name for the failure (`X-Error-Code`), where it gave one. */
	readonly code?: ErrorCode | undefined;
	/** HTTP status, where there was an answer. */
	readonly status?: number | undefined;
	/** `X-Request-Id` of the answer: what the operator of the service finds the request by. */
	readonly requestId?: string | undefined;
	/** What the call may have paid in fees. Only for `createSubUser`. */
	readonly fee?: FeeRange | undefined;
	readonly cause?: unknown;
}

/**
 * What every failure of this client has in common. Its class is decided by the HTTP status and
 * `X-Error-Code`, never by the wording of a message.
 *
 * Only an {@link OutcomeUnknownError} leaves open whether the call took effect. After any other, it
 * did not, the fee of a create aside. No error holds the token.
 */
export abstract class BursarError extends Error {
	readonly code: ErrorCode | undefined;
	readonly status: number | undefined;
	readonly requestId: string | undefined;
	readonly fee: FeeRange | undefined;

	constructor(message: string, details: ErrorDetails = {}) {
		super(message, details.cause === undefined ? undefined : { cause: details.cause });
		this.code = details.code;
		this.status = details.status;
		this.requestId = details.requestId;
		this.fee = details.fee;
	}
}

/**
 * The token is missing, malformed, unknown or retired (401). A token that was just rotated can take
 * up to five minutes to work (docs/api.md 5.4).
 */
export class UnauthorizedError extends BursarError {
	override readonly name = 'UnauthorizedError';
}

/** The balance that would pay for this is too small (402). */
export class InsufficientBalanceError extends BursarError {
	override readonly name = 'InsufficientBalanceError';
}

/** No sub-user of this reseller has that username (404). */
export class UnknownSubUserError extends BursarError {
	override readonly name = 'UnknownSubUserError';
}

/**
 * The username is taken (409), and the fee was paid for learning it. It belongs to somebody else, or where
 * there is a `cause`, looking whether it is the reseller's own failed.
 */
export class UsernameTakenError extends BursarError {
	override readonly name = 'UsernameTakenError';
}

/**
 * An argument that the service would refuse, or did refuse (400, 413, 415): `code` says which. Where
 * `status` is absent, the client itself refused it and sent nothing.
 */
export class InvalidRequestError extends BursarError {
	override readonly name = 'InvalidRequestError';
}

/** The service could not take the request now, each time it was tried, and did nothing (503). */
export class UnavailableError extends BursarError {
	override readonly name = 'UnavailableError';
}

/** The service failed, and did nothing (500). */
export class InternalServerError extends BursarError {
	override readonly name = 'InternalServerError';
}

/**
 * What answered is not this API: a wrong base URL, a redirection, or something that stands between. Or its answer
 * is larger than what is read of one.
 */
export class UnexpectedAnswerError extends BursarError {
	override readonly name = 'UnexpectedAnswerError';
}

/** No answer came in time, or the connection broke. Of a change: it was looked for, and is not there. */
export class ConnectionError extends BursarError {
	override readonly name = 'ConnectionError';
}

/** What is known of a change whose outcome is not. */
export interface UnknownOutcome {
	readonly operation: 'create' | 'give' | 'take' | 'reset_auth_key';
	readonly username: string;
	/** What was to be moved, in USD cents. */
	readonly amountCents?: number | undefined;
	/** The sub-user's balance before the call in USD cents, where it was looked at. */
	readonly balanceBeforeCents?: number | undefined;
	/** The sub-user's balance when it was last looked at after the answer was lost. */
	readonly balanceAfterCents?: number | undefined;
	/** SHA-256 of the proxy auth key before the call, in hexadecimal digits, for `reset_auth_key`. */
	readonly authKeyBeforeSha256?: string | undefined;
	/**
	 * When the lost request expires, in Unix seconds by the service's clock. If that is not known, `settle` waits until
	 * all that was sent before it has expired.
	 */
	readonly expires?: number | undefined;
	/** Whether what was seen fits no story, because somebody else changes the sub-user too. Then no look can tell more. */
	readonly isDisturbed?: boolean | undefined;
	/** Whether the service itself could not learn the outcome: the change may take effect at any time. */
	readonly mayHappenLater?: boolean | undefined;
}

/**
 * A request was sent, its answer was lost, and looking could not tell whether it took effect. It was
 * not repeated since, and repeating it may do it twice. `cause` says why nothing could be told.
 */
export class OutcomeUnknownError extends BursarError {
	override readonly name = 'OutcomeUnknownError';
	readonly known: UnknownOutcome;

	constructor(message: string, known: UnknownOutcome, details: ErrorDetails) {
		super(message, details);
		this.known = known;
	}
}

/** Every error that a call rejects with, its signal's reason aside: for an exhaustive `switch` over `name`. */
export type AnyBursarError =
	| UnauthorizedError
	| InsufficientBalanceError
	| UnknownSubUserError
	| UsernameTakenError
	| InvalidRequestError
	| UnavailableError
	| InternalServerError
	| UnexpectedAnswerError
	| ConnectionError
	| OutcomeUnknownError;
