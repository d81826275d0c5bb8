import type { Token } from '../domain/token.ts';

/** What tells who asks. Each read throws `StoreUnavailableError` if the store cannot be asked. */
export interface CredentialReads {
	/** The token with that hash, expired or not. */
	findToken(hash: string): Promise<Token | undefined>;
	/** Grows with every change of any token. */
	readCredentialsVersion(): Promise<number>;
}
