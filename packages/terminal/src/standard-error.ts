import { visible } from '@bursar/contract/visible';
import { writeBlocking } from './write-blocking.ts';

const STDERR = 2;

/** Standard error, safe even if its reader is gone. Node creates it at its first use, which takes milliseconds. */
export function standardError(): NodeJS.WriteStream {
	isStreamUsed = true;
	if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {});
	return process.stderr;
}

let isStreamUsed = false;

/** Prints a line for people on stderr; data goes to stdout. If it returns `false`, wait for `drain` before the next. */
export function say(line: string): boolean {
	return standardError().write(textOf(line));
}

/** Prints the last line for people on stderr. Blocks until its reader takes it, so nothing else may be under way. */
export function sayLast(line: string): void {
	if (isStreamUsed) {
		say(line);
		return;
	}
	try {
		const rest = writeBlocking(STDERR, Buffer.from(textOf(line)));
		if (rest.length > 0) standardError().write(rest);
	} catch {
		// Its reader is gone.
	}
}

function textOf(line: string): string {
	return `${visible(line)}\n`;
}
