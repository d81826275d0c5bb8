/** Fee for one `create` invocation, in USD cents (docs/api.md 8.2). */
export const CREATE_FEE_CENTS = 10;

/** The largest amount or balance, in USD cents: the largest integer that JSON carries exactly (docs/api.md 6.2). */
export const MAX_CENTS = Number.MAX_SAFE_INTEGER;

/** The highest price of a GB (10^9 bytes), in micro-dollars: 1,000 US dollars. The lowest is 1 micro-dollar. */
export const MAX_PRICE_MICRO_USD = 1_000_000_000;

/** How much a reseller may owe for bandwidth before the proxies refuse its pairs, if the operator sets nothing else, in USD cents. */
export const DEFAULT_DEBT_LINE_CENTS = 500;

/** The most bytes that a report, a counter or a day of usage has. */
export const MAX_BYTES = Number.MAX_SAFE_INTEGER;

/** The most characters of a sub-user's note. */
export const MAX_NOTE_CHARACTERS = 200;
/** The most rows of a page, and how many it has if the request does not say. */
export const MAX_PAGE_ROWS = 1_000;
export const DEFAULT_PAGE_ROWS = 100;
/** The most addresses and networks from which a sub-user's pair can be good. */
export const MAX_ALLOWED_IPS = 32;
/** The highest limit of connections that a sub-user may have open at once. */
export const MAX_CONNECTIONS = 1_000_000;

/** Shortest and longest username, in characters (docs/api.md 6.1). */
export const USERNAME_MIN_LENGTH = 4;
export const USERNAME_MAX_LENGTH = 32;

/** How many UTC days of usage `view_txs` shows, today included (docs/api.md 7.4). */
export const USAGE_SHOWN_DAYS = 90;

/** Usage of today and of this many UTC days before is accepted. Repeats are recognised for as long. */
export const USAGE_ACCEPTED_DAYS = 120;

/** The most bytes of a request's body, and of its request line and headers. */
const MAX_PART_BYTES = 16 * 1024;

/** The longest request body, in bytes. A longer one is answered with 413 (docs/api.md 2.3). */
export const MAX_BODY_BYTES = MAX_PART_BYTES;

/** The most bytes of request line and headers. More are answered with 431. */
export const MAX_HEADER_BYTES = MAX_PART_BYTES;

/** The service answers a change within this time, in milliseconds, even if its store hangs. */
export const ANSWER_LIMIT_MS = 5_000;

/**
 * A change takes effect no later than this after its expiry, in milliseconds, unless the service itself does not know
 * its outcome (docs/api.md 10.3).
 */
export const EFFECT_LIMIT_MS = 5_000;
