import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { visible } from '@bursar/contract/visible';
import { standardError } from './standard-error.ts';

/** Whether there is a terminal to ask on. */
export function isTerminal(): boolean {
	return process.stdin.isTTY && standardError().isTTY;
}

/** Asks a question on the terminal. Resolves with the line of the answer. Throws the reason of `stop`. */
export async function ask(question: string, stop?: AbortSignal): Promise<string> {
	// The terminal itself edits the line, so that Ctrl-C stays a signal.
	const lines = createInterface({ input: process.stdin, output: standardError(), terminal: false });
	const ended = once(lines, 'close').then(() => '');
	try {
		const answer = await Promise.race([
			lines.question(`${visible(question)} `, { ...(stop && { signal: stop }) }),
			ended,
		]);
		return answer.trim();
	} catch (error) {
		stop?.throwIfAborted();
		throw error;
	} finally {
		lines.close();
	}
}
