import { type IncomingMessage, STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http';
import { maxForwardsOf } from './read-request.ts';

/** They say where a message ends and where it goes. So a `Connection` header cannot remove them. */
const KEPT: ReadonlySet<string> = new Set(['host', 'content-length', 'transfer-encoding']);
/** These headers are always only for the next hop (RFC 9110, section 7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
	'connection',
	'keep-alive',
	'proxy-authenticate',
	'proxy-authorization',
	'proxy-connection',
	'te',
	'trailer',
	'upgrade',
]);
const NOT_IN_A_REASON = /[^\t\x20-\x7e\x80-\xff]/;

/** Names and values of all lines, in one list. */
type RawHeaders = readonly string[];
/** By the name in lower case. */
type IsLeftOut = (name: string) => boolean;

const NONE: IsLeftOut = () => false;

/** The headers of a request for its origin. `Host` is `authority`, whatever the client sent (RFC 9112, section 3.2.2). */
export function requestHeaders(request: IncomingMessage, authority: string): string[] {
	const { headers, rawHeaders } = request;
	const maxForwards = maxForwardsOf(request);
	const isReplaced = (name: string) => name === 'host' || (name === 'max-forwards' && maxForwards !== undefined);
	const own = maxForwards === undefined ? [] : ['Max-Forwards', String(maxForwards - 1)];
	return ['Host', authority, ...own, ...withoutOwn(rawHeaders, headers.connection, isReplaced)];
}

/**
 * The fields of an interim answer, or of trailers, without those that frame a message. Malformed ones are left out, and those
 * for which `isLeftOut`.
 */
export function fieldsToPass(
	raw: RawHeaders,
	connection?: string,
	isLeftOut: IsLeftOut = NONE,
): [name: string, value: string][] {
	const kept = withoutOwn(raw, connection, (name) => KEPT.has(name) || isLeftOut(name));
	const fields: [string, string][] = [];
	for (let index = 0; index < kept.length; index += 2) {
		const [name = '', value = ''] = kept.slice(index, index + 2);
		if (isPlain(name, value)) fields.push([name, value]);
	}
	return fields;
}

function isPlain(name: string, value: string): boolean {
	try {
		validateHeaderName(name);
		validateHeaderValue(name, value);
		return true;
	} catch {
		return false;
	}
}

/** The head of an origin's answer, in a form that Node can send. The client sees its end where the proxy sees it. */
export function answerHead(
	answer: IncomingMessage,
	isLeftOut: IsLeftOut = NONE,
): { status: number; reason: string; headers: string[] } {
	const { statusCode = 0, statusMessage = '', headers: read, rawHeaders } = answer;
	// Otherwise it would be an `upgrade`.
	const status = statusCode === 101 || statusCode < 100 ? 502 : statusCode;
	const isOdd = statusCode === 101 || NOT_IN_A_REASON.test(statusMessage);
	// Chunks end the body, even if a length is given (RFC 9112, section 6.3). With that length, the client could take the
	// next bytes for the next answer. Node's parser of answers also accepts a name with a space behind it.
	const isChunked = Object.keys(read).some((name) => name.trim() === 'transfer-encoding');
	return {
		status,
		reason: isOdd ? (STATUS_CODES[status] ?? '') : statusMessage,
		// Node frames the body again.
		headers: withoutOwn(
			rawHeaders,
			read.connection,
			(name) => name === 'transfer-encoding' || (isChunked && name === 'content-length') || isLeftOut(name),
		),
	};
}

function withoutOwn(rawHeaders: RawHeaders, connection: string | undefined, isLeftOut: IsLeftOut) {
	const named = new Set(connection?.split(',').map((name) => name.trim().toLowerCase()));
	const kept: string[] = [];
	for (let index = 0; index < rawHeaders.length; index += 2) {
		const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
		const lower = name.trim().toLowerCase();
		if (HOP_BY_HOP.has(lower) || (named.has(lower) && !KEPT.has(lower)) || isLeftOut(lower)) continue;
		kept.push(name, value);
	}
	return kept;
}
