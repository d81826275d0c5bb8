import { standardError, visible } from '@bursar/terminal';
import { say } from './output.ts';

/** How often the line is drawn again, at most. */
const REDRAW_MS = 100;
const ERASE_LINE = '\r\u001b[K';

/** Shows that something goes on. */
export interface Progress {
	update(message: string): void;
	/** Words that stay, among the ones that change. `false`: whoever says more should wait until they have been taken. */
	say(line: string): boolean;
}

/**
 * Runs what takes long, with one changing line on a terminal and in silence elsewhere. It never touches
 * stdout, reads nothing from stdin (a file may be coming in there), and leaves Ctrl-C alone.
 */
export async function withProgress<Result>(
	message: string,
	work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
	const stderr = standardError();
	if (!stderr.isTTY) return work({ update() {}, say });
	let drawnAtMs = performance.now();
	stderr.write(`${visible(message)}...`);
	try {
		return await work({
			update(text) {
				const nowMs = performance.now();
				if (nowMs - drawnAtMs < REDRAW_MS) return;
				drawnAtMs = nowMs;
				stderr.write(`${ERASE_LINE}${visible(text)}`);
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
