import { print } from './output.ts';

/** Prints CSV as RFC 4180 has it, but for the line ends. */
export function printCsv(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
	for (const row of [columns, ...rows]) print(row.map(csvCell).join(','));
}

function csvCell(value: string | number): string {
	const text = String(value);
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
