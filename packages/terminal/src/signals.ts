/** What shells know a program by that a signal has ended: 128 and the number of the signal. */
export const signalExitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export type EndingSignal = keyof typeof signalExitCodes;

/** Programs that started us (npm, npx, our own launcher) hand on what the terminal has sent us already. */
export const SAME_SIGNAL_MS = 500;

/**
 * From here on these signals do not end the process: `listener` is called for each, and copies of one count as one. The
 * process does not end before the copies have come: one that came while it ends, when nothing listens any more, would
 * decide the exit code.
 */
export function onSignals(signals: readonly EndingSignal[], listener: (signal: EndingSignal) => void): void {
	let lastAtMs = Number.NEGATIVE_INFINITY;
	for (const signal of signals) {
		process.on(signal, () => {
			if (performance.now() - lastAtMs < SAME_SIGNAL_MS) return;
			lastAtMs = performance.now();
			setTimeout(() => {}, SAME_SIGNAL_MS);
			listener(signal);
		});
	}
}
