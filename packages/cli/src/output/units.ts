import type { FeeRange } from '@bursar/client';
import { usd } from '@bursar/terminal';

/** `0.10 USD`, or `0.00 to 0.10 USD` if the exact fee is not known. */
export function feeWords({ minCents, maxCents }: FeeRange): string {
	return minCents === maxCents ? `${usd(minCents)} USD` : `${usd(minCents)} to ${usd(maxCents)} USD`;
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** Bytes with three digits, in powers of a thousand, as bandwidth is sold: `1.23 GB`. */
export function byteWords(bytes: number): string {
	let value = bytes;
	let unit = 0;
	// A value that would round to 1000 is 1 of the next unit.
	while (value >= 999.5 && unit < BYTE_UNITS.length - 1) {
		value /= 1000;
		unit++;
	}
	return `${unit === 0 ? value : threeDigits(value)} ${BYTE_UNITS[unit]}`;
}

function threeDigits(value: number): string {
	if (value < 9.995) return value.toFixed(2);
	return value.toFixed(value < 99.95 ? 1 : 0);
}

/** As bandwidth is sold: `10 Mbit/s`. */
export function speedWords(bytesPerSecond: number): string {
	return `${(bytesPerSecond * 8) / 1e6} Mbit/s`;
}

/** The UTC day: `2026-11-21`. */
export function dayWords(day: Date): string {
	return day.toISOString().slice(0, 10);
}

/** `1 line`, `2 lines`. */
export function counted(count: number, noun: string): string {
	return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
