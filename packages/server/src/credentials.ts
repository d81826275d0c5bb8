import { hash, randomBytes } from 'node:crypto';
import { makeProxyAuthkey, makeToken } from './domain/secret-text.ts';

/** A new bearer token, and the hash by which it is known from now on. The token itself is shown once and kept nowhere. */
export function newToken(): { readonly token: string; readonly tokenHash: string } {
	const token = makeToken(randomBytes);
	return { token, tokenHash: hashToken(token) };
}

/** A new proxy auth key. */
export function newProxyAuthkey(): string {
	return makeProxyAuthkey(randomBytes);
}

/** SHA-256 in base64url. Tokens are long and random, so a plain hash cannot be guessed backwards. */
export function hashToken(token: string): string {
	return hash('sha256', token, 'base64url');
}
