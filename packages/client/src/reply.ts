import type { ErrorCode } from '@bursar/contract/errors';
import {
	type BursarError,
	ConnectionError,
	type ErrorDetails,
	InsufficientBalanceError,
	InternalServerError,
	InvalidRequestError,
	UnauthorizedError,
	UnavailableError,
	UnexpectedAnswerError,
	UnknownSubUserError,
	UsernameTakenError,
} from './errors.ts';

/** What came of one request, as far as the client can know. */
export type Reply<Data> =
	| { readonly kind: 'answered'; readonly data: Data; readonly requestId: string | undefined }
	/** The service's own word that it did not do it (create's fee aside), and would not if asked again. */
	| { readonly kind: 'refused'; readonly failure: Failure }
	/** It certainly was not done, and may be sent again: it never left, or the service could not take it. */
	| { readonly kind: 'not_done'; readonly failure: Failure }
	/** It may have been done. */
	| { readonly kind: 'lost'; readonly failure: Failure };

/** A failure before it is known what it means for the call: an error is made of it where it is thrown. */
export interface Failure extends Pick<ErrorDetails, 'code' | 'status' | 'requestId'> {
	readonly type: FailureType;
	readonly message: string;
	/** How long the service asks to be left alone, in milliseconds. */
	readonly retryAfterMs?: number | undefined;
	/** When the request expires, in Unix seconds by the service's clock; `undefined` if it never does. */
	readonly expires?: number | undefined;
	/** Whether the answer was larger than what is read of one. */
	readonly isTooLarge?: true;
}

export type FailureType = new (message: string, details: ErrorDetails) => BursarError;

/** The error to throw for a failure. */
export function errorOf({ type, message, code, status, requestId }: Failure, more: ErrorDetails = {}): BursarError {
	return new type(message, { code, status, requestId, ...more });
}

/** The error class of each code that says that nothing was done, or of the answer's status where it has none. */
export function refusalType(code: ErrorCode | undefined, status: number): FailureType | undefined {
	if (code !== undefined) return REFUSALS[code];
	// A stripped header: the status of an envelope tells as much, short of faults.
	return STATUSES[status];
}

const REFUSALS: Readonly<Record<ErrorCode, FailureType | undefined>> = {
	unauthorized: UnauthorizedError,
	insufficient_balance: InsufficientBalanceError,
	unknown_sub_user: UnknownSubUserError,
	username_taken: UsernameTakenError,
	invalid_request: InvalidRequestError,
	invalid_username: InvalidRequestError,
	invalid_amount: InvalidRequestError,
	payload_too_large: InvalidRequestError,
	unsupported_media_type: InvalidRequestError,
	internal_error: InternalServerError,
	unavailable: UnavailableError,
	not_found: UnexpectedAnswerError,
	method_not_allowed: UnexpectedAnswerError,
	rotation_pending: UnexpectedAnswerError,
	// These speak of bytes on a connection, and something in between may have changed them on the way.
	bad_request: undefined,
	request_timeout: undefined,
	expectation_failed: undefined,
	headers_too_large: undefined,
	outcome_unknown: undefined,
};

const STATUSES: Readonly<Record<number, FailureType>> = {
	400: InvalidRequestError,
	401: UnauthorizedError,
	402: InsufficientBalanceError,
	404: UnknownSubUserError,
	409: UsernameTakenError,
	413: InvalidRequestError,
	415: InvalidRequestError,
};

/** Whether a request that only reads may have better luck the next time. */
export function mayPass({ type, status, isTooLarge }: Failure): boolean {
	if (isTooLarge) return false;
	if (type === ConnectionError || status === undefined) return true;
	return status === 200 || status >= 500 || status === 408 || status === 425 || status === 429;
}
