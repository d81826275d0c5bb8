import { Interrupted } from './failure.ts';

/** Signals to end, each aborted with an `Interrupted`. */
export interface Interrupts {
	/** The first one: begin nothing more. */
	readonly stop: AbortSignal;
	/** Another one: leave also what is under way. */
	readonly leave: AbortSignal;
}

/** Programs that started us (npx, our own launcher) hand on what the terminal has sent us already. */
const SAME_SIGNAL_MS = 500;

/** From here on Ctrl-C and SIGTERM abort these signals; a third one ends the process at once. */
export function watchInterrupts(): Interrupts {
	const stop = new AbortController();
	const leave = new AbortController();
	let lastAtMs = Number.NEGATIVE_INFINITY;
	const listener = (signal: 'SIGINT' | 'SIGTERM') => {
		const isSame = performance.now() - lastAtMs < SAME_SIGNAL_MS;
		if (isSame) return;
		lastAtMs = performance.now();
		if (!stop.signal.aborted) {
			stop.abort(new Interrupted(signal));
			return;
		}
		leave.abort(new Interrupted(signal));
		process.off('SIGINT', listener).off('SIGTERM', listener);
	};
	process.on('SIGINT', listener).on('SIGTERM', listener);
	return { stop: stop.signal, leave: leave.signal };
}
