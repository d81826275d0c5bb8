import { locale } from '../preferences/language.ts';
import { isUtc, zoneOption } from '../preferences/time-zone.ts';

/** Days in the time zone of the pages, like `2026-05-03`. */
export interface DayRange {
	readonly from?: string | undefined;
	/** The last day, included. */
	readonly to?: string | undefined;
}

/** The time zone of the pages: that of the browser, like `Europe/Berlin`, or UTC if it was chosen. */
export function browserZone(): string {
	return Intl.DateTimeFormat(undefined, zoneOption).resolvedOptions().timeZone;
}

/** Whether the text is a day that exists, like `2026-05-03`. */
export function isDay(text: string): boolean {
	return startOf(text, 0) !== undefined;
}

/** Whether the first day comes after the last one, so that nothing lies between. */
export function isBackwards({ from, to }: DayRange): boolean {
	return from !== undefined && to !== undefined && from > to;
}

/** From the first moment of the first day to the first moment after the last one, as ISO 8601 in UTC. */
export function instantsOf({ from, to }: DayRange): { readonly from?: string; readonly to?: string } {
	const first = from === undefined ? undefined : startOf(from, 0);
	const end = to === undefined ? undefined : startOf(to, 1);
	return { ...(first && { from: first }), ...(end && { to: end }) };
}

/** When a day, or the one that comes so many days after it, begins in the time zone of the pages. */
function startOf(text: string, daysAfter: number): string | undefined {
	const [year = 0, month = 0, date = 0] = /^\d{4}-\d{2}-\d{2}$/.test(text) ? text.split('-').map(Number) : [];
	const day = new Date(Date.UTC(year, month - 1, date));
	// `Date` would read 30 February as 2 March, and the year 20 as 1920.
	const isSame = day.getUTCFullYear() === year && day.getUTCMonth() === month - 1 && day.getUTCDate() === date;
	if (!isSame) return undefined;
	const last = date + daysAfter;
	return (isUtc ? new Date(Date.UTC(year, month - 1, last)) : new Date(year, month - 1, last)).toISOString();
}

const short = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const long = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });

/** A UTC day like `21 Nov`. `date` is its start. */
export function shortDayText(date: string): string {
	return short.format(new Date(date));
}

/** A UTC day like `21 Nov 2026`. `date` is its start. */
export function dayText(date: string): string {
	return long.format(new Date(date));
}
