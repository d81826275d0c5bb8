import { once } from 'node:events';
import { BlockList, isIP } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { UsageError } from '@bursar/terminal';

/** What is in a link. */
export interface JoinLink {
	/** Base address of the edge listener. */
	readonly url: URL;
	readonly secret: string;
}

const FORM = 'a link from "bursar edge create" is needed, like https://edge.bursar.example/join#SECRET, or -';
/** @bound Characters of a link to join: a longer one is refused. */
const MOST_CHARACTERS = 2_048;

/** Throws a `UsageError` that does not repeat the text. */
export function parseJoinLink(text: string): JoinLink {
	const link = text.length <= MOST_CHARACTERS ? URL.parse(text) : null;
	const secret = link?.hash.slice(1) ?? '';
	const isSecret = /^[A-Za-z0-9_-]{43}$/.test(secret);
	if (!link || !['http:', 'https:'].includes(link.protocol) || link.pathname !== '/join' || !isSecret) {
		throw new UsageError(`the link has not its form: ${FORM}`);
	}
	if (link.username || link.password || link.search) {
		throw new UsageError('the link must have no user, password or query');
	}
	return { url: new URL(link.origin), secret };
}

/** The first line of standard input. */
export async function readLinkLine(input: Readable): Promise<string> {
	const lines = createInterface({ input, terminal: false });
	try {
		const [line] = await Promise.race([once(lines, 'line'), once(lines, 'close')]);
		return String(line ?? '').trim();
	} finally {
		lines.close();
		input.destroy();
	}
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

export function isLoopback({ hostname }: URL): boolean {
	const host = hostname.replace(/^\[(.*)\]$/, '$1');
	const version = isIP(host);
	return version === 0 ? host === 'localhost' : loopback.check(host, version === 6 ? 'ipv6' : 'ipv4');
}
