import type { IncomingMessage } from 'node:http';

/**
 * Headers with which an exit over HTTP says who it is. Origins set some of them too, but nothing tells whose they are, so
 * clients get none of them.
 */
const EXIT_HEADER = /^(?:via|x-cache.*|x-squid-.*|x-bursar-reason|proxy-.*)$/;
/** Headers that only errors of an exit itself have: those of Squid, and of this proxy. */
const ERROR_HEADERS = ['x-squid-error', 'x-bursar-reason'];
/** Programs that are hardly ever an origin. */
const EXIT_PROGRAM = /^(?:tinyproxy|privoxy|3proxy)\b/i;

export function isExitHeader(name: string): boolean {
	return EXIT_HEADER.test(name);
}

/**
 * Whether an exit over HTTP has made this answer by itself, because it could not or would not ask the origin. Only signs that
 * are certain count (decision 0096). A 407 is always its own.
 */
export function isMadeByExit({ statusCode = 0, headers }: IncomingMessage): boolean {
	if (statusCode === 407) return true;
	if (statusCode < 400) return false;
	if (ERROR_HEADERS.some((name) => headers[name] !== undefined)) return true;
	// RFC 9209: it names an error that its sender has made an answer of.
	return /;\s*error=/i.test(String(headers['proxy-status'] ?? '')) || EXIT_PROGRAM.test(String(headers.server ?? ''));
}
