import { isIP } from 'node:net';
import { leastBytes, parseTemplate, type Template } from './template.ts';

/** An upstream proxy, as the operator has set it. */
export interface ListedExit {
	readonly protocol: 'http' | 'https' | 'socks5';
	/** Without brackets. */
	readonly host: string;
	readonly port: number;
	/** Both are empty if it needs no credentials. */
	readonly username: Template;
	readonly password: Template;
	/** Its share of the connections, compared with the others. */
	readonly weight: number;
}

/** RFC 1929. */
export const MAX_SOCKS_BYTES = 255;
/** @bound Upstream proxies: the proxy does not start with more. */
const MAX_EXITS = 256;
const MAX_WEIGHT = 1_000;
/**
 * An entry without its weight.
 * @bound Characters of the URL of an upstream: the proxy does not start with a longer one.
 */
const MAX_LENGTH = 2_048;
const URL_PARTS = /^([a-z0-9]+):\/\/(?:([^/?#\\]*)@)?(\[[^\]]*\]|[^@:/?#[\]\\]+)(?::(\d{1,5}))?\/?$/i;
const PROTOCOLS: Readonly<Record<string, ListedExit['protocol']>> = {
	http: 'http',
	https: 'https',
	socks5: 'socks5',
	socks5h: 'socks5',
};
const DEFAULT_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443 };

/**
 * Reads a list of upstream proxies: URLs between white space. `weight=N` may follow each. `#` before a word begins a
 * comment, up to the end of the line. An error names the number of the entry, and shows nothing of the list.
 */
export function readUpstreamList(text: string): readonly ListedExit[] {
	const exits: ListedExit[] = [];
	let mayHaveWeight = false;
	for (const word of wordsOf(text)) {
		const last = exits.at(-1);
		try {
			if (!word.startsWith('weight=')) {
				exits.push(readExit(word));
				mayHaveWeight = true;
			} else if (last && mayHaveWeight) {
				exits[exits.length - 1] = { ...last, weight: readWeight(word) };
				mayHaveWeight = false;
			} else throw new Error('it has a weight too many');
		} catch (cause) {
			const number = word.startsWith('weight=') ? Math.max(1, exits.length) : exits.length + 1;
			throw new Error(`entry ${number}: ${(cause as Error).message}`);
		}
		if (exits.length > MAX_EXITS) throw new Error(`it names more than ${MAX_EXITS} upstream proxies`);
	}
	if (exits.length === 0) throw new Error('it names no upstream proxy');
	return exits;
}

function* wordsOf(text: string): Iterable<string> {
	for (const line of text.split(/[\r\n]+/)) {
		for (const word of line.split(/\s+/)) {
			if (word.startsWith('#')) break;
			if (word !== '') yield word;
		}
	}
}

function readWeight(word: string): number {
	const weight = Number(word.slice('weight='.length));
	if (/=[1-9]\d{0,3}$/.test(word) && weight <= MAX_WEIGHT) return weight;
	throw new Error(`a weight must be a number from 1 to ${MAX_WEIGHT}, like weight=2`);
}

function readExit(text: string): ListedExit {
	if (text.length > MAX_LENGTH) throw new Error(`it has more than ${MAX_LENGTH} characters`);
	const [, scheme = '', credentials = '', hostText = '', portText] = URL_PARTS.exec(text) ?? [];
	const protocol = PROTOCOLS[scheme.toLowerCase()];
	const host = hostOf(hostText);
	if (!protocol || host === undefined) {
		throw new Error('it must be the URL of a proxy, like http://upstream.example:3128 or socks5://127.0.0.1:1080');
	}
	const port = portText === undefined ? DEFAULT_PORTS[protocol] : Number(portText);
	if (port === undefined) throw new Error('with SOCKS, it must have a port');
	if (port < 1 || port > 65_535) throw new Error('its port must be from 1 to 65535');
	const [user = '', ...rest] = credentials.split(':');
	const username = parseTemplate(user);
	const password = parseTemplate(rest.join(':'));
	if (protocol !== 'socks5' && hasColon(username)) throw new Error('over HTTP, its user must have no colon');
	if (protocol === 'socks5' && Math.max(leastBytes(username), leastBytes(password)) > MAX_SOCKS_BYTES) {
		throw new Error(`over SOCKS, its user and password have at most ${MAX_SOCKS_BYTES} bytes each`);
	}
	return { protocol, host, port, username, password, weight: 1 };
}

/** As `URL` writes it, without brackets. `undefined` if it is no host. */
function hostOf(text: string): string | undefined {
	const hostname = text === '' ? undefined : URL.parse(`http://${text}`)?.hostname;
	const host = hostname?.replace(/^\[(.*)\]$/, '$1');
	return host && (isIP(host) !== 0 || /^[a-z0-9._-]{1,253}$/.test(host)) ? host : undefined;
}

function hasColon({ parts }: Template): boolean {
	return parts.some(({ pieces }) => pieces.some((piece) => typeof piece === 'string' && piece.includes(':')));
}
