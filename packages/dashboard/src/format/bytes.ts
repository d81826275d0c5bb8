import { locale } from '../preferences/language.ts';
import { numberText } from './number.ts';

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'] as const;
const threeDigits = new Intl.NumberFormat(locale, { minimumSignificantDigits: 3, maximumSignificantDigits: 3 });

/**
 * Bytes in the largest unit that fits, with three digits: `0 B`, `999 B`, `1.20 GB`. Units are decimal: 1 kB is 1,000
 * bytes.
 */
export function bytesText(bytes: number): string {
	const { value, unit } = inUnit(bytes);
	return `${unit === 'B' || value >= 100 ? rounded(value) : threeDigits.format(value)} ${unit}`;
}

/** How a number of bytes was changed, like `+1.20 GB`. */
export function bytesChangeText(bytes: number): string {
	if (bytes === 0) return bytesText(0);
	return `${bytes > 0 ? '+' : '−'}${bytesText(Math.abs(bytes))}`;
}

/** Like `bytesText`, and with a minus below zero, as what corrections have left may be. */
export function signedBytesText(bytes: number): string {
	return bytes < 0 ? bytesChangeText(bytes) : bytesText(bytes);
}

/** Like `bytesText`, without zeros at the end, like `1.2 GB`: for round values. */
export function roundBytesText(bytes: number): string {
	const { value, unit } = inUnit(bytes);
	return `${rounded(value)} ${unit}`;
}

function inUnit(bytes: number): { readonly value: number; readonly unit: string } {
	let value = bytes;
	let power = 0;
	// What would be rounded to 1,000 is 1 of the next unit.
	while (value >= (power === 0 ? 1000 : 999.5) && power < UNITS.length - 1) {
		value /= 1000;
		power++;
	}
	return { value, unit: UNITS[power] ?? '' };
}

function rounded(value: number): string {
	return numberText(Number(value.toPrecision(3)));
}
