import type { ReadingDays } from '../../../domain/usage-counter.ts';

/** The row of `meta` that holds the days with readings. */
export const READING_DAYS = 'reading_days';

export function formatReadingDays({ count, latest }: ReadingDays): string {
	return `${count} ${latest}`;
}

/** Throws if the row is missing or damaged. With a wrong count, counters would be forgotten too early. */
export function parseReadingDays(value: string | undefined): ReadingDays {
	const [, count, latest] = /^(\d{1,10}) (-?\d{1,10})$/.exec(value ?? '') ?? [];
	if (count === undefined) throw new Error('the store has lost its count of days with readings: restore a backup');
	return { count: Number(count), latest: Number(latest) };
}
