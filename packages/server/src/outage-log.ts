/** Logs an outage, which may fail thousands of times in a second, in a few lines. */
export interface OutageLog {
	failed(cause: unknown): void;
	/** Logs that the outage is over, if there was one. */
	over(): void;
}

interface OutageLines {
	/** Called with the cause, or with how many failures came since the last line. */
	readonly failing: (fields: { readonly err: unknown } | { readonly count: number }) => void;
	readonly over: () => void;
	/** For a failure that no success ends: it is over when nothing has failed for as long as between two lines. */
	readonly isOverWhenQuiet?: boolean;
	/** How often failures are counted in a line, in milliseconds. */
	readonly countMs?: number;
}

/** @bound Causes of one outage, or of one kind of fault, that are logged: then there is only a count each 10 s. */
const MOST_CAUSES = 5;
const COUNT_MS = 10_000;

/** Logs each cause once, then how many failures came every ten seconds, and one line when it is over. */
export function createOutageLog({ failing, over, isOverWhenQuiet, countMs = COUNT_MS }: OutageLines): OutageLog {
	const logged = new Set<string>();
	let unlogged = 0;
	let isQuiet = false;
	let counting: NodeJS.Timeout | undefined;

	function count(): void {
		if (unlogged > 0) failing({ count: unlogged });
		if (isQuiet && isOverWhenQuiet) end();
		unlogged = 0;
		isQuiet = true;
	}

	function end(): void {
		if (logged.size === 0) return;
		logged.clear();
		unlogged = 0;
		clearInterval(counting);
		counting = undefined;
		over();
	}

	return {
		failed(cause) {
			const message = cause instanceof Error ? cause.message : String(cause);
			isQuiet = false;
			if (logged.size < MOST_CAUSES && !logged.has(message)) {
				logged.add(message);
				failing({ err: cause });
			} else unlogged++;
			// Whatever still fails keeps the process running by itself.
			counting ??= setInterval(count, countMs).unref();
		},
		over: end,
	};
}
