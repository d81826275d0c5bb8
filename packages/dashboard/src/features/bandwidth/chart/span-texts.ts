import { dayText, shortDayText } from '../../../format/days.ts';
import { clockText, momentText, shortLocalDayText } from '../../../format/time.ts';

export type Unit = 'hour' | 'day';

/** So many hours are told apart by the clock; more of them by their day. */
const HOURS_BY_CLOCK = 48;

/** An hour in the time zone of the pages, or a UTC day. `at` is its start. */
export function spanText(at: string, unit: Unit): string {
	return unit === 'day' ? dayText(at) : momentText(at);
}

/** The same, as short as it stands below a chart of so many spans. */
export function shortSpanText(at: string, unit: Unit, count: number): string {
	if (unit === 'day') return shortDayText(at);
	return count <= HOURS_BY_CLOCK ? clockText(at) : shortLocalDayText(at);
}
