import { hash } from 'node:crypto';
import { type Cryptography, nodeCryptography } from './cryptography.ts';
import { makeEdgeKey, makeProxyAuthkey, makeToken } from './domain/secret-text.ts';

const SECRET_BYTES = 32;
const PASSWORD_BYTES = 15;

/** A new bearer token, with the hash and the last four characters that the store keeps. The token is shown once. */
export function newToken(from = nodeCryptography) {
	const token = makeToken(from.randomBytes);
	return { token, tokenHash: hashWith(from, token), tokenTail: token.slice(-4) };
}

/** The key of a new edge, with the hash and the last four characters that the store keeps. The key is shown once. */
export function newEdgeKey(from = nodeCryptography) {
	const key = makeEdgeKey(from.randomBytes);
	return { key, keyHash: hashWith(from, key), keyTail: key.slice(-4) };
}

/** The secret of a new link, and the hash that the store keeps. The link is shown once. */
export function newLink(from = nodeCryptography) {
	const { secret, secretHash } = newSecret(from);
	return { secret, linkHash: secretHash };
}

/** The address that a link opens. Its secret is in the fragment, which browsers send to no server. */
export function linkUrl(publicUrl: string, secret: string): string {
	return `${publicUrl}/dashboard/invitation#${secret}`;
}

/** A name for a new person, session or act: a random UUID (RFC 9562). No secret. */
export function newId({ randomBytes } = nodeCryptography): string {
	const hex = randomBytes(16).toString('hex');
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** A password that nobody can guess. */
export function newPassword(): string {
	return nodeCryptography.randomBytes(PASSWORD_BYTES).toString('base64url');
}

/** A new proxy auth key. */
export function newProxyAuthkey({ randomBytes } = nodeCryptography): string {
	return makeProxyAuthkey(randomBytes);
}

export function hashToken(token: string): string {
	return hashSecret(token);
}

/** A new secret of 256 random bits with the hash that the store keeps. */
export function newSecret(from = nodeCryptography) {
	const secret = from.randomBytes(SECRET_BYTES).toString('base64url');
	return { secret, secretHash: hashWith(from, secret) };
}

/** SHA-256 in base64url. Our secrets are long and random, so a plain hash is enough: nobody can guess them from it. */
export function hashSecret(secret: string): string {
	return hash('sha256', secret, 'base64url');
}

/** What `hashSecret` returns, from another cryptography. */
function hashWith({ sha256 }: Cryptography, secret: string): string {
	return sha256(secret).toString('base64url');
}
