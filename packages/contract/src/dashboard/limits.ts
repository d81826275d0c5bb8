/** The shortest password, in Unicode code points, and the longest one, in bytes. */
export const MIN_PASSWORD_CHARACTERS = 12;
export const MAX_PASSWORD_BYTES = 1024;
/** How many passkeys a person can have. */
export const MAX_PASSKEYS = 20;
