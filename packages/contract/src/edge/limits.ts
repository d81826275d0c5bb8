/** The most pairs in one request. */
export const MAX_CHECKS = 1_000;
/** The most counters in one request. */
export const MAX_COUNTERS = 1_000;
/** The most accounts whose open connections are in one request. */
export const MAX_OPEN_ACCOUNTS = 1_000;
/**
 * How long the service knows a number of open connections, in milliseconds. An edge sends it again at each change, and
 * every `OPEN_AGAIN_MS` as long as connections are open.
 */
export const OPEN_KNOWN_MS = 10_000;
export const OPEN_AGAIN_MS = 3_000;
export const COUNTER_NAME_MAX_LENGTH = 128;
/**
 * If an edge has not reported a counter for this many days, it must begin a new one. The service forgets counters long
 * after that, and would count all bytes of a forgotten one again.
 */
export const COUNTER_GOES_ON_DAYS = 30;
/** How long the answer of a check may be used, in milliseconds. The service itself may be late by the same time. */
export const RECHECK_MS = 2_000;
/** While the store or the service is away, pairs that were good stay good for this long, in milliseconds. */
export const STORE_AWAY_MS = 15 * 60_000;
/** The longest request body, in bytes. */
export const MAX_EDGE_BODY_BYTES = 512 * 1024;
/** The same for a request to join. */
export const MAX_JOIN_BODY_BYTES = 1024;
