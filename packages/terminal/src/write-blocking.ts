import { writeSync } from 'node:fs';

/**
 * Writes without Node's stream, which takes a tenth of an empty program to set up. Waits for a slow reader. If another
 * process has set the descriptor not to block, returns what did not fit.
 */
export function writeBlocking(descriptor: number, bytes: Buffer): Buffer {
	let rest = bytes;
	try {
		while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code !== 'EAGAIN') throw cause;
	}
	return rest;
}
