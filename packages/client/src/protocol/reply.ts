import type { ErrorCode } from '@bursar/contract/errors';
import type { RecordedChange } from '../accounts.ts';
import {
	AddressTakenError,
	type BursarError,
	ConnectionError,
	type ErrorDetails,
	EventsExpiredError,
	EventsRewoundError,
	InsufficientBalanceError,
	InternalServerError,
	InvalidRequestError,
	NotPermittedError,
	ProviderOffError,
	SignInByAddressOffError,
	StatementRewoundError,
	SuspendedError,
	TooManyPaymentsError,
	TooManyTokensError,
	TooManyWebhooksError,
	UnauthorizedError,
	UnavailableError,
	UnexpectedAnswerError,
	UnknownSubUserError,
	UnknownTokenError,
	UnknownWebhookError,
	UsernameTakenError,
} from '../errors.ts';

/** The outcome of one request, as far as the client can know. */
export type Reply<Data> =
	| { readonly kind: 'answered'; readonly data: Data; readonly requestId: string | undefined }
	/** The service says that it did not do it. A create may have paid its fee. */
	| { readonly kind: 'refused'; readonly failure: Failure }
	/** It certainly was not done, and may be sent again: it was never sent, or the service could not take it. */
	| { readonly kind: 'not_done'; readonly failure: Failure }
	/** It may have been done. */
	| { readonly kind: 'lost'; readonly failure: Failure };

/** A failed request. `errorOf` turns it into an error once it is known what it means for the call. */
export interface Failure extends Pick<ErrorDetails, 'code' | 'status' | 'requestId' | 'events' | 'newestMovement'> {
	readonly type: FailureType;
	readonly message: string;
	/** How long the service asks the client to wait, in milliseconds. */
	readonly retryAfterMs?: number | undefined;
	/** What the change with the id of the request did before, if it is `change_repeated` and the answer tells it. */
	readonly recorded?: RecordedChange | undefined;
	/** When the request expires, in Unix seconds of the service's clock, if it is a change. */
	readonly expires?: number | undefined;
	/** The answer is larger than the client accepts, or the certificate of the service is refused: both will be so again. */
	readonly willNotPass?: true;
}

export type FailureType = new (message: string, details: ErrorDetails) => BursarError;

/** The error to throw for a failure. */
export function errorOf(failure: Failure, more: ErrorDetails = {}): BursarError {
	const { type, message, code, status, requestId, events, newestMovement } = failure;
	return new type(message, { code, status, requestId, events, newestMovement, ...more });
}

/** The error class for a code, or for the status if the answer has no code; `undefined` if the change may be done. */
export function refusalType(code: ErrorCode | undefined, status: number): FailureType | undefined {
	if (code !== undefined) return REFUSALS[code];
	// A proxy removed the header. The status of an envelope tells the same, except for 5xx, and for 409: the change may be
	// the one that an earlier request with its id did.
	return STATUSES[status];
}

const REFUSALS: Readonly<Record<ErrorCode, FailureType | undefined>> = {
	unauthorized: UnauthorizedError,
	insufficient_balance: InsufficientBalanceError,
	unknown_sub_user: UnknownSubUserError,
	unknown_webhook: UnknownWebhookError,
	username_taken: UsernameTakenError,
	too_many_webhooks: TooManyWebhooksError,
	too_many_payments: TooManyPaymentsError,
	provider_off: ProviderOffError,
	amount_out_of_bounds: InvalidRequestError,
	invalid_request: InvalidRequestError,
	invalid_username: InvalidRequestError,
	invalid_amount: InvalidRequestError,
	invalid_limits: InvalidRequestError,
	invalid_note: InvalidRequestError,
	invalid_sign_in_ips: InvalidRequestError,
	sign_in_by_address_off: SignInByAddressOffError,
	address_taken: AddressTakenError,
	invalid_webhook_url: InvalidRequestError,
	suspended: SuspendedError,
	missing_scope: NotPermittedError,
	address_not_allowed: NotPermittedError,
	unknown_token: UnknownTokenError,
	invalid_token: InvalidRequestError,
	token_exists: InvalidRequestError,
	too_many_tokens: TooManyTokensError,
	payload_too_large: InvalidRequestError,
	unsupported_media_type: InvalidRequestError,
	internal_error: InternalServerError,
	unavailable: UnavailableError,
	events_expired: EventsExpiredError,
	events_rewound: EventsRewoundError,
	statement_rewound: StatementRewoundError,
	not_found: UnexpectedAnswerError,
	method_not_allowed: UnexpectedAnswerError,
	rotation_pending: UnexpectedAnswerError,
	// These are about bytes on a connection, which a proxy may have changed.
	bad_request: undefined,
	request_timeout: undefined,
	expectation_failed: undefined,
	headers_too_large: undefined,
	outcome_unknown: undefined,
	// An earlier request did it.
	change_repeated: undefined,
};

const STATUSES: Readonly<Record<number, FailureType>> = {
	400: InvalidRequestError,
	401: UnauthorizedError,
	402: InsufficientBalanceError,
	403: SuspendedError,
	404: UnknownSubUserError,
	// Whether they have expired or the log was rewound, the same is to be done.
	410: EventsExpiredError,
	413: InvalidRequestError,
	415: InvalidRequestError,
};

/** Whether the failure of a read may pass, so that it is worth another attempt. */
export function mayPass({ type, status, willNotPass }: Failure): boolean {
	if (willNotPass) return false;
	if (type === ConnectionError || status === undefined) return true;
	return status === 200 || status >= 500 || status === 408 || status === 425 || status === 429;
}
