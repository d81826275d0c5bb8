import { say, standardError } from './standard-error.ts';
import { printSurely } from './standard-output.ts';
import { visible } from './visible.ts';

/** How often the line is drawn again, at most. */
const REDRAW_MS = 100;
const ERASE_LINE = '\r\u001b[K';

/** Shows that something goes on. */
export interface Progress {
	update(message: string): void;
	/** Prints data, beside the changing line. Resolves once it is out, and rejects if it cannot be. */
	print(line: string): Promise<void>;
	/** Words that stay, among the ones that change. `false`: whoever says more should wait until they have been taken. */
	say(line: string): boolean;
}

/**
 * Runs what takes long, with one changing line on a terminal and in silence elsewhere. It reads nothing from stdin,
 * where a file may be coming in, and leaves Ctrl-C alone.
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
				if (!process.stdout.isTTY) return printSurely([line]);
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
