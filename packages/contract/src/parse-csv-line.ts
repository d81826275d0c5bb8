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
