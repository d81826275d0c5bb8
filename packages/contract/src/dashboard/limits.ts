/** The shortest password, in Unicode code points, and the longest one, in bytes. */
export const MIN_PASSWORD_CHARACTERS = 12;
export const MAX_PASSWORD_BYTES = 1024;
/** How many passkeys a person can have. */
export const MAX_PASSKEYS = 20;
/** How many people a reseller can have. */
export const MAX_TEAM = 100;
/** How many rows a page of a list has. */
export const ROWS_ON_A_PAGE = 50;
/** How many proxy auth keys one call shows. Their usernames fit into a body. */
export const KEYS_AT_ONCE = 100;
/** How many periods of a statement are added up in one call. */
export const MAX_PERIODS = 12;
/** How many lines of a statement one call answers with. */
export const LINES_AT_ONCE = 500;
