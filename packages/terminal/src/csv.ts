import { visible } from './visible.ts';

/**
 * A line of CSV (RFC 4180), without its line end. Text comes from outside: if it begins like a formula, it gets an
 * apostrophe, so that a spreadsheet shows it and does not run it. Numbers stay as they are.
 */
export function csvLine(cells: readonly (string | number)[]): string {
	return cells.map(csvCell).join(',');
}

function csvCell(value: string | number): string {
	if (typeof value === 'number') return String(value);
	const text = visible(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value);
	return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One cell with its separator: quoted, with doubled quotes inside, or plain. */
const CELL = /[ \t]*"((?:[^"]|"")*)"[ \t]*(,|$)|([^",]*)(,|$)/y;

/**
 * The trimmed cells of a line of CSV (RFC 4180); `undefined` if a quote is not closed on this line, or is inside a
 * plain cell.
 */
export function parseCsvLine(line: string): string[] | undefined {
	const cells: string[] = [];
	CELL.lastIndex = 0;
	for (;;) {
		const match = CELL.exec(line);
		if (match === null) return undefined;
		const [, quoted, quotedEnd, plain = '', plainEnd] = match;
		cells.push((quoted === undefined ? plain : quoted.replaceAll('""', '"')).trim());
		if ((quotedEnd ?? plainEnd) === '') return cells;
	}
}
