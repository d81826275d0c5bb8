const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'] as const;

/**
 * Bytes in the largest unit that fits, with three digits: `0 B`, `999 B`, `1.20 GB`. Units are decimal: 1 kB is 1,000
 * bytes.
 */
export function bytesText(bytes: number): string {
	const { value, unit } = inUnit(bytes);
	return `${unit === 'B' || value >= 100 ? rounded(value) : value.toPrecision(3)} ${unit}`;
}

/** The same without zeros at the end, like `1.2 GB`: for round values. */
export function roundBytesText(bytes: number): string {
	const { value, unit } = inUnit(bytes);
	return `${rounded(value)} ${unit}`;
}

function inUnit(bytes: number): { readonly value: number; readonly unit: string } {
	let value = bytes;
	let place = 0;
	// What would be rounded to 1,000 is 1 of the next unit.
	while (value >= (place === 0 ? 1000 : 999.5) && place < UNITS.length - 1) {
		value /= 1000;
		place++;
	}
	return { value, unit: UNITS[place] ?? '' };
}

function rounded(value: number): string {
	return Number(value.toPrecision(3)).toLocaleString('en-US');
}
