import { isPrintableAscii } from '../ascii.ts';

/** RFC 5321: longer addresses cannot receive mail. */
const MAX_LENGTH = 254;
/**
 * The e-mail address in its stored form, or `undefined` if the text is none. White space around it is removed, and
 * letters become lowercase. Two addresses that look the same must not name two people, so an address is refused if a
 * character of it is invisible or has a plainer form (Unicode NFKC).
 */
export function normalizeEmail(text: string): string | undefined {
	const trimmed = text.trim();
	if (!isPlain(trimmed)) return undefined;
	const lowercase = trimmed.toLowerCase();
	return isPlain(lowercase) && isAddress(lowercase) ? lowercase : undefined;
}

/** A part of an e-mail address in the form in which addresses are stored. Any text is a part, also an empty one. */
export function normalizeEmailPart(text: string): string {
	return text.trim().normalize('NFKC').toLowerCase().slice(0, MAX_LENGTH);
}

function isPlain(text: string): boolean {
	return text.length <= MAX_LENGTH && text === text.normalize('NFKC');
}

/** Visible characters without spaces, with one `@` between them. U+FFFD stands for bytes that were not UTF-8. */
function isAddress(text: string): boolean {
	if (isPrintableAscii(text)) return /^[^ @]+@[^ @]+$/.test(text);
	return /^[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufffd@]+@[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufffd@]+$/u.test(
		text,
	);
}
