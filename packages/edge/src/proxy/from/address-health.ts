/** Whether connections can be bound to an outgoing address, by the connections from it. */
export interface AddressHealth {
	/** `false` from the first failure until a connection works after a pause. */
	readonly isUp: boolean;
	/** How often it could not be bound. */
	readonly failures: number;
	/** Monotonic milliseconds. */
	readonly failedAtMs: number;
	/** Whether it is left out now. */
	isLeftOut(): boolean;
	/** A connection was bound to it. */
	worked(): void;
	failed(): void;
}

const FIRST_PAUSE_MS = 1_000;
/**
 * @bound The pause of an outgoing address that is left out: further pauses are as long. The first takes 1 s, and each
 * next one twice as long.
 */
const LONGEST_PAUSE_MS = 60_000;

/**
 * After `tolerated` failures in a row, the next one begins a pause. An address that works only now and then changes its state
 * ever more rarely, so the log stays short.
 *
 * @param nowMs monotonic
 */
export function createAddressHealth(tolerated: number, nowMs: () => number, changed: () => void): AddressHealth {
	let isUp = true;
	let failures = 0;
	let inARow = 0;
	let failedAtMs = Number.NEGATIVE_INFINITY;
	let pauseMs = 0;
	let pausedUntilMs = Number.NEGATIVE_INFINITY;

	function setUp(value: boolean): void {
		if (isUp === value) return;
		isUp = value;
		changed();
	}

	return {
		get isUp() {
			return isUp;
		},
		get failures() {
			return failures;
		},
		get failedAtMs() {
			return failedAtMs;
		},
		isLeftOut: () => !isUp && nowMs() < pausedUntilMs,
		worked() {
			inARow = 0;
			if (nowMs() >= pausedUntilMs) setUp(true);
		},
		failed() {
			failures++;
			inARow++;
			failedAtMs = nowMs();
			if (inARow <= tolerated || nowMs() < pausedUntilMs) return;
			const isAgain = nowMs() - pausedUntilMs < LONGEST_PAUSE_MS;
			pauseMs = isAgain ? Math.min(pauseMs * 2, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS;
			pausedUntilMs = nowMs() + pauseMs;
			setUp(false);
		},
	};
}
