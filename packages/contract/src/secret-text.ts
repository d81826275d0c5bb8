const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const TOKEN_PREFIX = 'brs_';
const EDGE_KEY_PREFIX = 'bre_';
const OPERATOR_TOKEN_PREFIX = 'bro_';
const EVENT_ID_PREFIX = 'evt_';
const WEBHOOK_ID_PREFIX = 'whe_';
const TOKEN_ID_PREFIX = 'tok_';
const PAYMENT_ID_PREFIX = 'pay_';
const ID_RANDOM_LENGTH = 22;
const TOKEN_RANDOM_LENGTH = 40;
const TOKEN_CHECKSUM_LENGTH = 6;
const CHECKED_PATTERN = /^br[seo]_[0-9A-Za-z]{46}$/;
const PROXY_AUTHKEY_LENGTH = 16;

/** Returns `size` bytes of cryptographically strong randomness. */
export type RandomBytes = (size: number) => Uint8Array;

/**
 * A new bearer token: `brs_`, 40 random base62 characters, and 6 characters of their CRC-32. Secret scanners can find
 * leaked tokens by this form. The checksum catches typing errors without a look-up.
 */
export function makeToken(randomBytes: RandomBytes): string {
	return makeChecked(TOKEN_PREFIX, randomBytes);
}

/** A new key of an edge: `bre_`, and then like a token. */
export function makeEdgeKey(randomBytes: RandomBytes): string {
	return makeChecked(EDGE_KEY_PREFIX, randomBytes);
}

/** A new token of a program of the operator: `bro_`, and then like a token. */
export function makeOperatorToken(randomBytes: RandomBytes): string {
	return makeChecked(OPERATOR_TOKEN_PREFIX, randomBytes);
}

/** The id of a new token with a name: `tok_` and 22 random characters. It is no secret. */
export function makeTokenId(randomBytes: RandomBytes): string {
	return TOKEN_ID_PREFIX + randomBase62(ID_RANDOM_LENGTH, randomBytes);
}

/** The id of a new event: `evt_` and 22 random characters. */
export function makeEventId(randomBytes: RandomBytes): string {
	return EVENT_ID_PREFIX + randomBase62(ID_RANDOM_LENGTH, randomBytes);
}

/** The id of a new webhook: `whe_` and 22 random characters. */
export function makeWebhookId(randomBytes: RandomBytes): string {
	return WEBHOOK_ID_PREFIX + randomBase62(ID_RANDOM_LENGTH, randomBytes);
}

/** The id of a new payment through a provider: `pay_` and 22 random characters. It is no secret. */
export function makePaymentId(randomBytes: RandomBytes): string {
	return PAYMENT_ID_PREFIX + randomBase62(ID_RANDOM_LENGTH, randomBytes);
}

function makeChecked(prefix: string, randomBytes: RandomBytes): string {
	const random = randomBase62(TOKEN_RANDOM_LENGTH, randomBytes);
	return prefix + random + checksum(random);
}

/** Whether the text has the form of a token and the right checksum. */
export function isWellFormedToken(text: string): boolean {
	return text.startsWith(TOKEN_PREFIX) && isChecked(text);
}

/** Whether the text has the form of a token of the operator's programs and the right checksum. */
export function isWellFormedOperatorToken(text: string): boolean {
	return text.startsWith(OPERATOR_TOKEN_PREFIX) && isChecked(text);
}

/** Whether the text has the form of the key of an edge and the right checksum. */
export function isWellFormedEdgeKey(text: string): boolean {
	return text.startsWith(EDGE_KEY_PREFIX) && isChecked(text);
}

/**
 * The last four characters of a token or of an edge's key, by which people tell them apart; `undefined` for any other
 * text, which may be another secret.
 */
export function secretTail(text: string): string | undefined {
	return isChecked(text) ? text.slice(-4) : undefined;
}

function isChecked(text: string): boolean {
	if (!CHECKED_PATTERN.test(text)) return false;
	const random = text.slice(TOKEN_PREFIX.length, TOKEN_PREFIX.length + TOKEN_RANDOM_LENGTH);
	return text.endsWith(checksum(random));
}

/**
 * A new proxy auth key: 16 base62 characters. Deployed clients assume that length. They build proxy passwords such as
 * `key_country-DE` from it, so it must not contain `_ - : @`.
 */
export function makeProxyAuthkey(randomBytes: RandomBytes): string {
	return randomBase62(PROXY_AUTHKEY_LENGTH, randomBytes);
}

/** Bytes beyond the last whole multiple of 62 are dropped: they would make some characters more likely. */
function randomBase62(length: number, randomBytes: RandomBytes): string {
	const fairBytes = 256 - (256 % BASE62.length);
	let text = '';
	while (text.length < length) {
		for (const byte of randomBytes(length - text.length)) {
			if (byte < fairBytes) text += BASE62[byte % BASE62.length];
		}
	}
	return text;
}

function checksum(text: string): string {
	let rest = crc32(text);
	let digits = '';
	for (let i = 0; i < TOKEN_CHECKSUM_LENGTH; i++) {
		digits = BASE62[rest % BASE62.length] + digits;
		rest = Math.floor(rest / BASE62.length);
	}
	return digits;
}

/** The CRC-32 of ASCII text (ISO 3309). */
function crc32(text: string): number {
	let crc = 0xffffffff;
	for (let i = 0; i < text.length; i++) {
		crc ^= text.charCodeAt(i);
		for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return (crc ^ 0xffffffff) >>> 0;
}
