/** The median of ratios, and the range of eight tenths of them. */
export interface Spread {
	readonly median: number;
	readonly low: number;
	readonly high: number;
}

/** Noise of the machine changes the median less than the mean. */
export function median(values: readonly number[]): number {
	return quantile(values, 0.5);
}

/** The value below which that part of the values lies. */
export function quantile(values: readonly number[], part: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN;
}

export function spreadOf(ratios: readonly number[]): Spread {
	return { median: median(ratios), low: quantile(ratios, 0.1), high: quantile(ratios, 0.9) };
}
