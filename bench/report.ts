import type { Spread } from './spread.ts';
import type { Comparison } from './turns.ts';

/** Prints a line of the report. */
export function print(line: string): void {
	process.stdout.write(`${line}\n`);
}

/** Says what is being prepared. It is no part of the report. */
export function tell(line: string): void {
	process.stderr.write(`${line}\n`);
}

export function printRow(cells: readonly (string | number)[]): void {
	print(`| ${cells.join(' | ')} |`);
}

/** Begins a table of comparisons. */
export function printHeader(): void {
	printRow(['what', 'reference', 'its rate', 'rate', 'ratio', 'range', 'its us', 'us', 'ratio', 'range']);
	print('|---|---|---:|---:|---:|---|---:|---:|---:|---|');
}

export function printComparison(what: string, { reference, rates, times }: Comparison): void {
	const range = ({ low, high }: Spread) => `${low.toFixed(2)} to ${high.toFixed(2)}`;
	printRow([
		...[what, reference],
		...[rates.reference.toFixed(0), rates.ours.toFixed(0), rates.ratio.median.toFixed(2), range(rates.ratio)],
		...[times.reference.toFixed(1), times.ours.toFixed(1), times.ratio.median.toFixed(2), range(times.ratio)],
	]);
}
