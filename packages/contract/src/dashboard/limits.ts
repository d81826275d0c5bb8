/** The shortest password, in Unicode code points, and the longest one, in bytes. */
export const MIN_PASSWORD_CHARACTERS = 12;
/** @bound A password: a longer one is refused. */
export const MAX_PASSWORD_BYTES = 1024;
/** @bound Passkeys of a person: a further one is refused. */
export const MAX_PASSKEYS = 20;
/** @bound People of a reseller: a further invitation is refused. More that were there before stay. */
export const MAX_TEAM = 100;
/** @bound Rows of a page of a list: the next page has the rest. */
export const ROWS_ON_A_PAGE = 50;
/** @bound Proxy auth keys that one call shows: a call for more is refused. Their usernames fit into a body. */
export const KEYS_AT_ONCE = 100;
/** @bound Names that one call looks up: a call for more is refused. Their usernames fit into a body. */
export const NAMES_AT_ONCE = 400;
/** @bound Lines of one run of many sub-users, and names that one read lists for it: a larger run is refused. For more there is `bursarctl`. */
export const MOST_AT_ONCE = 5_000;
/** @bound Periods of a statement that one call adds up: a call for more is refused. */
export const MAX_PERIODS = 12;
/** @bound Lines of a statement in one answer: the next call has the rest. */
export const LINES_AT_ONCE = 500;
