import { hash, randomBytes } from 'node:crypto';
import { makeProxyAuthkey, makeToken } from './domain/secret-text.ts';

/** A new bearer token, and what is kept of it: its hash and its last four characters. The token is shown once. */
export function newToken(): { readonly token: string; readonly tokenHash: string; readonly tokenTail: string } {
	const token = makeToken(randomBytes);
	return { token, tokenHash: hashToken(token), tokenTail: token.slice(-4) };
}

/** A new proxy auth key. */
export function newProxyAuthkey(): string {
	return makeProxyAuthkey(randomBytes);
}

/** SHA-256 in base64url. Tokens are long and random, so a plain hash cannot be guessed backwards. */
export function hashToken(token: string): string {
	return hash('sha256', token, 'base64url');
}
