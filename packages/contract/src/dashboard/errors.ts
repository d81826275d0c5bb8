import { type ErrorDescription, errors } from '../errors.ts';
import {
	MAX_ADDRESS_LINES,
	MAX_BRAND_NAME_CHARACTERS,
	MAX_LETTERHEAD_CHARACTERS,
	MAX_LOGO_BYTES,
	MAX_LOGO_PIXELS,
} from '../limits.ts';
import { MAX_PASSKEYS, MAX_PASSWORD_BYTES, MAX_TEAM, MIN_PASSWORD_CHARACTERS } from './limits.ts';

// Pages have a session instead of a token, and acts instead of change ids.
const { unauthorized, missing_scope, address_not_allowed, change_repeated, ...shared } = errors;

/**
 * Every failure of `/dashboard/api`, by its stable code, which the `X-Error-Code` header carries: those of the reseller API,
 * but for its tokens and its change ids, and its own.
 */
export const dashboardErrors = {
	...shared,
	invalid_request: { status: 400, message: 'the request body must be a JSON object with the fields of this call' },
	wrong_origin: { status: 403, message: 'this request did not come from a page of this dashboard' },
	signed_out: { status: 401, message: 'nobody is signed in' },
	wrong_credentials: { status: 401, message: 'the e-mail address or the password is wrong' },
	code_required: { status: 401, message: 'the password is right: a one-time code or a recovery code is needed too' },
	wrong_code: { status: 401, message: 'the code is wrong, too old, or was used before' },
	passkey_refused: { status: 401, message: 'the passkey is unknown, or its answer is not valid any more' },
	too_many_tries: { status: 429, message: 'too many tries: wait, then try again' },
	invalid_link: { status: 410, message: 'the link is not valid: it was used, replaced, or is too old' },
	mail_off: { status: 409, message: 'the service sends no mail: ask the operator for a link' },
	weak_password: {
		status: 400,
		message: `a password needs at least ${MIN_PASSWORD_CHARACTERS} characters and at most ${MAX_PASSWORD_BYTES} bytes, and must not be easy to guess`,
	},
	proof_required: { status: 403, message: 'this needs the password or a passkey again, not more than 5 minutes ago' },
	second_factor_required: { status: 403, message: 'a passkey or one-time codes are needed first' },
	last_factor: { status: 409, message: 'an operator must keep a passkey or one-time codes' },
	too_many_passkeys: { status: 409, message: `a person can have ${MAX_PASSKEYS} passkeys` },
	act_repeated: { status: 409, message: 'this was done before: nothing was done again' },
	not_for_operators: { status: 403, message: 'this page belongs to a reseller' },
	not_allowed: { status: 403, message: 'the role of this person does not allow this: ask an owner of the reseller' },
	only_for_operators: { status: 403, message: 'this page belongs to the operators' },
	invalid_query: { status: 400, message: 'the query of this address is not one that this call knows' },
	invalid_debt_line: { status: 400, message: 'a line is a whole number of cents, and not below zero' },
	more_than_the_debt: { status: 409, message: 'the reseller owes less than that' },
	invalid_price: { status: 400, message: 'a price is from 0.000001 to 1000 US dollars a GB, or none' },
	balance_limit: { status: 409, message: 'no balance can be that large' },
	unknown_payment: { status: 404, message: 'there is no such payment' },
	unknown_reseller: { status: 404, message: 'there is no such reseller' },
	invalid_reference: {
		status: 400,
		message: 'the reference is empty, too long, or has characters that cannot be told apart',
	},
	invalid_reason: {
		status: 400,
		message:
			'the reason is too long, or has characters that cannot be shown, or is missing although money is taken back',
	},
	reference_conflict: {
		status: 409,
		message: 'this reference was used for something else: nothing was done',
	},
	email_taken: { status: 409, message: 'this person exists already' },
	unknown_person: { status: 404, message: 'there is no person with that e-mail address' },
	own_account: { status: 409, message: 'nobody can lock, reset or remove their own account, or change their own role' },
	team_full: { status: 409, message: `a reseller can have ${MAX_TEAM} people: remove one first` },
	last_operator: { status: 409, message: 'no other operator could sign in: nothing was done' },
	invalid_types: { status: 400, message: 'types are null, or have one or more types of events, each once' },
	invalid_brand_name: {
		status: 400,
		message: `the name of the service has 1 to ${MAX_BRAND_NAME_CHARACTERS} characters in one line, and people can see them`,
	},
	invalid_color: { status: 400, message: 'a colour is written like #4263eb' },
	invalid_logo: {
		status: 400,
		message: `a logo is a PNG of at most ${MAX_LOGO_BYTES / 1024} KiB and ${MAX_LOGO_PIXELS} pixels a side, not animated and not damaged`,
	},
	invalid_letterhead: {
		status: 400,
		message: `a letterhead has a name, an address of at most ${MAX_ADDRESS_LINES} lines and a tax number, each line with at most ${MAX_LETTERHEAD_CHARACTERS} characters that people can see`,
	},
	unknown_account: { status: 404, message: 'the reseller has no account with this name' },
	invalid_bytes: { status: 400, message: 'bytes are whole numbers of at most 2^53 - 1, and not both are 0' },
	day_ahead: { status: 409, message: 'the day has not begun yet in UTC' },
	too_few_bytes: { status: 409, message: 'the day would have less than 0 bytes: nothing was done' },
	too_many_bytes: { status: 409, message: 'no day can have so many bytes: nothing was done' },
	invalid_edge_name: {
		status: 400,
		message:
			'the name of an edge has 1 to 63 lowercase letters, digits, periods and hyphens, and begins and ends with a letter or digit',
	},
	edge_exists: { status: 409, message: 'there is an edge with that name: for a new key, revoke it first' },
	no_edge_url: { status: 409, message: 'the settings of the service name no address for proxy hosts' },
	too_many_edges: { status: 409, message: 'there are 1000 edges: create a revoked one again' },
	unknown_edge: { status: 404, message: 'there is no edge with that name' },
	verification_runs: { status: 409, message: 'a verification runs already' },
	too_many_files: { status: 429, message: 'too many downloads run: wait until one has ended', retryAfterSeconds: 5 },
} as const satisfies Record<string, ErrorDescription>;

/** The stable name of a failure of the dashboard's own API. */
export type DashboardErrorCode = keyof typeof dashboardErrors;
