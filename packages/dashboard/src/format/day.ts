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
