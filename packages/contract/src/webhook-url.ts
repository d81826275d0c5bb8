import { isPublicAddress } from './public-address.ts';

/** @bound Characters of the URL of a webhook: a longer one is refused. */
const MAX_LENGTH = 500;
/** The lowest port that any program may open. Below it are the services that a stranger's request must not reach. */
const LOWEST_FREE_PORT = 1_024;
/** Visible ASCII. A backslash would be read as a slash. */
const PLAIN = /^https?:\/\/[!-[\]-~]+$/i;
/** Two labels or more. The last one begins with a letter, so no program reads the name as an address. */
const NAME = /^(?=.{1,253}$)(?:[a-z0-9_-]{1,63}\.)+[a-z][a-z0-9-]{0,62}$/;
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost']);

/**
 * Whether a URL may be that of a webhook. It has at most 500 visible ASCII characters (other names are written as
 * `xn--`), no user, no password and no fragment. It begins with `https://`, and its host is a name of two labels or more, or
 * a public address. What the name resolves to is not known here: each delivery checks that. The port is 443, or 1024 and
 * above, so it is never one of mail.
 *
 * @param allowLoopback whether `http://127.0.0.1` and `http://localhost` are allowed too, with port 80, or 1024 and above
 */
export function isWebhookUrl(text: string, allowLoopback: boolean): boolean {
	if (text.length > MAX_LENGTH || !PLAIN.test(text) || text.includes('#')) return false;
	const url = URL.parse(text);
	if (url === null || url.username !== '' || url.password !== '') return false;
	if (url.port !== '' && Number(url.port) < LOWEST_FREE_PORT) return false;
	if (url.protocol === 'http:') return allowLoopback && LOOPBACK.has(url.hostname);
	return NAME.test(url.hostname) || isPublicAddress(url.hostname.replace(/^\[(.*)\]$/, '$1'));
}
