/** Days in the time zone of the browser, like `2026-05-03`. */
export interface DayRange {
	readonly from?: string | undefined;
	/** The last day, included. */
	readonly to?: string | undefined;
}

/** The time zone of the browser, like `Europe/Berlin`. */
export function browserZone(): string {
	return Intl.DateTimeFormat().resolvedOptions().timeZone;
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

/** When a day, or the one that comes so many days after it, begins in the time zone of the browser. */
function startOf(day: string, daysAfter: number): string | undefined {
	const [year = 0, month = 0, date = 0] = /^\d{4}-\d{2}-\d{2}$/.test(day) ? day.split('-').map(Number) : [];
	const start = new Date(year, month - 1, date);
	// `Date` would read 30 February as 2 March.
	const isSame = start.getFullYear() === year && start.getMonth() === month - 1 && start.getDate() === date;
	return isSame ? new Date(year, month - 1, date + daysAfter).toISOString() : undefined;
}

const short = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const long = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** A UTC day like `21 Nov`. `date` is its start. */
export function shortDayText(date: string): string {
	return short.format(new Date(date));
}

/** A UTC day like `21 Nov 2026`. `date` is its start. */
export function dayText(date: string): string {
	return long.format(new Date(date));
}
