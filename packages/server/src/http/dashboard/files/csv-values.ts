/** A time in a file: in UTC, and also as the reader's clocks show it if their time zone is another one. */
export interface TimeColumns {
	readonly names: readonly string[];
	/** The values for Unix milliseconds. */
	readonly values: (ms: number) => readonly string[];
}

export function timeColumns(name: string, zone: string): TimeColumns {
	const zones = zone === 'UTC' ? ['UTC'] : ['UTC', zone];
	const times = zones.map(timesIn);
	return { names: zones.map((each) => `${name} (${each})`), values: (ms) => times.map((timeIn) => timeIn(ms)) };
}

/** Writes Unix milliseconds as the clocks of a time zone show them, in the form that spreadsheets read as a time. */
function timesIn(zone: string): (ms: number) => string {
	const two = '2-digit';
	const format = new Intl.DateTimeFormat('sv-SE', {
		timeZone: zone,
		year: 'numeric',
		month: two,
		day: two,
		hour: two,
		minute: two,
		second: two,
		hourCycle: 'h23',
	});
	return (ms) => format.format(ms);
}

/** The UTC day of Unix milliseconds, like `2026-11-22`. */
export function dayOf(ms: number): string {
	return new Date(ms).toISOString().slice(0, 10);
}
