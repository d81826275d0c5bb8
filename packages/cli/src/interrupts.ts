import { onSignals, SAME_SIGNAL_MS } from '@bursar/terminal';
import { exitCodes, Interrupted } from './failure.ts';

/** Abort signals, each with an `Interrupted` as its reason. */
export interface Interrupts {
	/** Aborted by the first signal: begin nothing more. */
	readonly stop: AbortSignal;
	/** Aborted by the second signal: abandon the requests in progress too. */
	readonly abandon: AbortSignal;
	/** Call this before the first change. From then on, an end by force exits with `outcomeUnknown`. */
	readonly changeBegins: () => void;
}

/** Ctrl-C and SIGTERM now abort these signals. The third one ends the process by force. */
export function watchInterrupts(): Interrupts {
	const stop = new AbortController();
	const abandon = new AbortController();
	let hasBegun = false;
	onSignals(['SIGINT', 'SIGTERM'], (signal) => {
		const interrupted = new Interrupted(signal);
		if (!stop.signal.aborted) stop.abort(interrupted);
		else if (!abandon.signal.aborted) abandon.abort(interrupted);
		else setTimeout(() => process.exit(hasBegun ? exitCodes.outcomeUnknown : interrupted.exitCode), SAME_SIGNAL_MS);
	});
	return {
		stop: stop.signal,
		abandon: abandon.signal,
		changeBegins() {
			hasBegun = true;
		},
	};
}
