/** Prints a line of the report. */
export function print(line: string): void {
	process.stdout.write(`${line}\n`);
}

/** The middle one: a noisy moment of the machine moves it less than it moves the mean. */
export function median(values: readonly number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
