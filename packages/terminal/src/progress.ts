import { visible } from '@bursar/contract/visible';
import { say, standardError } from './standard-error.ts';
import { printSurely, standardOutput } from './standard-output.ts';

/** The line is drawn again at most this often. */
const REDRAW_MS = 100;
const ERASE_LINE = '\r\u001b[K';

/** Shows the progress of a long command. */
export interface Progress {
	update(message: string): void;
	/** Prints data on stdout. Resolves once it is written, and rejects if it cannot be. */
	print(line: string): Promise<void>;
	/** Prints a line that stays on stderr. If it returns `false`, wait for `drain` before the next line. */
	say(line: string): boolean;
}

/**
 * Runs a long piece of work with one changing line on a terminal, and silently elsewhere. It does not read stdin, which
 * may be a file, and does not handle Ctrl-C.
 */
export async function withProgress<Result>(
	message: string,
	work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
	const stderr = standardError();
	if (!stderr.isTTY) return work({ update() {}, print: (line) => printSurely([line]), say });
	let drawnAtMs = performance.now();
	let shown = `${visible(message)}...`;
	stderr.write(shown);
	try {
		return await work({
			update(text) {
				const nowMs = performance.now();
				if (nowMs - drawnAtMs < REDRAW_MS) return;
				drawnAtMs = nowMs;
				shown = visible(text);
				stderr.write(`${ERASE_LINE}${shown}`);
			},
			async print(line) {
				if (!standardOutput().isTTY) return printSurely([line]);
				stderr.write(ERASE_LINE);
				const printed = printSurely([line]);
				stderr.write(shown);
				return printed;
			},
			say(line) {
				stderr.write(ERASE_LINE);
				return say(line);
			},
		});
	} finally {
		stderr.write(ERASE_LINE);
	}
}
