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

/** One cell with what ends it: quoted, with its quotes doubled, or plain. */
const CELL = /[ \t]*"((?:[^"]|"")*)"[ \t]*(,|$)|([^",]*)(,|$)/y;

/**
 * The cells of a line of CSV as RFC 4180 has it, without spaces around them; `undefined` if a quote is not closed on
 * this line, or stands inside a plain cell.
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
