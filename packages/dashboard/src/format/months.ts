import { locale } from '../preferences/language.ts';
import { isUtc } from '../preferences/time-zone.ts';
import type { DayRange } from './days.ts';

const long = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** The month of a time in the time zone of the pages, like `2026-05`. `ms` is in Unix milliseconds. */
export function monthOf(ms: number): string {
	const date = new Date(ms);
	return isUtc ? monthAt(date.getUTCFullYear(), date.getUTCMonth()) : monthAt(date.getFullYear(), date.getMonth());
}

/** Whether the text is a month, like `2026-05`. */
export function isMonth(text: string): boolean {
	return /^\d{4}-(0[1-9]|1[0-2])$/.test(text);
}

/** The month that comes so many months after another one; below zero, before it. */
export function monthAfter(month: string, count: number): string {
	const { year, index } = partsOf(month);
	return monthAt(year, index + count);
}

/** All days of a month. */
export function daysOfMonth(month: string): Required<DayRange> {
	const { year, index } = partsOf(month);
	const last = new Date(Date.UTC(year, index + 1, 0)).getUTCDate();
	return { from: `${month}-01`, to: `${month}-${last}` };
}

/** Like `May 2026`. */
export function monthText(month: string): string {
	return long.format(new Date(`${month}-01T00:00:00Z`));
}

/** Months before January and after December are those of other years. */
function monthAt(year: number, index: number): string {
	return new Date(Date.UTC(year, index)).toISOString().slice(0, 7);
}

function partsOf(month: string): { readonly year: number; readonly index: number } {
	const [year = 0, number = 1] = month.split('-').map(Number);
	return { year, index: number - 1 };
}
