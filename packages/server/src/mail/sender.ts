import { normalizeNewEmail } from '@bursar/contract/dashboard';
import { isReadable } from '@bursar/contract/readable';

/** The sender of mails. */
export interface MailSender {
	/** May be empty. */
	readonly name: string;
	readonly address: string;
}

const NAMED = /^(?<name>[^<>"\\]*)<(?<address>[^<>]*)>$/;

/** Reads `Bursar <bursar@example.com>`, or an address alone. Throws if it is neither. */
export function parseMailSender(text: string): MailSender {
	const { name = '', address = text } = NAMED.exec(text.trim())?.groups ?? {};
	const normalized = normalizeNewEmail(address);
	if (normalized === undefined || !isReadable(text)) {
		throw new Error('it must be an e-mail address, or a name with one, like Bursar <bursar@example.com>');
	}
	return { name: name.trim(), address: normalized };
}
