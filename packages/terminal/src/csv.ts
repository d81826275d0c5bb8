import { visible } from './visible.ts';

/**
 * A line of CSV as RFC 4180 has it, without its end. Text comes from outside: if it begins as a formula does, an
 * apostrophe before it has a spreadsheet show it. Numbers stay as they are.
 */
export function csvLine(cells: readonly (string | number)[]): string {
	return cells.map(csvCell).join(',');
}

function csvCell(value: string | number): string {
	if (typeof value === 'number') return String(value);
	const text = visible(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value);
	return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
