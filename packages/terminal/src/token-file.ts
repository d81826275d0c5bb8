import { readBoundedFile } from './bounded-file.ts';

/** @bound The file of a token, far more than it has: no more of a wrong file is read. */
const MOST_BYTES = 64 * 1024;

/**
 * The token in a file: one word of visible ASCII characters, or an empty text. `undefined` if the file holds anything
 * else. Throws if reading fails.
 */
export function readTokenFile(file: string): string | undefined {
	// `trim` also removes a byte order mark.
	const text = readBoundedFile(file, MOST_BYTES)?.toString('utf8').trim();
	return text !== undefined && /^[!-~]*$/.test(text) ? text : undefined;
}
