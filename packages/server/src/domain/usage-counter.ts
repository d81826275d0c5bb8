import { USAGE_ACCEPTED_DAYS } from '@bursar/contract/limits';
import { type Bytes, type CounterReading, usageDayOf } from './usage.ts';

/** The highest known value of a counter. */
export interface UsageCounter extends Bytes {
	readonly edge: string;
	readonly counter: string;
	/** Whose bytes it counts. */
	readonly username: string;
	/** The count of `ReadingDays` when it was last read; `null` if 1.0.0-rc.1 counted a GOST with it. */
	readonly seenDay: number | null;
}

export interface ChangedCounter {
	/** As it was loaded; `undefined` if it is new. */
	readonly before: UsageCounter | undefined;
	readonly after: UsageCounter;
}

/**
 * How many UTC days have had readings, as the store has seen it. Counters grow old by this count and not by the clock:
 * a counter that is forgotten too early would count all its bytes again.
 */
export interface ReadingDays {
	readonly count: number;
	/** The latest of these days, in days since 1970-01-01. */
	readonly latest: number;
}

/** A counter after a reading of it. */
interface ReadCounter {
	/** The new bytes. */
	readonly added: Bytes;
	readonly counter: UsageCounter;
	/** Whether the counter is the known one, and the reading tells nothing new. */
	readonly isRepeated: boolean;
}

/** A clock that is ahead by less than this, in days, stops the count until the days catch up. */
const TAKEN_BACK_DAYS = 30;
/**
 * A counter is forgotten when more than this many days with readings have passed: then every replay of its readings is
 * too old to be accepted. Each jump of the clock ahead may add a day too many to the count, and ten such days are spare.
 * @bound Days with readings for which a counter is kept without a report: then it is forgotten, at most two for each
 * reading of a batch.
 */
const COUNTERS_KEPT_DAYS = USAGE_ACCEPTED_DAYS + 10;

const ZERO: Bytes = { bytesUp: 0, bytesDown: 0 };

/** The days with readings, today included. However far the clock jumps ahead, it adds one day. */
export function readingDaysAt(days: ReadingDays, nowMs: number): ReadingDays {
	const today = usageDayOf(nowMs);
	if (today > days.latest) return { count: days.count + 1, latest: today };
	return today < days.latest - TAKEN_BACK_DAYS ? { count: days.count, latest: today } : days;
}

/** Counters that were last read before this day, by the count of `ReadingDays`, are forgotten. */
export function countersForgottenBeforeDay({ count }: ReadingDays): number {
	return count - COUNTERS_KEPT_DAYS;
}

/** What a reading tells. Returns `conflict` if the counter belongs to another account. */
export function readCounter(
	known: UsageCounter | undefined,
	{ edge, counter, username, bytesUp, bytesDown }: CounterReading,
	days: ReadingDays,
): ReadCounter | 'conflict' {
	if (known && known.username !== username) return 'conflict';
	const before = known ?? ZERO;
	const after = { bytesUp: Math.max(before.bytesUp, bytesUp), bytesDown: Math.max(before.bytesDown, bytesDown) };
	const added = { bytesUp: after.bytesUp - before.bytesUp, bytesDown: after.bytesDown - before.bytesDown };
	return {
		added,
		counter: { edge, counter, username, ...after, seenDay: days.count },
		isRepeated: known !== undefined && added.bytesUp === 0 && added.bytesDown === 0,
	};
}

export function usageCounterKey({ edge, counter }: Pick<UsageCounter, 'edge' | 'counter'>): string {
	return `${edge}\n${counter}`;
}
