import { dashboardErrors } from '../dashboard/errors.ts';
import { type ErrorDescription, errors } from '../errors.ts';

/** Every failure of the operator's API, by its stable code, which the `X-Error-Code` header carries. */
export const operatorErrors = {
	bad_request: errors.bad_request,
	not_found: errors.not_found,
	method_not_allowed: errors.method_not_allowed,
	request_timeout: errors.request_timeout,
	unauthorized: { status: 401, message: "a valid token of the operator's programs is required, as a bearer token" },
	missing_scope: errors.missing_scope,
	payload_too_large: errors.payload_too_large,
	unsupported_media_type: errors.unsupported_media_type,
	expectation_failed: errors.expectation_failed,
	headers_too_large: errors.headers_too_large,
	invalid_request: errors.invalid_request,
	invalid_username: errors.invalid_username,
	invalid_amount: errors.invalid_amount,
	invalid_note: errors.invalid_note,
	invalid_reference: {
		status: 400,
		message:
			'a reference has 1 to 200 visible characters, in NFKC form, with single spaces between words, and does not begin with stripe: or btcpay:',
	},
	invalid_reason: dashboardErrors.invalid_reason,
	invalid_price: dashboardErrors.invalid_price,
	invalid_debt_line: dashboardErrors.invalid_debt_line,
	invalid_bytes: dashboardErrors.invalid_bytes,
	invalid_edge_name: dashboardErrors.invalid_edge_name,
	unknown_reseller: dashboardErrors.unknown_reseller,
	unknown_sub_user: { status: 404, message: 'the reseller has no sub-user with this name' },
	unknown_account: dashboardErrors.unknown_account,
	unknown_token: { status: 404, message: 'the reseller has no further token with this id' },
	unknown_person: { status: 404, message: 'no reseller has a person with this e-mail address' },
	unknown_edge: dashboardErrors.unknown_edge,
	insufficient_balance: errors.insufficient_balance,
	username_taken: errors.username_taken,
	balance_limit: dashboardErrors.balance_limit,
	reference_conflict: dashboardErrors.reference_conflict,
	more_than_the_debt: dashboardErrors.more_than_the_debt,
	email_taken: dashboardErrors.email_taken,
	team_full: dashboardErrors.team_full,
	edge_exists: dashboardErrors.edge_exists,
	too_many_edges: dashboardErrors.too_many_edges,
	no_edge_url: dashboardErrors.no_edge_url,
	day_ahead: dashboardErrors.day_ahead,
	too_few_bytes: dashboardErrors.too_few_bytes,
	too_many_bytes: dashboardErrors.too_many_bytes,
	change_repeated: errors.change_repeated,
	internal_error: errors.internal_error,
	unavailable: errors.unavailable,
	outcome_unknown: errors.outcome_unknown,
} as const satisfies Record<string, ErrorDescription>;

/** The stable name of a failure of the operator's API. */
export type OperatorErrorCode = keyof typeof operatorErrors;
