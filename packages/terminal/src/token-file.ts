import { readBoundedFile } from './bounded-file.ts';

/** Far more than a token has, and all that is read of a file that holds none. */
const MOST_BYTES = 64 * 1024;

/**
 * The token that a file holds: one word of visible ASCII characters, or nothing. `undefined` if the file holds
 * something else. Throws as reading does.
 */
export function readTokenFile(file: string): string | undefined {
	// This takes a byte order mark away too.
	const text = readBoundedFile(file, MOST_BYTES)?.toString('utf8').trim();
	return text !== undefined && /^[!-~]*$/.test(text) ? text : undefined;
}
