/** The times by which a process judges expiry, in Unix milliseconds. */
export interface ExpiryTime {
	readonly nowMs: number;
	/** The latest time that was sent in an answer or used to judge a change. Later than now if the clock was set back. */
	readonly latestMs: number;
}

/**
 * How far the clock may have been set back, in milliseconds (docs/decisions/0028-expiry.md).
 * @bound The clock was set back: then changes with an expiry are refused.
 */
const MAX_SET_BACK_MS = 1_000;

/**
 * Whether a change must not start any more, because its expiry is over by the latest time. While the clock is set back
 * beyond the bound, no change with an expiry may start: it would live longer than its sender believes.
 */
export function isExpired(expiresAtMs: number, time: ExpiryTime): boolean {
	return expiresAtMs <= time.latestMs || isSetBack(time);
}

/** Whether the clock was set back so far that no change with an expiry may start. */
export function isSetBack({ nowMs, latestMs }: ExpiryTime): boolean {
	return latestMs - nowMs > MAX_SET_BACK_MS;
}
