import type { Run, RunLine } from './run.ts';

const KEY = 'bursar.many';

interface KeptRun {
	/** Whose run it is. */
	readonly email: string;
	/** Whether nothing was under way when it was kept. */
	readonly isSettled: boolean;
	readonly run: Run;
}

/**
 * Keeps a run in this tab of the browser, so that it can be gone on with after a reload. It has no secrets. Whether it
 * could be kept.
 */
export function keepRun(kept: KeptRun): boolean {
	try {
		sessionStorage.setItem(KEY, JSON.stringify(kept));
		return true;
	} catch {
		return false;
	}
}

export function dropRun(): void {
	try {
		sessionStorage.removeItem(KEY);
	} catch {
		// A browser that keeps nothing has nothing to forget.
	}
}

/** The run that this person has begun in this tab. */
export function findRun(email: string): Run | undefined {
	try {
		const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as KeptRun | null;
		if (kept?.email !== email) return undefined;
		return kept.isSettled ? kept.run : interrupted(kept.run);
	} catch {
		return undefined;
	}
}

/** Of a run that was cut off, a line without an outcome may have been sent. */
export function interrupted(run: Run): Run {
	return {
		...run,
		lines: run.lines.map(
			(line): RunLine => (line.outcome.state === 'open' ? { ...line, outcome: { state: 'unknown' } } : line),
		),
	};
}
