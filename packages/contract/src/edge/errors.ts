import { type ErrorDescription, errors } from '../errors.ts';
import { MAX_EDGE_BODY_BYTES, MAX_JOIN_BODY_BYTES } from './limits.ts';

/**
 * Why the edge listener refuses a whole request: the `error` of the answer, and its `X-Error-Code`. They mean the same
 * as on the API. After `unavailable` nothing was done. After `outcome_unknown`, send the same again.
 */
export const edgeErrors = {
	bad_request: errors.bad_request,
	not_found: errors.not_found,
	method_not_allowed: errors.method_not_allowed,
	request_timeout: errors.request_timeout,
	unauthorized: { status: 401, message: 'a valid edge key is required, as a bearer token' },
	payload_too_large: {
		status: 413,
		message: `the request body is larger than ${MAX_EDGE_BODY_BYTES / 1024} KiB, or ${MAX_JOIN_BODY_BYTES / 1024} KiB to join`,
	},
	invalid_link: {
		status: 403,
		message: 'this link is not valid: it was used, replaced or revoked, or is too old',
	},
	too_many_tries: {
		status: 429,
		message: 'too many links from this address were not valid: try again later',
		retryAfterSeconds: 3,
	},
	unsupported_media_type: errors.unsupported_media_type,
	expectation_failed: errors.expectation_failed,
	headers_too_large: errors.headers_too_large,
	invalid_request: {
		status: 400,
		message: 'the request body must be a JSON object with the fields that this call needs, each of its type',
	},
	internal_error: errors.internal_error,
	unavailable: errors.unavailable,
	outcome_unknown: {
		status: 503,
		message: 'whether this took effect could not be learned: send the same again, nothing is done or counted twice',
	},
} as const satisfies Record<string, ErrorDescription>;

export type EdgeErrorCode = keyof typeof edgeErrors;
export const EDGE_ERROR_CODES = Object.keys(edgeErrors) as readonly EdgeErrorCode[];

/** The body of every failure. */
export interface EdgeFailure {
	readonly error: EdgeErrorCode;
	/** For people. Never branch on it. */
	readonly message: string;
}
