import { normalizeEmail, normalizeNewEmail } from '@bursar/contract/email';
import { InvalidArgumentError } from 'commander';

/** Parses an argument that is the e-mail address of a person. */
export function email(text: string): string {
	return addressOf(text, normalizeEmail, '');
}

/** Parses an argument that is to be the e-mail address of a new person. */
export function newEmail(text: string): string {
	return addressOf(text, normalizeNewEmail, ', without any of ()<>[]:;,\\"');
}

function addressOf(text: string, normalize: (text: string) => string | undefined, more: string): string {
	const normalized = normalize(text);
	if (normalized !== undefined) return normalized;
	throw new InvalidArgumentError(
		`It must be an e-mail address of at most 254 visible characters, in their plain form (Unicode NFKC), with one @${more}.`,
	);
}
