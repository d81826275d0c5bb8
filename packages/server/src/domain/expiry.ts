/** What a process knows of the time that changes expire by, in Unix milliseconds. */
export interface ExpiryTime {
	readonly nowMs: number;
	/** The latest time that an answer has told, or a change was judged by. Later than now where the clock was set back. */
	readonly latestMs: number;
}

/**
 * How far the clock may have been set back, in milliseconds. One part of what happens between the expiry of a change and
 * the moment from which its absence can be believed (docs/decisions/0028-expiry.md).
 */
const MAX_SET_BACK_MS = 1_000;

/**
 * Whether a change may not be begun any more: it expires now or before, or by a time that was told already. While the
 * clock is set back further than the bound, none with an expiry may: it would live longer than its sender believes.
 */
export function isExpired(expiresAtMs: number, time: ExpiryTime): boolean {
	return expiresAtMs <= time.latestMs || isSetBack(time);
}

/** Whether the clock was set back so far that no change with an expiry is begun. */
export function isSetBack({ nowMs, latestMs }: ExpiryTime): boolean {
	return latestMs - nowMs > MAX_SET_BACK_MS;
}
