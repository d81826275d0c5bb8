import type { Token } from '../domain/token.ts';

/** What tells who asks. Each read throws `StoreUnavailableError` if the store cannot be asked. */
export interface CredentialReads {
	/** The token with that hash, expired or not. */
	findToken(hash: string): Promise<StoredToken | undefined>;
	/** Grows whenever any reseller's tokens change, and not with their use. */
	readCredentialsVersion(): Promise<number>;
}

export interface StoredToken extends Token {
	/** Unix milliseconds, at most about 90 seconds behind; `null` if it was never used. */
	readonly lastUsedAtMs: number | null;
}
