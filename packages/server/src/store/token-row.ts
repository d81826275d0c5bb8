/** What the rules know of a token, as columns, on both engines. */
export const TOKEN_COLUMNS =
	'hash, reseller, tail, made_at_ms AS "madeAtMs", made_by AS "madeBy", expires_at_ms AS "expiresAtMs"';

/** The same, and when it was last used. */
export const STORED_TOKEN_COLUMNS = `${TOKEN_COLUMNS}, last_used_at_ms AS "lastUsedAtMs"`;
