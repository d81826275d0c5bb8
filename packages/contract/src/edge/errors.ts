/**
 * Why the edge listener refuses a whole request: the `error` of the answer, and its `X-Error-Code`. They mean the same
 * as on the API. After `unavailable` nothing was done. After `outcome_unknown`, send the same counters again.
 */
export const EDGE_ERROR_CODES = [
	'bad_request',
	'not_found',
	'method_not_allowed',
	'request_timeout',
	'unauthorized',
	'payload_too_large',
	'unsupported_media_type',
	'expectation_failed',
	'headers_too_large',
	'invalid_request',
	'internal_error',
	'unavailable',
	'outcome_unknown',
] as const;
export type EdgeErrorCode = (typeof EDGE_ERROR_CODES)[number];
