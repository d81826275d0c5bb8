import { MAX_BYTES, MAX_BYTES_PER_SECOND, MAX_CONNECTIONS, MIN_BYTES_PER_SECOND } from './limits.ts';

// Limits as people write them, on a command line or in a file. Each returns `undefined` for a text that is none.

const UNITS = ['b', 'kb', 'mb', 'gb', 'tb', 'pb'];

/** Bytes, or units of a thousand of them: `2000000000`, `500MB`, `1.5 TB`. A part of a byte is rather a group of digits. */
export function readByteLimit(text: string): number | undefined {
	const [, digits, unit = 'b'] = /^(\d{1,16}(?:\.\d{1,6}(?=\s?[kmgtp]))?)(?:\s?([kmgtp]?b))?$/i.exec(text) ?? [];
	// A product such as 1.1 GB is not exact in binary.
	const value = Math.round(Number(digits) * 1000 ** UNITS.indexOf(unit.toLowerCase()));
	return value >= 1 && value <= MAX_BYTES ? value : undefined;
}

export function readConnectionLimit(text: string): number | undefined {
	const count = Number(text);
	return /^\d{1,7}$/.test(text) && count >= 1 && count <= MAX_CONNECTIONS ? count : undefined;
}

/** Bytes a second, or bits, as bandwidth is sold: `1250000`, `1.25MB`, `10Mbit`. */
export function readSpeed(text: string): number | undefined {
	const [, digits, unit = ''] = /^(\d{1,13}(?:\.\d{1,6})?)\s?([kmg])?bit$/i.exec(text) ?? [];
	const bits = Math.round(Number(digits) * 1000 ** ['', 'k', 'm', 'g'].indexOf(unit.toLowerCase()));
	const value = digits === undefined ? readByteLimit(text) : Math.floor(bits / 8);
	return value !== undefined && value >= MIN_BYTES_PER_SECOND && value <= MAX_BYTES_PER_SECOND ? value : undefined;
}

/** A time with its zone, like `2026-12-31T23:00:00Z`. A day alone says no moment. */
export function readMoment(text: string): Date | undefined {
	const [, date] = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
	const at = new Date(text);
	return date !== undefined && readUtcDay(date) !== undefined && !Number.isNaN(at.getTime()) ? at : undefined;
}

/** The beginning of a UTC day such as `2026-11-21`. `Date` alone takes 31 February for a day in March. */
export function readUtcDay(text: string): Date | undefined {
	if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
	const day = new Date(`${text}T00:00:00Z`);
	return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? day : undefined;
}
