import { hash, randomBytes } from 'node:crypto';
import { makeProxyAuthkey, makeToken } from './domain/secret-text.ts';

/** A new bearer token, with the hash and the last four characters that the store keeps. The token is shown once. */
export function newToken(): { readonly token: string; readonly tokenHash: string; readonly tokenTail: string } {
	const token = makeToken(randomBytes);
	return { token, tokenHash: hashToken(token), tokenTail: token.slice(-4) };
}

/** A new proxy auth key. */
export function newProxyAuthkey(): string {
	return makeProxyAuthkey(randomBytes);
}

export function hashToken(token: string): string {
	return hashSecret(token);
}

/** A new secret of 256 random bits for a cookie or a link, with the hash that the store keeps. */
export function newSecret(): { readonly secret: string; readonly secretHash: string } {
	const secret = randomBytes(32).toString('base64url');
	return { secret, secretHash: hashSecret(secret) };
}

/** SHA-256 in base64url. The secrets are random, so a plain hash is enough: nobody can guess them from it. */
export function hashSecret(secret: string): string {
	return hash('sha256', secret, 'base64url');
}
