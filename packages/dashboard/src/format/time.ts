import { locale } from '../preferences/language.ts';
import { zoneOption } from '../preferences/time-zone.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const ago = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short', ...zoneOption });
const localDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', ...zoneOption });
const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', ...zoneOption });
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long', ...zoneOption });

/** Like `3 minutes ago`. `at` is the server's time, and so is `nowMs`. */
export function agoText(at: string, nowMs: number): string {
	// About a second is lost on the way: what just happened may seem to lie ahead.
	const seconds = Math.max(0, Math.floor((nowMs - Date.parse(at)) / 1000));
	if (seconds < MINUTE) return ago.format(-seconds, 'second');
	if (seconds < HOUR) return ago.format(-Math.floor(seconds / MINUTE), 'minute');
	if (seconds < DAY) return ago.format(-Math.floor(seconds / HOUR), 'hour');
	return ago.format(-Math.floor(seconds / DAY), 'day');
}

/** Like `in 3 minutes`. What is over is `now`. Both times are the server's. */
export function inText(at: string, nowMs: number): string {
	const seconds = Math.max(0, Math.ceil((Date.parse(at) - nowMs) / 1000));
	if (seconds < MINUTE) return ago.format(seconds, 'second');
	if (seconds < HOUR) return ago.format(Math.round(seconds / MINUTE), 'minute');
	if (seconds < DAY) return ago.format(Math.round(seconds / HOUR), 'hour');
	return ago.format(Math.round(seconds / DAY), 'day');
}

/** Like `22 Nov 2026, 11:20`, in the time zone of the pages. */
export function momentText(at: string): string {
	return moment.format(new Date(at));
}

/** Like `22 Nov 2026, 11:20:00 CET`, in the time zone of the pages. */
export function exactText(at: string): string {
	return exact.format(new Date(at));
}

/** Like `11:20`, in the time zone of the pages. */
export function clockText(at: string): string {
	return clock.format(new Date(at));
}

/** Like `22 Nov`, in the time zone of the pages. */
export function shortLocalDayText(at: string): string {
	return localDay.format(new Date(at));
}
