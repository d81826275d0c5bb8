import { isText } from './answers.ts';
import { readEvent } from './read-events.ts';
import type { ResellerEvent } from './reseller-events.ts';

/** @bound The body of a webhook: a larger one is refused. */
const MAX_BODY_BYTES = 1024 ** 2;
/** @bound Characters of a header of a webhook: a longer one is refused. */
const MAX_HEADER_LENGTH = 8_192;
/** @bound Signatures of a webhook that are tried: further ones are not. */
const MAX_SIGNATURES = 16;
const TOLERANCE_SECONDS = 300;
const SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;
/** An HMAC-SHA256 in base64. */
const SIGNATURE = /^v1,([A-Za-z0-9+/]{43}=)$/;
const SECONDS = /^\d{1,12}$/;
const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' };

/** `Headers`, Node's `request.headers`, or an object whose names have any case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyWebhookOptions {
	/** How far the time of the webhook may be from `now`, in seconds. Default 300. */
	readonly toleranceSeconds?: number;
	/** Default: the present time. */
	readonly now?: Date;
}

/** The request is not a webhook of the service, or is too old. The message says why, and has no secret. */
export class WebhookVerificationError extends Error {
	override readonly name = 'WebhookVerificationError';
}

/**
 * Checks that a request is a webhook that was signed with the secret (Standard Webhooks), and returns its event. The same
 * event may arrive more than once: its `id` tells.
 *
 * @param body the raw body as it came. A body that was parsed and written again has another signature.
 * @param secret `whsec_...`; or several while the secret is changed: one of them is enough
 * @throws `WebhookVerificationError` if it is not; `TypeError` if an argument is of the wrong kind
 */
export async function verifyWebhook(
	body: string | Uint8Array | ArrayBuffer,
	headers: WebhookHeaders,
	secret: string | readonly string[],
	options: VerifyWebhookOptions = {},
): Promise<ResellerEvent> {
	const { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() } = options;
	const keys = await Promise.all([secret].flat().map(importSecret));
	if (keys.length === 0) throw new TypeError('secret must have at least one secret');
	const bytes = bytesOf(body);
	if (bytes.length > MAX_BODY_BYTES) throw new WebhookVerificationError('the body is larger than 1 MiB');

	const id = readHeader(headers, 'webhook-id');
	const timestamp = readHeader(headers, 'webhook-timestamp');
	const signatures = readSignatures(readHeader(headers, 'webhook-signature'));
	if (!SECONDS.test(timestamp)) throw new WebhookVerificationError('webhook-timestamp is no number of seconds');
	const ageSeconds = now.getTime() / 1_000 - Number(timestamp);
	if (!(Math.abs(ageSeconds) <= toleranceSeconds)) {
		throw new WebhookVerificationError(`webhook-timestamp is too ${ageSeconds > 0 ? 'old' : 'new'}`);
	}

	const content = await new Blob([`${id}.${timestamp}.`, bytes]).arrayBuffer();
	for (const key of keys) {
		for (const signature of signatures) {
			// Takes the same time whatever the signature is.
			if (await crypto.subtle.verify(ALGORITHM, key, signature, content)) return eventIn(bytes);
		}
	}
	throw new WebhookVerificationError('no signature in webhook-signature is one of this body with this secret');
}

async function importSecret(secret: string): Promise<CryptoKey> {
	const [, base64 = ''] = (typeof secret === 'string' && SECRET.exec(secret)) || [];
	// The message must not show the secret.
	if (base64 === '') throw new TypeError('secret must be of the form whsec_... (base64)');
	return crypto.subtle.importKey('raw', fromBase64(base64), ALGORITHM, false, ['verify']);
}

function bytesOf(body: string | Uint8Array | ArrayBuffer): Uint8Array<ArrayBuffer> {
	if (typeof body === 'string') return new TextEncoder().encode(body.slice(0, MAX_BODY_BYTES + 1));
	if (body instanceof ArrayBuffer) return new Uint8Array(body);
	if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.byteLength);
	throw new TypeError('body must be the raw text or bytes as they came, not what was parsed from them');
}

function readHeader(headers: WebhookHeaders, name: string): string {
	const values = isHeaders(headers)
		? [headers.get(name)]
		: Object.entries(headers).flatMap(([key, value]) => (key.toLowerCase() === name ? value : []));
	const [value, ...more] = values;
	if (!isText(value)) throw new WebhookVerificationError(`the header ${name} is missing`);
	if (more.length > 0) throw new WebhookVerificationError(`the header ${name} was sent more than once`);
	if (value.length > MAX_HEADER_LENGTH) throw new WebhookVerificationError(`the header ${name} is too long`);
	return value;
}

/** By its method: a framework may bring its own class. */
function isHeaders(headers: WebhookHeaders): headers is Headers {
	return typeof headers.get === 'function';
}

/** Those of other kinds, which a later version may add, are left out. */
function readSignatures(header: string): Uint8Array<ArrayBuffer>[] {
	const texts = header.split(' ').flatMap((text) => SIGNATURE.exec(text)?.[1] ?? []);
	return texts.slice(0, MAX_SIGNATURES).map(fromBase64);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
	return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function eventIn(bytes: Uint8Array): ResellerEvent {
	let event: ResellerEvent | undefined;
	try {
		event = readEvent(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
	} catch {
		// Not JSON.
	}
	if (!event) throw new WebhookVerificationError('the body is signed, but is no event');
	return event;
}
