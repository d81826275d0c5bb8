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

/**
 * The moment of a day and a time like `23:00` or `23:00:05` in the time zone of the pages, as ISO 8601 in UTC. Without a time,
 * the end of the day. `undefined` if there is no such time.
 */
export function momentAt(day: string, time: string): string | undefined {
	if (time === '') return startOf(day, 1);
	const start = startOf(day, 0);
	const [, hours, minutes, seconds = '0'] = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(time) ?? [];
	if (start === undefined || hours === undefined) return undefined;
	const at = new Date(start);
	// Not added to the start: some days have 23 or 25 hours.
	if (isUtc) at.setUTCHours(Number(hours), Number(minutes), Number(seconds));
	else at.setHours(Number(hours), Number(minutes), Number(seconds));
	return at.toISOString();
}

/** A moment as `momentAt` takes it. */
export function dayAndTimeOf(at: string): { readonly day: string; readonly time: string } {
	const date = new Date(at);
	const shifted = new Date(date.getTime() - (isUtc ? 0 : date.getTimezoneOffset() * MINUTE_MS)).toISOString();
	return { day: shifted.slice(0, 10), time: shifted.slice(11, 19) };
}

const MINUTE_MS = 60_000;

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
