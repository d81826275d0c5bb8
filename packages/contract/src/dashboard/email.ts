import { isSeenWord } from '../readable.ts';

/**
 * RFC 5321: longer addresses cannot receive mail.
 * @bound Characters of an e-mail address: a longer one is refused.
 */
const MAX_LENGTH = 254;
/** Without the characters that have a meaning of their own (RFC 5321, `atext`; RFC 6531 adds all that are not ASCII). */
const MAILBOX = /^[^@()<>[\]:;\\,"]+@[^@()<>[\]:;\\,"]+$/;

/**
 * The e-mail address in its stored form, or `undefined` if the text is none. White space around it is removed, and
 * letters become lowercase. An address is refused if a character of it is invisible or has a plainer form (Unicode NFKC):
 * two addresses must not differ in that alone. Letters of different alphabets may look the same, and are accepted.
 */
export function normalizeEmail(text: string): string | undefined {
	const trimmed = text.trim();
	if (!isPlain(trimmed)) return undefined;
	const lowercase = trimmed.toLowerCase();
	return isPlain(lowercase) && isAddress(lowercase) ? lowercase : undefined;
}

/**
 * The same for the address of a new person, or `undefined` if mail cannot reach it: it is too long in UTF-8, or has
 * characters that SMTP takes only in quotes. People who have such an address already keep it.
 */
export function normalizeNewEmail(text: string): string | undefined {
	const email = normalizeEmail(text);
	if (email === undefined || !MAILBOX.test(email)) return undefined;
	return new TextEncoder().encode(email).length <= MAX_LENGTH ? email : undefined;
}

/** A part of an e-mail address in the form in which addresses are stored. Any text is a part, also an empty one. */
export function normalizeEmailPart(text: string): string {
	return text.trim().normalize('NFKC').toLowerCase().slice(0, MAX_LENGTH);
}

function isPlain(text: string): boolean {
	return text.length <= MAX_LENGTH && text === text.normalize('NFKC');
}

/** Two words with one `@` between them. */
function isAddress(text: string): boolean {
	const parts = text.split('@');
	return parts.length === 2 && parts.every(isSeenWord);
}
