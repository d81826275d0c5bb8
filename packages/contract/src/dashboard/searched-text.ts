import { secretTail } from '../secret-text.ts';

/** What may be sent of a text that was typed into a search. */
export interface SearchedText {
	/** Empty if nothing may be sent. */
	readonly text: string;
	/** What was left out. */
	readonly hidden?: 'token' | 'part_of_token' | 'proxy_auth_key' | 'secret';
}

/** Also a token that lacks some characters. Shorter parts are the ends by which people know tokens. */
const TOKEN = /br[seo]_[0-9A-Za-z]{5,}/;
/** Secrets of webhooks and of links. */
const OTHER_SECRET = /whsec_[0-9A-Za-z+/]{5,}|#[\w-]{43}(?![\w-])/;
/** Maybe with the username before it, as programs write a pair. Each word is looked at once: a pasted text may be long. */
const PROXY_AUTHKEY = /(?:(?<![0-9A-Za-z._])([0-9A-Za-z._]{1,32}):)?(?<![0-9A-Za-z])([0-9A-Za-z]{16})(?![0-9A-Za-z])/g;

/**
 * Leaves secrets out of a text before it is searched for: of a token its end remains, and of a pair of the proxies its
 * username. A part of a token is left out as a whole: several parts would be the token.
 */
export function searchedText(typed: string): SearchedText {
	const [token] = TOKEN.exec(typed) ?? [];
	if (token !== undefined) {
		const tail = secretTail(token);
		return tail === undefined ? { text: '', hidden: 'part_of_token' } : { text: `…${tail}`, hidden: 'token' };
	}
	if (OTHER_SECRET.test(typed)) return { text: '', hidden: 'secret' };
	for (const [, username = '', key = ''] of typed.matchAll(PROXY_AUTHKEY)) {
		if (looksRandom(key)) return { text: username, hidden: 'proxy_auth_key' };
	}
	return { text: typed.trim() };
}

/** Words and usernames have no capital letter behind a small one. */
function looksRandom(key: string): boolean {
	return /[a-z]/.test(key) && /.[A-Z]/.test(key);
}
