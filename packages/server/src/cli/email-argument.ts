import { normalizeEmail } from '@bursar/contract/email';
import { InvalidArgumentError } from 'commander';

/** Parses an argument that is an e-mail address. */
export function email(text: string): string {
	const normalized = normalizeEmail(text);
	if (normalized === undefined) {
		throw new InvalidArgumentError(
			'It must be an e-mail address of at most 254 visible characters, in their plain form (Unicode NFKC), with one @.',
		);
	}
	return normalized;
}
