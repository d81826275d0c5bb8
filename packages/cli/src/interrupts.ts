import { onSignals, SAME_SIGNAL_MS } from '@bursar/terminal';
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

/** From here on Ctrl-C and SIGTERM abort these signals, and a third one ends the process whatever is under way. */
export function watchInterrupts(): Interrupts {
	const stop = new AbortController();
	const leave = new AbortController();
	let hasBegun = false;
	onSignals(['SIGINT', 'SIGTERM'], (signal) => {
		const interrupted = new Interrupted(signal);
		if (!stop.signal.aborted) stop.abort(interrupted);
		else if (!leave.signal.aborted) leave.abort(interrupted);
		else setTimeout(() => process.exit(hasBegun ? exitCodes.outcomeUnknown : interrupted.exitCode), SAME_SIGNAL_MS);
	});
	return {
		stop: stop.signal,
		leave: leave.signal,
		changeBegins() {
			hasBegun = true;
		},
	};
}
