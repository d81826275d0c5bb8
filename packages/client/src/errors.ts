import type { ErrorCode } from '@bursar/contract/errors';

/** What may have been paid in `create` fees, in USD cents. The amount is exact if both are the same. */
export interface FeeRange {
	readonly minCents: number;
	readonly maxCents: number;
}

/** What is known of a failure. */
export interface ErrorDetails {
	/** The service's own name for the failure (`X-Error-Code`), if it gave one. */
	readonly code?: ErrorCode | undefined;
	/** HTTP status, if there was an answer. */
	readonly status?: number | undefined;
	/** `X-Request-Id` of the answer. The operator of the service finds the request by it. */
	readonly requestId?: string | undefined;
	/** What the call may have paid in fees. Only for `create` and `createWith`. */
	readonly fee?: FeeRange | undefined;
	/** The numbers of the oldest and the newest event that there is. Only of events that are gone. */
	readonly events?: { readonly oldest: number | undefined; readonly newest: number | undefined } | undefined;
	/** The id of the newest movement. Only of a statement that was rewound. */
	readonly newestMovement?: number | undefined;
	readonly cause?: unknown;
}

/**
 * The base class of all errors of this client. The HTTP status and `X-Error-Code` decide the class, never the
 * wording of a message.
 *
 * After an {@link OutcomeUnknownError}, the change may have taken effect. After any other error this call did not do it,
 * except that a create may have paid its fee, and that a raw request may have been done. If the caller gave the id of an
 * earlier call, that call may still be on its way: `changes.settle` tells. No error holds the token.
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

	/** What `JSON.stringify` shows. It leaves out the cause, which another library may have made, and the stack. */
	toJSON(): Readonly<Record<string, unknown>> {
		const { name, message, ...details } = this;
		return { name, message, ...details };
	}
}

/**
 * The token is missing, malformed, unknown, retired or expired (401). A token that was just rotated can take
 * up to five minutes to work (docs/api.md 5.4).
 */
export class UnauthorizedError extends BursarError {
	override readonly name = 'UnauthorizedError';
}

/** The balance that would pay is too small (402). */
export class InsufficientBalanceError extends BursarError {
	override readonly name = 'InsufficientBalanceError';
}

/** The operator has suspended this reseller: it can read, but change no money and no sub-user (403). */
export class SuspendedError extends BursarError {
	override readonly name = 'SuspendedError';
}

/** No sub-user of this reseller has that username (404). */
export class UnknownSubUserError extends BursarError {
	override readonly name = 'UnknownSubUserError';
}

/** This reseller has no webhook with that id (404). */
export class UnknownWebhookError extends BursarError {
	override readonly name = 'UnknownWebhookError';
}

/** This reseller has no further token with that id (404). */
export class UnknownTokenError extends BursarError {
	override readonly name = 'UnknownTokenError';
}

/** Another account, which may be one of your own, signs in from one of the addresses (409). Nothing was changed. */
export class AddressTakenError extends BursarError {
	override readonly name = 'AddressTakenError';
}

/** The operator does not allow that sub-users of this reseller sign in by address (403). Addresses can only be removed. */
export class SignInByAddressOffError extends BursarError {
	override readonly name = 'SignInByAddressOffError';
}

/** The token may not do this (403): it lacks a scope, or may not be used from this address. The message says which scope. */
export class NotPermittedError extends BursarError {
	override readonly name = 'NotPermittedError';
}

/** The reseller has as many webhooks as it can have (409). */
export class TooManyWebhooksError extends BursarError {
	override readonly name = 'TooManyWebhooksError';
}

/** As many payments of the reseller wait for money as may (409). */
export class TooManyPaymentsError extends BursarError {
	override readonly name = 'TooManyPaymentsError';
}

/** The service takes no payments through this provider (409). */
export class ProviderOffError extends BursarError {
	override readonly name = 'ProviderOffError';
}

/** The reseller has as many further tokens as it can have (409). */
export class TooManyTokensError extends BursarError {
	override readonly name = 'TooManyTokensError';
}

/**
 * The username is taken (409), and the fee was paid. The username belongs to another reseller. If there is a
 * `cause`, it may also be the reseller's own, because the look for it failed. Of `createWith`, it may be the reseller's own too;
 * if `status` is absent, it is, and nothing was sent and paid.
 */
export class UsernameTakenError extends BursarError {
	override readonly name = 'UsernameTakenError';
	override readonly fee: FeeRange;

	constructor(message: string, details: ErrorDetails = {}) {
		super(message, details);
		// Only a create can pay one.
		this.fee = details.fee ?? { minCents: 0, maxCents: 0 };
	}
}

/**
 * An argument is wrong (400, 413, 415; 409 if a token has the name): `code` says which. If `status` is absent, the client itself refused the
 * argument and sent nothing, or the given `changeId` belongs to another change (`change_repeated`).
 */
export class InvalidRequestError extends BursarError {
	override readonly name = 'InvalidRequestError';
}

/** The service could not take the request at any attempt, and did nothing (503), or a raw request was never sent. */
export class UnavailableError extends BursarError {
	override readonly name = 'UnavailableError';
}

/** The service failed, and did nothing (500). */
export class InternalServerError extends BursarError {
	override readonly name = 'InternalServerError';
}

/**
 * The answer is not from this API: the base URL is wrong, or a redirection or a proxy answered. Or the answer is
 * larger than the client accepts.
 */
export class UnexpectedAnswerError extends BursarError {
	override readonly name = 'UnexpectedAnswerError';
}

/**
 * No answer came in time, or the connection broke. If a change may have been sent, the client looked: it did not take
 * effect.
 */
export class ConnectionError extends BursarError {
	override readonly name = 'ConnectionError';
}

/**
 * The log does not have the place any more from which events were to be read (410), and no further attempt can mend that. Read
 * `events.list({ after: 'newest' }).page()`, list everything anew, and follow from the `next` of that page.
 */
export abstract class EventsGoneError extends BursarError {
	/** The number of the oldest event that is kept; `undefined` if the answer did not tell it. */
	readonly oldest: number | undefined;
	/** The number of the newest event; `undefined` if the answer did not tell it. */
	readonly newest: number | undefined;

	constructor(message: string, details: ErrorDetails = {}) {
		super(message, details);
		this.oldest = details.events?.oldest;
		this.newest = details.events?.newest;
	}
}

/** The next events were forgotten: the place is older than what is kept. */
export class EventsExpiredError extends EventsGoneError {
	override readonly name = 'EventsExpiredError';
}

/** The log was restored from a backup, or a failover has lost its end: what you have seen may not be true any more. */
export class EventsRewoundError extends EventsGoneError {
	override readonly name = 'EventsRewoundError';
}

/**
 * The statement does not have the place any more behind which movements were to be read, the oldest first (410): it was restored
 * from a backup, or a failover has lost its end. What you have seen may not be true any more. Read it anew.
 */
export class StatementRewoundError extends BursarError {
	override readonly name = 'StatementRewoundError';
	/** The id of the newest movement; `undefined` if the answer did not tell it. */
	readonly newest: number | undefined;

	constructor(message: string, details: ErrorDetails = {}) {
		super(message, details);
		this.newest = details.newestMovement;
	}
}

/** What a change does. */
export type ChangeOperation =
	| 'create'
	| 'create_with'
	| 'give'
	| 'take'
	| 'reset_auth_key'
	| 'suspend'
	| 'resume'
	| 'set_limits'
	| 'set_note'
	| 'set_sign_in_ips'
	| 'delete'
	| 'create_token'
	| 'end_token'
	| 'create_webhook'
	| 'update_webhook'
	| 'delete_webhook'
	| 'rotate_webhook_secret'
	| 'create_top_up';

/** What the client knows about a change whose outcome is unknown. */
export interface UnknownOutcome {
	/** `undefined` only after `changes.settle` by the id alone, as for `username`. */
	readonly operation?: ChangeOperation | undefined;
	readonly username?: string | undefined;
	/** The id of the change. `changes.retrieve` and `changes.settle` find the change by it for 48 hours. */
	readonly changeId: string;
	/** What was to be moved or given, in USD cents. */
	readonly amountCents?: number | undefined;
	/** When the last lost request expires, in Unix seconds of the service's clock. */
	readonly expires?: number | undefined;
	/** Whether the service itself could not learn the outcome: the change may take effect at any time. */
	readonly mayHappenLater?: boolean | undefined;
}

/**
 * The answer to a change was lost, and the client could not find out in time whether it took effect. Do not make it again
 * with another id before `changes.settle` has told the outcome. `cause` says why the client cannot tell.
 */
export class OutcomeUnknownError extends BursarError {
	override readonly name = 'OutcomeUnknownError';
	readonly known: UnknownOutcome;

	constructor(message: string, known: UnknownOutcome, details: ErrorDetails) {
		super(message, details);
		this.known = known;
	}
}

/** Every error that a call rejects with, except its signal's reason: for an exhaustive `switch` over `name`. */
export type AnyBursarError =
	| UnauthorizedError
	| InsufficientBalanceError
	| SuspendedError
	| NotPermittedError
	| UnknownSubUserError
	| UnknownWebhookError
	| UnknownTokenError
	| TooManyTokensError
	| TooManyWebhooksError
	| TooManyPaymentsError
	| ProviderOffError
	| AddressTakenError
	| SignInByAddressOffError
	| UsernameTakenError
	| InvalidRequestError
	| UnavailableError
	| InternalServerError
	| UnexpectedAnswerError
	| ConnectionError
	| EventsExpiredError
	| EventsRewoundError
	| StatementRewoundError
	| OutcomeUnknownError;
