/** Prints a line of the report. */
export function print(line: string): void {
	process.stdout.write(`${line}\n`);
}

/** Noise of the machine changes the median less than the mean. */
export function median(values: readonly number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
