import { exitCodes, Interrupted } from './failure.ts';

/** Signals to end, each aborted with an `Interrupted`. */
export interface Interrupts {
	/** The first one: begin nothing more. */
	readonly stop: AbortSignal;
	/** Another one: leave also what is under way. */
	readonly leave: AbortSignal;
	/** To be called before something is changed: an end by force can no longer say that nothing was. */
	readonly changeBegins: () => void;
}

/** Programs that started us (npx, our own launcher) hand on what the terminal has sent us already. */
const SAME_SIGNAL_MS = 500;

/**
 * From here on Ctrl-C and SIGTERM abort these signals, and a third one ends the process whatever is under way.
 * The process does not end before the copies of a signal have come: one that comes while it ends, when nobody
 * listens any more, would decide the exit code in place of what happened.
 */
export function watchInterrupts(): Interrupts {
	const stop = new AbortController();
	const leave = new AbortController();
	let hasBegun = false;
	let lastAtMs = Number.NEGATIVE_INFINITY;
	const listener = (signal: 'SIGINT' | 'SIGTERM') => {
		const isSame = performance.now() - lastAtMs < SAME_SIGNAL_MS;
		if (isSame) return;
		lastAtMs = performance.now();
		const interrupted = new Interrupted(signal);
		if (!stop.signal.aborted) stop.abort(interrupted);
		else if (!leave.signal.aborted) leave.abort(interrupted);
		else setTimeout(() => process.exit(hasBegun ? exitCodes.outcomeUnknown : interrupted.exitCode), SAME_SIGNAL_MS);
		setTimeout(() => {}, SAME_SIGNAL_MS);
	};
	process.on('SIGINT', listener).on('SIGTERM', listener);
	return {
		stop: stop.signal,
		leave: leave.signal,
		changeBegins() {
			hasBegun = true;
		},
	};
}
