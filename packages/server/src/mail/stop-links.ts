import { createHmac, timingSafeEqual } from 'node:crypto';
import { MAIL_KINDS, type MailKind } from '@bursar/contract/dashboard';

/** Whose mails a link stops, and which ones. */
export interface StoppableMail {
	readonly person: string;
	readonly mail: MailKind;
}

/** The page of the dashboard that stops mails. With POST, its address stops them at once (RFC 8058). */
export const STOP_PATH = '/dashboard/stop-mail';

/** @bound Characters of the link that stops mails: a longer one is not valid. */
const MAX_QUERY = 300;

/**
 * The links with which people stop mails without signing in. A link names a person, by the id, and a kind of mail, and is
 * signed: who has it can do nothing else. It does not end, because a mail may be opened years later.
 */
export interface StopLinks {
	/** The query of the link. */
	write(mail: StoppableMail): string;
	/** What the query of a link stops; `undefined` if we have not written it. */
	read(query: string): StoppableMail | undefined;
}

/** `key` is the same in all processes of the store. */
export function createStopLinks(key: Uint8Array): StopLinks {
	function sign({ person, mail }: StoppableMail): Buffer {
		return createHmac('sha256', key).update(`stop ${mail} ${person}`).digest();
	}

	return {
		// A mail has more fields, and none of them belongs into an address.
		write({ person, mail }) {
			const key = sign({ person, mail }).toString('base64url');
			return new URLSearchParams({ person, mail, key }).toString();
		},
		read(query) {
			if (query.length > MAX_QUERY) return undefined;
			const fields = new URLSearchParams(query);
			const person = fields.get('person') ?? '';
			const mail = MAIL_KINDS.find((kind) => kind === fields.get('mail'));
			const signature = Buffer.from(fields.get('key') ?? '', 'base64url');
			if (!mail || signature.length !== 32) return undefined;
			return timingSafeEqual(signature, sign({ person, mail })) ? { person, mail } : undefined;
		},
	};
}
