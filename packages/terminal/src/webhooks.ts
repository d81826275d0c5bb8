import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** What is sent to an endpoint, and the secrets of the endpoint. */
export interface ToSign {
	/** The id of the event: the same in each try. Without a full stop, which separates what is signed. */
	readonly id: string;
	/** When this try begins, in Unix milliseconds. */
	readonly atMs: number;
	/** The body exactly as it is sent. */
	readonly body: string;
	/** One or more of `newWebhookSecret`. After a change, the previous one signs too until it ends. */
	readonly secrets: readonly string[];
}

/** The headers of Standard Webhooks. */
export interface SignedHeaders extends Readonly<Record<string, string>> {
	readonly 'webhook-id': string;
	/** Unix seconds. */
	readonly 'webhook-timestamp': string;
	/** `v1,BASE64` for each secret, with spaces between them. */
	readonly 'webhook-signature': string;
}

/** `whsec_` and the base64 of 32 random bytes. */
export function newWebhookSecret(): string {
	return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** Whether a text has the form of `newWebhookSecret`. */
export function isWebhookSecret(text: string): boolean {
	return /^whsec_[A-Za-z0-9+/]{43}=$/.test(text);
}

/** Signs as Standard Webhooks 1.0.0 says: HMAC-SHA256 over `ID.TIMESTAMP.BODY`. */
export function signedHeaders({ id, atMs, body, secrets }: ToSign): SignedHeaders {
	assert.match(id, /^[!-~]+$/);
	assert.ok(!id.includes('.') && secrets.length > 0);
	const timestamp = String(Math.floor(atMs / 1_000));
	const content = `${id}.${timestamp}.${body}`;
	const signatures = secrets.map((secret) => {
		return `v1,${createHmac('sha256', keyOf(secret)).update(content).digest('base64')}`;
	});
	return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

function keyOf(secret: string): Buffer {
	// The message must not show the secret.
	assert.ok(isWebhookSecret(secret), 'this is no secret of a webhook');
	return Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
}
