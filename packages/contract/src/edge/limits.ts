/** @bound Pairs in one request: a request with more is refused. */
export const MAX_CHECKS = 1_000;
/** @bound Counters in one request: a request with more is refused. */
export const MAX_COUNTERS = 1_000;
/** @bound Accounts whose open connections are in one request: a request with more is refused. */
export const MAX_OPEN_ACCOUNTS = 1_000;
/** @bound Refusals in one request: a request with more is refused. */
export const MAX_REFUSALS = 200;
/** @bound Refused clients that one of them counts: with more, it is left out. */
export const MAX_REFUSED_CLIENTS = 1_000_000;
/**
 * How long the service knows a number of open connections, in milliseconds. An edge sends it again at each change, and
 * every `OPEN_AGAIN_MS` as long as connections are open.
 * @bound The service knows a number of open connections: then it counts as 0.
 */
export const OPEN_KNOWN_MS = 10_000;
export const OPEN_AGAIN_MS = 3_000;
/** @bound Characters of the name of a counter: the report is refused as `invalid_report`. */
export const COUNTER_NAME_MAX_LENGTH = 128;
/**
 * If an edge has not reported a counter for this many days, it must begin a new one. The service forgets counters long
 * after that, and would count all bytes of a forgotten one again.
 */
export const COUNTER_GOES_ON_DAYS = 30;
/**
 * How long the answer of a check may be used, in milliseconds. The service itself may be late by the same time.
 * @bound The answer of a check is used: then the edge asks again.
 */
export const RECHECK_MS = 2_000;
/** @bound Good pairs stay good while the store or the service is away: then they are refused. */
export const STORE_AWAY_MS = 15 * 60_000;
/** @bound The body of a request of an edge: a longer one is answered 413. */
export const MAX_EDGE_BODY_BYTES = 512 * 1024;
/** @bound The body of a request to join: a longer one is answered 413. */
export const MAX_JOIN_BODY_BYTES = 1024;
