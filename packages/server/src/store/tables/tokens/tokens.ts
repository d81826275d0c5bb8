import type { Token } from '../../../domain/token.ts';
/** The columns of a token that the rules know, for both engines. */
export const TOKEN_COLUMNS =
	'hash, reseller, tail, made_at_ms AS "madeAtMs", made_by AS "madeBy", expires_at_ms AS "expiresAtMs"';

/** The same columns, and when the token was last used. */
export const STORED_TOKEN_COLUMNS = `${TOKEN_COLUMNS}, last_used_at_ms AS "lastUsedAtMs"`;

/** The reads that authenticate a request. Each throws `StoreUnavailableError` if the store cannot be asked. */
export interface CredentialReads {
	/** The token with this hash, expired or not. */
	findToken(hash: string): Promise<StoredToken | undefined>;
	/** Grows whenever the tokens of a reseller change. Using a token does not change it. */
	readCredentialsVersion(): Promise<number>;
}

export interface StoredToken extends Token {
	/** Unix milliseconds, up to about 90 seconds late; `null` if the token was never used. */
	readonly lastUsedAtMs: number | null;
}
