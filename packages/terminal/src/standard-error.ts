import { visible } from './visible.ts';

/** Standard error, also if nothing reads it any more. Node makes it at its first use, which takes milliseconds. */
export function standardError(): NodeJS.WriteStream {
	if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {});
	return process.stderr;
}

/** Words for people: never on stdout, where data goes. `false`: whoever says more should wait for `drain`. */
export function say(line: string): boolean {
	return standardError().write(`${visible(line)}\n`);
}
