import { isIP } from 'node:net';
import type { PairToCheck } from '../../agent/pair-checker.ts';

/** One line of Squid's concurrent helper protocol for Basic authentication. */
export interface HelperRequest {
	/** Names the request in its answer. */
	readonly channel: string;
	/** The pair to check; `undefined` if the line has another form. */
	readonly pair: HelperPair | undefined;
}

export interface HelperPair extends PairToCheck {
	/** Address and port of the connection, as Squid writes them for its manager. */
	readonly peer: string;
}

const CHANNEL = /^\d{1,20}$/;

/**
 * Reads `CHANNEL USERNAME PASSWORD ADDRESS PORT HEADER`. The last three come from `key_extras` in squid.conf. HEADER is
 * `Proxy-Authorization`: with it, Squid keeps a separate entry for each password. Without it, a wrong password that
 * arrives while the right one is being checked can pass as the right one. So a line without it has no pair.
 *
 * @returns `undefined` if there is no channel, so there is nothing to answer.
 */
export function readHelperRequest(line: string): HelperRequest | undefined {
	const [channel = '', username, password, client, port, header, ...more] = line.split(' ');
	if (!CHANNEL.test(channel)) return undefined;
	if (!username || !password || !client || !port || !header || header === '-' || more.length > 0) {
		return { channel, pair: undefined };
	}
	return {
		channel,
		pair: {
			username: unescapeBytes(username),
			password: unescapeBytes(password),
			// Squid says `-` if it does not know the address.
			client: isIP(client) === 0 ? '' : client,
			peer: peerName(client, port),
		},
	};
}

/** As in the answers of Squid's manager: `192.0.2.1:5000` or `[2001:db8::1]:5000`. */
export function peerName(address: string, port: string): string {
	return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

/**
 * Decodes what Squid's URL encoding made of any bytes: one character for each byte (latin1). Text that is not an
 * escape stays as it is, so there is no text on which this fails.
 */
function unescapeBytes(text: string): string {
	return text.replace(/%([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}
