import type { Token } from '../../domain/token.ts';

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
