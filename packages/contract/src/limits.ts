/** Fee for one `create` invocation, in USD cents (docs/api.md 8.2). */
export const CREATE_FEE_CENTS = 10;

/**
 * The largest amount or balance, in USD cents: the largest integer that JSON carries exactly (docs/api.md 6.2).
 * @bound A balance or an amount, in USD cents: what would lead beyond it is refused.
 */
export const MAX_CENTS = Number.MAX_SAFE_INTEGER;

/**
 * The highest price of a GB (10^9 bytes), in micro-dollars: 1,000 US dollars. The lowest is 1 micro-dollar.
 * @bound The price of a GB, in micro-dollars: a higher one is refused.
 */
export const MAX_PRICE_MICRO_USD = 1_000_000_000;

/** How much a reseller may owe for bandwidth before the proxies refuse its pairs, if the operator sets nothing else, in USD cents. */
export const DEFAULT_DEBT_LINE_CENTS = 500;

/** The most bytes that a report, a counter or a day of usage has. */
export const MAX_BYTES = Number.MAX_SAFE_INTEGER;

/** @bound Characters of the note of a sub-user, a reseller, a give or a take: a longer one is refused. */
export const MAX_NOTE_CHARACTERS = 200;
/** @bound Rows of a page of the API: a request for more is refused. */
export const MAX_PAGE_ROWS = 1_000;
export const DEFAULT_PAGE_ROWS = 100;
/** @bound Rows of a page of the operator's API: a request for more is refused. */
export const MAX_OPERATOR_PAGE_ROWS = 100;
/** @bound Sub-users, edges or resellers into which the operator's API divides bandwidth: the rest is left out. */
export const MAX_USAGE_PARTS = 50;
/** @bound Seconds that a request waits for events: a request for more is refused. */
export const MAX_EVENT_WAIT_SECONDS = 25;
/** @bound Addresses and networks from which the pair of a sub-user can be good: more are refused. */
export const MAX_ALLOWED_IPS = 32;
/** @bound Addresses from which a sub-user signs in without a password: more are refused. */
export const MAX_SIGN_IN_IPS = 16;
/** @bound The limit of connections of a sub-user: a higher one is refused. */
export const MAX_CONNECTIONS = 1_000_000;
/** 64 kbit/s: a connection begins within a second, and texts can be read. */
export const MIN_BYTES_PER_SECOND = 8_000;
/** @bound The speed limit of a sub-user, in bytes a second: a higher one is refused. */
export const MAX_BYTES_PER_SECOND = 1_000_000_000_000;

/** The name of the service if the operator has given it none. */
export const PRODUCT_NAME = 'Bursar';
/** @bound Characters of the name of the service: a longer one is refused. */
export const MAX_BRAND_NAME_CHARACTERS = 40;
/** @bound Characters of each line of the letterhead: a longer one is refused. */
export const MAX_LETTERHEAD_CHARACTERS = 80;
/** @bound Lines of the address in the letterhead: more are refused. */
export const MAX_ADDRESS_LINES = 5;
/** @bound Bytes of a logo: a larger one is refused. */
export const MAX_LOGO_BYTES = 64 * 1024;
/** @bound Pixels of a side of a logo: a larger one is refused, so that a small file cannot take much memory of a browser. */
export const MAX_LOGO_PIXELS = 1024;

/** @bound Payments of a reseller of the last two days that wait for money: a further one is refused. */
export const MAX_WAITING_PAYMENTS = 20;
/** @bound Payments that do not fit or cannot be read: more than so many are not counted for operators. */
export const PAYMENTS_COUNTED = 1_000;

/** @bound Webhooks of a reseller: a further one is refused. */
export const MAX_WEBHOOKS = 5;

/** @bound Further tokens of a reseller: one more is refused. */
export const MAX_NAMED_TOKENS = 20;
/** @bound Tokens of the operator's programs: one more is refused. */
export const MAX_OPERATOR_TOKENS = 100;
/** @bound Days that a token with a name lives: a later end is refused. */
export const MAX_TOKEN_DAYS = 366;

/** Shortest and longest username, in characters (docs/api.md 6.1). */
export const USERNAME_MIN_LENGTH = 4;
/** @bound Characters of a username: a longer one is refused. */
export const USERNAME_MAX_LENGTH = 32;

/** How many UTC days of usage `view_txs` shows, today included (docs/api.md 7.4). */
export const USAGE_SHOWN_DAYS = 90;

/**
 * Usage of today and of this many UTC days before is accepted. Repeats are recognised for as long.
 * @bound UTC days before today whose usage is accepted: older reports are refused as `timestamp_too_old`.
 */
export const USAGE_ACCEPTED_DAYS = 120;

/** The most bytes of a request's body, and of its request line and headers. */
const MAX_PART_BYTES = 16 * 1024;

/** @bound The body of a request: a longer one is answered 413 (docs/api.md 2.3). */
export const MAX_BODY_BYTES = MAX_PART_BYTES;

/** @bound The request line and the headers of a request: longer ones are answered 431. */
export const MAX_HEADER_BYTES = MAX_PART_BYTES;

/** @bound A change is answered after its body has arrived: then it is answered `outcome_unknown`. */
export const ANSWER_LIMIT_MS = 5_000;

/**
 * A change takes effect no later than this after its expiry, in milliseconds, unless the service itself does not know
 * its outcome (docs/api.md 10.3).
 * @bound A change takes effect after its expiry: later it does not, unless its outcome is unknown.
 */
export const EFFECT_LIMIT_MS = 5_000;
