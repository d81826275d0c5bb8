import type { IncomingMessage } from 'node:http';
import type { ProxyPair } from '../route.ts';
import { type Authority, readAuthority } from '../target/authority.ts';

/** What a request asks of the proxy. */
export interface AskedFor {
	readonly to: Authority;
	/** Path and query, as they were sent. `/` for CONNECT. */
	readonly path: string;
	/** `undefined` if the request has no readable pair. */
	readonly pair: ProxyPair | undefined;
	/** Whether it has credentials, readable or not. Only these count then, and not the address of the client. */
	readonly hasCredentials: boolean;
	/** The proxy must answer it itself (RFC 9110, section 7.6.2). */
	readonly endsHere: boolean;
}

/**
 * Other methods must not have a chunked body: Node would send it without its framing, and the origin would read it as
 * requests.
 */
const CHUNKED_METHODS: ReadonlySet<string | undefined> = new Set(['POST', 'PUT', 'PATCH']);
const BAD_TARGET = 'The target must be a plain host and port, or an http URL with one, without a user.';

/** What the request asks for, or why it cannot be served: the text of a 400 or 411. */
export function readRequest(
	request: IncomingMessage,
): AskedFor | { readonly status: 400 | 411; readonly text: string } {
	const { method, url = '', headers } = request;
	const isTunnel = method === 'CONNECT';
	const [, authority = '', path = ''] = (isTunnel ? TUNNEL : PLAIN).exec(url) ?? [];
	const to = readAuthority(authority);
	if (!to) return { status: 400, text: BAD_TARGET };
	if (hostLines(request) > 1) return { status: 400, text: 'There is more than one Host.' };
	if (!isTunnel && headers['transfer-encoding'] !== undefined && !CHUNKED_METHODS.has(method)) {
		return { status: 411, text: 'A body of this method must be sent with its length.' };
	}
	return {
		to,
		path: path || '/',
		pair: readPair(headers['proxy-authorization']),
		hasCredentials: headers['proxy-authorization'] !== undefined,
		endsHere: maxForwardsOf(request) === 0,
	};
}

/** How many proxies may pass the request on. `undefined`: any number. */
export function maxForwardsOf({ method, headers }: IncomingMessage): number | undefined {
	const text = headers['max-forwards'];
	if ((method !== 'TRACE' && method !== 'OPTIONS') || typeof text !== 'string') return undefined;
	return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function hostLines({ rawHeaders }: IncomingMessage): number {
	return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length;
}

const PLAIN = /^http:\/\/([^/?#]+)((?:\/[^#\s]*)?)$/i;
const TUNNEL = /^(.+:\d{1,5})$/;
const BASIC = /^basic +([\w+/=-]+) *$/i;

function readPair(authorization = ''): ProxyPair | undefined {
	const [, encoded] = BASIC.exec(authorization) ?? [];
	if (encoded === undefined) return undefined;
	const text = Buffer.from(encoded, 'base64').toString('utf8');
	const colon = text.indexOf(':');
	if (colon < 1) return undefined;
	return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
