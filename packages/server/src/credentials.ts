import { hash, randomBytes, randomUUID } from 'node:crypto';
import {
	makeEdgeKey,
	makeOperatorToken,
	makeProxyAuthkey,
	makeToken,
	makeTokenId,
	makeWebhookId,
} from '@bursar/contract/secret-text';

const SECRET_BYTES = 32;
const PASSWORD_BYTES = 15;

/** A new bearer token, with the hash and the last four characters that the store keeps. The token is shown once. */
export function newToken() {
	return withHash(makeToken(randomBytes));
}

/** The same for a program of the operator. */
export function newOperatorToken() {
	return withHash(makeOperatorToken(randomBytes));
}

function withHash(token: string) {
	return { token, tokenHash: hashToken(token), tokenTail: token.slice(-4) };
}

/** A name for a new token. No secret. */
export function newTokenId(): string {
	return makeTokenId(randomBytes);
}

/** The key of a new edge, with the hash and the last four characters that the store keeps. The key is shown once. */
export function newEdgeKey() {
	const key = makeEdgeKey(randomBytes);
	return { key, keyHash: hashSecret(key), keyTail: key.slice(-4) };
}

/** The secret of a new link to show, once; and as a command has it: the hash that the store keeps, and the secret to mail. */
export function newLink() {
	const { secret, secretHash } = newSecret();
	return { secret, linkHash: secretHash, linkSecret: secret };
}

/** The address that the link for a forgotten password opens. */
export function newPasswordUrl(publicUrl: string, secret: string): string {
	return `${publicUrl}/dashboard/new-password#${secret}`;
}

/** The address that a link opens. Its secret is in the fragment, which browsers send to no server. */
export function linkUrl(publicUrl: string, secret: string): string {
	return `${publicUrl}/dashboard/invitation#${secret}`;
}

/** The link with which a proxy host joins. Its secret is in the fragment, so it is in no log of a proxy in front. */
export function joinUrl(edgeUrl: string, secret: string): string {
	return `${edgeUrl}/join#${secret}`;
}

/** The beginning of the ids of one millisecond. To write it for each request would cost more than the rest of the id. */
let beginning = { atMs: 0, text: '' };

/**
 * A name for a new request: a random UUID whose first 48 bits are the time (RFC 9562, version 7), so that an index of
 * requests grows at its end: with random ids, SQLite takes 25 us to add a movement instead of 5. Node has made such ids
 * itself only since 24.16. No secret.
 */
export function newRequestId(): string {
	const atMs = Date.now();
	if (atMs !== beginning.atMs) {
		const time = atMs.toString(16).padStart(12, '0');
		beginning = { atMs, text: `${time.slice(0, 8)}-${time.slice(8)}-7` };
	}
	return beginning.text + randomUUID().slice(15);
}

/** A name for a new webhook. No secret. */
export function newWebhookId(): string {
	return makeWebhookId(randomBytes);
}

/** A name for a new person, session or act. No secret. */
export function newId(): string {
	return randomUUID();
}

/** A password that nobody can guess. */
export function newPassword(): string {
	return randomBytes(PASSWORD_BYTES).toString('base64url');
}

/** A new proxy auth key. */
export function newProxyAuthkey(): string {
	return makeProxyAuthkey(randomBytes);
}

export function hashToken(token: string): string {
	return hashSecret(token);
}

/** A new secret of 256 random bits with the hash that the store keeps. */
export function newSecret() {
	const secret = randomBytes(SECRET_BYTES).toString('base64url');
	return { secret, secretHash: hashSecret(secret) };
}

/** SHA-256 in base64url. Our secrets are long and random, so a plain hash is enough: nobody can guess them from it. */
export function hashSecret(secret: string): string {
	return hash('sha256', secret, 'base64url');
}
