import { useSyncExternalStore } from 'react';

/** The server's time minus the time of this page lies between the two, in milliseconds. */
export interface ClockDifference {
	readonly atLeastMs: number;
	readonly atMostMs: number;
}

/** When a request left and when its answer came, by `performance.now()`, and the time that the answer names. */
interface TimedAnswer {
	readonly sentMs: number;
	readonly receivedMs: number;
	/** The envelope's: Unix seconds, rounded down. */
	readonly timestamp: number;
}

let known: ClockDifference | undefined;

/** Learns the server's time from the answer to a request. */
export function learnServerTime(answer: TimedAnswer): void {
	known = narrowDifference(known, answer);
}

/** The time by the server's clock, in Unix milliseconds. A wrong clock of this computer does not matter. */
export function serverNowMs(): number {
	if (known === undefined) return Date.now();
	return performance.now() + (known.atLeastMs + known.atMostMs) / 2;
}

/** What is known after one more answer. If it contradicts what was known, a clock was changed, and only the answer counts. */
export function narrowDifference(previous: ClockDifference | undefined, answer: TimedAnswer): ClockDifference {
	const learned = {
		atLeastMs: answer.timestamp * 1000 - answer.receivedMs,
		atMostMs: answer.timestamp * 1000 + 1000 - answer.sentMs,
	};
	if (previous === undefined) return learned;
	const both = {
		atLeastMs: Math.max(previous.atLeastMs, learned.atLeastMs),
		atMostMs: Math.min(previous.atMostMs, learned.atMostMs),
	};
	return both.atLeastMs <= both.atMostMs ? both : learned;
}

/** The time by the server's clock, in Unix milliseconds. It moves in steps, and the component is drawn again at each. */
export function useServerNow(stepMs: number): number {
	return useSyncExternalStore(
		(onStep) => {
			const timer = setInterval(onStep, stepMs);
			return () => clearInterval(timer);
		},
		() => Math.floor(serverNowMs() / stepMs) * stepMs,
	);
}
