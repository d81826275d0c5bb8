import { csvLine } from '@bursar/contract/csv';
import { visible } from '@bursar/contract/visible';
import { print } from './standard-output.ts';

// The forms in which commands print their results.

export function printJson(value: unknown): void {
	print([JSON.stringify(value)]);
}

/** Prints aligned lines of `name value`. */
export function printRecord(record: Readonly<Record<string, unknown>>): void {
	print(recordLines(record));
}

export function recordLines(record: Readonly<Record<string, unknown>>): string[] {
	const width = Math.max(...Object.keys(record).map((name) => name.length));
	return Object.entries(record).map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}

export interface Column {
	readonly title: string;
	/** Numbers are aligned right. */
	readonly isNumber?: boolean;
}

/** Prints rows of text under the titles of their columns. */
export function printTable(columns: readonly Column[], rows: readonly (readonly string[])[]): void {
	print(tableLines(columns, rows));
}

/** The titles, and the rows below them. Each column is at least as wide as `widths` says, and its width is noted there. */
export function tableLines(
	columns: readonly Column[],
	rows: readonly (readonly string[])[],
	widths: number[] = [],
): string[] {
	const titles = columns.map(({ title }) => title);
	const cells = [titles, ...rows].map((row) => row.map(visible));
	for (const index of columns.keys()) {
		widths[index] = cells.reduce((width, row) => Math.max(width, row[index]?.length ?? 0), widths[index] ?? 0);
	}
	return cells.map((row) => {
		const line = columns.map(({ isNumber }, index) => {
			const [cell, width] = [row[index] ?? '', widths[index] ?? 0];
			return isNumber ? cell.padStart(width) : cell.padEnd(width);
		});
		return line.join('  ').trimEnd();
	});
}

/** Prints CSV. Text that looks like a formula or could steer a terminal is made harmless. */
export function printCsv(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
	print([columns, ...rows].map(csvLine));
}
