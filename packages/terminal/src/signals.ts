/** The exit code that shells use for a program ended by a signal: 128 plus the number of the signal. */
export const signalExitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export type EndingSignal = keyof typeof signalExitCodes;

/**
 * A parent process (npm, npx, our own launcher) sends a signal again that the terminal has already sent to this process.
 */
export const SAME_SIGNAL_MS = 500;

/**
 * Calls `listener` for each of these signals, which then no longer end the process. Copies of one signal count as one. The
 * process waits for the copies before it ends: without a listener, a late copy would decide the exit code.
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
