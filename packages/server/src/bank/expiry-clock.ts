import { type ExpiryTime, isSetBack } from '../domain/expiry.ts';

/** The clock that changes expire by. It never goes back: what it has told is over. */
export interface ExpiryClock {
	/** The store's time, in Unix milliseconds, for answers: from then on nothing is begun that expires by it. */
	nowMs(): number;
	/** The time that changes are judged by now. */
	look(): ExpiryTime;
	/** Whether the store's clock was set back so far that no change with an expiry is begun. */
	readonly isSetBack: boolean;
}

/** `onSetBack` is called once each time that the clock is found set back too far, with by how much. */
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
