import { visible } from '@bursar/contract/visible';

/** Standard error, safe even if its reader is gone. */
export function standardError(): NodeJS.WriteStream {
	if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {});
	return process.stderr;
}

/** Prints a line for people on stderr; data goes to stdout. If it returns `false`, wait for `drain` before the next. */
export function say(line: string): boolean {
	return standardError().write(`${visible(line)}\n`);
}
