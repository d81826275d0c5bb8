import type { Exit } from './exit.ts';

/** Whether an exit works, by the outcomes of the connections through it. */
export interface Health {
	readonly isUp: boolean;
	readonly failures: number;
	/** When it answered last (monotonic). */
	readonly answeredAtMs: number;
	/** `false` while it is left out. */
	mayBeTried(): boolean;
	/** For one connection, which reports its outcome. The first one after a pause decides whether the exit is up again. */
	begin(): Pick<Exit, 'answered' | 'failed' | 'refused'>;
}

const FAILURES_IN_A_ROW = 2;
const FIRST_PAUSE_MS = 1_000;
/**
 * @bound The pause of an upstream that is left out: further pauses are as long. The first takes 1 s, and each next
 * one twice as long.
 */
const LONGEST_PAUSE_MS = 60_000;
/** @bound A try of an upstream that does not end: others wait for it no longer. */
const TRY_MS = 25_000;
/**
 * A refusal can be the fault of a client, such as a country that does not exist, or of its destination. So it counts only
 * if no client got an answer for this long. Otherwise one client could have the exit left out for all others.
 */
const DOUBT_MS = 5_000;

/** @param nowMs monotonic */
export function createHealth(nowMs: () => number, changed: () => void): Health {
	let isUp = true;
	let failures = 0;
	let inARow = 0;
	let pauseMs = 0;
	/** The end of the pause, while the exit is down. */
	let pausedUntilMs = 0;
	/** The connection that decides whether it is up again. */
	let trying: symbol | undefined;
	let answeredAtMs = Number.NEGATIVE_INFINITY;

	function setUp(value: boolean): void {
		if (isUp === value) return;
		isUp = value;
		changed();
	}

	function pause(): void {
		pauseMs = Math.min(pauseMs === 0 ? FIRST_PAUSE_MS : pauseMs * 2, LONGEST_PAUSE_MS);
		pausedUntilMs = nowMs() + pauseMs;
		trying = undefined;
	}

	return {
		get isUp() {
			return isUp;
		},
		get failures() {
			return failures;
		},
		get answeredAtMs() {
			return answeredAtMs;
		},
		mayBeTried: () => isUp || nowMs() >= pausedUntilMs,
		begin() {
			const connection = Symbol();
			if (!isUp && nowMs() >= pausedUntilMs) {
				trying = connection;
				pausedUntilMs = nowMs() + TRY_MS;
			}

			function count(): void {
				inARow++;
				// Connections that began before the pause fail late, and say nothing new.
				if (trying === connection || (isUp && inARow >= FAILURES_IN_A_ROW)) pause();
				if (inARow >= FAILURES_IN_A_ROW) setUp(false);
			}

			return {
				answered() {
					answeredAtMs = nowMs();
					inARow = 0;
					pauseMs = 0;
					trying = undefined;
					setUp(true);
				},
				failed() {
					failures++;
					count();
				},
				refused(isRepeated) {
					failures++;
					if (trying === connection || (!isRepeated && nowMs() - answeredAtMs >= DOUBT_MS)) count();
				},
			};
		},
	};
}
