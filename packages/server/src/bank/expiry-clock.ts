import { type ExpiryTime, isSetBack } from '../domain/expiry.ts';

/** Decides when changes expire. A time that it has returned stays over, even if the store's clock is set back. */
export interface ExpiryClock {
	/** The store's time for answers, in Unix milliseconds. No change that expires by then starts afterwards. */
	nowMs(): number;
	/** The times by which changes are judged now. */
	look(): ExpiryTime;
	/** Whether the store's clock was set back so far that no change with an expiry may start. */
	readonly isSetBack: boolean;
}

/** Calls `onSetBack`, with the distance, once each time that the clock is found set back too far. */
export function createExpiryClock(
	storeNowMs: () => number,
	{ onSetBack = () => {} }: { readonly onSetBack?: (byMs: number) => void } = {},
): ExpiryClock {
	let latestMs = Number.NEGATIVE_INFINITY;
	let isReported = false;

	function look(): ExpiryTime {
		const nowMs = storeNowMs();
		if (nowMs >= latestMs) {
			latestMs = nowMs;
			isReported = false;
		}
		const time = { nowMs, latestMs };
		if (!isReported && isSetBack(time)) {
			isReported = true;
			onSetBack(latestMs - nowMs);
		}
		return time;
	}

	return {
		nowMs: () => look().nowMs,
		look,
		get isSetBack() {
			return isSetBack(look());
		},
	};
}
