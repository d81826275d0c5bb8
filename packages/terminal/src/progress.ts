import { visible } from '@bursar/contract/visible';
import { say, standardError } from './standard-error.ts';
import { printSurely, standardOutput } from './standard-output.ts';

/** The line is drawn again at most this often. */
const REDRAW_MS = 100;
const ERASE_LINE = '\r\u001b[K';

/** Unlike `performance.now()`, this does not load Node's `perf_hooks`, which takes a twentieth of an empty program. */
const uptimeMs = () => process.uptime() * 1_000;

/** Shows the progress of a long command. */
export interface Progress {
	update(message: string): void;
	/** Prints data on stdout. Resolves once it is written, and rejects if it cannot be. */
	print(line: string): Promise<void>;
	/** Prints a line that stays on stderr. If it returns `false`, wait for `drain` before the next line. */
	say(line: string): boolean;
}

/**
 * Runs a long piece of work with one changing line on a terminal, and silently elsewhere. Work that is done at once shows
 * nothing. It does not read stdin, which may be a file to import, and does not handle Ctrl-C. Libraries for prompts do both,
 * and one of them ends an interrupted program with exit code 0.
 */
export async function withProgress<Result>(
	message: string,
	work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
	let drawnAtMs = uptimeMs();
	let shown = `${visible(message)}...`;
	let isDrawn = false;

	function draw(): void {
		drawnAtMs = uptimeMs();
		if (!standardError().isTTY) return;
		standardError().write(isDrawn ? `${ERASE_LINE}${shown}` : shown);
		isDrawn = true;
	}

	function erase(): void {
		if (isDrawn) standardError().write(ERASE_LINE);
		isDrawn = false;
	}

	const first = setTimeout(draw, REDRAW_MS);
	try {
		return await work({
			update(text) {
				shown = visible(text);
				if (uptimeMs() - drawnAtMs >= REDRAW_MS) draw();
			},
			async print(line) {
				if (!isDrawn || !standardOutput().isTTY) return printSurely([line]);
				erase();
				const printed = printSurely([line]);
				draw();
				return printed;
			},
			say(line) {
				erase();
				return say(line);
			},
		});
	} finally {
		clearTimeout(first);
		erase();
	}
}
