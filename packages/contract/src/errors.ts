import {
	MAX_BODY_BYTES,
	MAX_NAMED_TOKENS,
	MAX_SIGN_IN_IPS,
	MAX_TOKEN_DAYS,
	MAX_WAITING_PAYMENTS,
	MAX_WEBHOOKS,
} from './limits.ts';

/** One kind of failure on the wire. */
export interface ErrorDescription {
	/** HTTP status, repeated in the envelope. */
	readonly status: number;
	/** The envelope's `message`: for people. Clients may not branch on it. */
	readonly message: string;
	/** Seconds for `Retry-After`. Only for failures after which nothing was done, so that repeating is safe. */
	readonly retryAfterSeconds?: number;
}

/**
 * Every failure of the service, by its stable code. The `X-Error-Code` header carries the code, because the envelope
 * has exactly four fields and clients may not branch on `message`.
 */
export const errors = {
	bad_request: { status: 400, message: 'the request is not valid HTTP' },
	not_found: { status: 404, message: 'there is nothing at this path' },
	method_not_allowed: { status: 405, message: 'this path does not answer to this method' },
	request_timeout: { status: 408, message: 'the request took too long to arrive' },
	unauthorized: { status: 401, message: 'a valid bearer token is required' },
	payload_too_large: { status: 413, message: `the request body is larger than ${MAX_BODY_BYTES / 1024} KiB` },
	unsupported_media_type: { status: 415, message: 'the request body must be sent as application/json' },
	expectation_failed: { status: 417, message: 'the only expectation that is met is 100-continue' },
	headers_too_large: { status: 431, message: 'the request headers are too large' },
	invalid_request: {
		status: 400,
		message:
			'the request body must be a JSON object with the fields that this call needs, each of its type, and X-Request-Expires, X-Change-Id and X-Reference, if sent, must have their form',
	},
	invalid_username: {
		status: 400,
		message:
			'a username has 4 to 32 letters, digits, periods or underscores, begins and ends with a letter or digit, and has no two periods or underscores side by side',
	},
	invalid_amount: {
		status: 400,
		message: 'amount_usd_cents must be an integer of at least 1, and no balance may pass 9007199254740991',
	},
	invalid_limits: {
		status: 400,
		message:
			'a limit is null or has its form: bytes and connections are integers of at least 1, allowed_ips has 1 to 32 addresses or networks, and expires_at is a time with its zone',
	},
	invalid_note: {
		status: 400,
		message: 'a note has at most 200 characters, without line breaks and other invisible characters',
	},
	invalid_sign_in_ips: {
		status: 400,
		message: `sign_in_ips has up to ${MAX_SIGN_IN_IPS} addresses of clients, or networks /64 of IPv6`,
	},
	address_taken: { status: 409, message: 'an account signs in from one of these addresses already' },
	sign_in_by_address_off: {
		status: 403,
		message:
			'the operator does not allow that sub-users of this reseller sign in by address: addresses can only be removed',
	},
	amount_out_of_bounds: {
		status: 400,
		message: 'the operator does not accept a payment of this amount',
	},
	provider_off: { status: 409, message: 'this service takes no payments through this provider' },
	too_many_payments: {
		status: 409,
		message: `at most ${MAX_WAITING_PAYMENTS} payments may wait for money: pay one, or wait for its end`,
	},
	invalid_webhook_url: {
		status: 400,
		message:
			'the URL of a webhook uses https and a public host, has at most 500 characters, port 443 or from 1024 on, and no user, password or fragment',
	},
	suspended: {
		status: 403,
		message: 'the operator has suspended this reseller: it can read, but change no money and no sub-user',
	},
	missing_scope: { status: 403, message: 'this token lacks a scope that this call needs' },
	address_not_allowed: { status: 403, message: 'this token may not be used from this address' },
	unknown_sub_user: { status: 404, message: 'no sub-user of this reseller has that username' },
	unknown_token: { status: 404, message: 'this reseller has no further token with that id' },
	unknown_webhook: { status: 404, message: 'this reseller has no webhook with that id' },
	insufficient_balance: { status: 402, message: 'the balance that would pay for this is too small' },
	// Deployed clients of this API compare this message, so it may never change.
	username_taken: { status: 409, message: 'that username is already registered' },
	invalid_token: {
		status: 400,
		message: `a further token has a name of 1 to 40 letters, digits, spaces and . _ -, scopes, each once, an end at most ${MAX_TOKEN_DAYS} days ahead, and 1 to 32 addresses or networks, or null`,
	},
	token_exists: { status: 409, message: 'this reseller has a further token with that name' },
	too_many_tokens: { status: 409, message: `a reseller can have ${MAX_NAMED_TOKENS} further tokens: end one first` },
	too_many_webhooks: { status: 409, message: `a reseller can have ${MAX_WEBHOOKS} webhooks: delete one first` },
	change_repeated: {
		status: 409,
		message: 'a change with this X-Change-Id was done before, and nothing was done now',
	},
	events_expired: {
		status: 410,
		message: 'the events behind this place were forgotten: list everything anew, and follow from then on',
	},
	events_rewound: {
		status: 410,
		message: 'the log does not have this place any more: list everything anew, and follow from then on',
	},
	statement_rewound: {
		status: 410,
		message: 'the statement does not have this place any more: read it anew, and follow from then on',
	},
	rotation_pending: {
		status: 409,
		message:
			'an earlier rotation is still taking effect: wait until half a minute after the previous token has expired',
	},
	internal_error: { status: 500, message: 'something went wrong in the service, and nothing was done' },
	unavailable: {
		status: 503,
		message: 'the service cannot take this request now, and nothing was done: it may be repeated',
		retryAfterSeconds: 1,
	},
	outcome_unknown: {
		status: 503,
		message: 'whether this request took effect could not be learned: look before repeating it',
	},
} as const satisfies Record<string, ErrorDescription>;

/** The stable name of a failure: the value of the `X-Error-Code` header. */
export type ErrorCode = keyof typeof errors;

/**
 * The failures of a create that cost nothing (docs/api.md 8.2): the request was no invocation, the reseller is suspended, the balance was too
 * small, it was done before, or nothing was done. After `outcome_unknown` the fee may have been charged; after all others it was.
 */
export const FREE_OF_CREATE_FEE: ReadonlySet<ErrorCode> = new Set([
	'bad_request',
	'not_found',
	'method_not_allowed',
	'request_timeout',
	'headers_too_large',
	'unauthorized',
	'missing_scope',
	'address_not_allowed',
	'suspended',
	'insufficient_balance',
	'change_repeated',
	'internal_error',
	'unavailable',
]);

export const ERROR_CODE_HEADER = 'X-Error-Code';
export const REQUEST_ID_HEADER = 'X-Request-Id';
/** The numbers of the oldest and the newest event of the log: in `events_expired` and `events_rewound` (docs/api.md 12.4). */
export const EVENTS_OLDEST_HEADER = 'X-Events-Oldest';
export const EVENTS_NEWEST_HEADER = 'X-Events-Newest';
/** The id of the newest movement: in `statement_rewound` (docs/api.md 11.6). */
export const STATEMENT_NEWEST_HEADER = 'X-Statement-Newest';
