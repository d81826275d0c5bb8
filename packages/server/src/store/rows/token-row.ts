/** The columns of a token that the rules know, for both engines. */
export const TOKEN_COLUMNS =
	'hash, reseller, tail, made_at_ms AS "madeAtMs", made_by AS "madeBy", expires_at_ms AS "expiresAtMs"';

/** The same columns, and when the token was last used. */
export const STORED_TOKEN_COLUMNS = `${TOKEN_COLUMNS}, last_used_at_ms AS "lastUsedAtMs"`;
