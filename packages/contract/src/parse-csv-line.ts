/** What separates the cells of a line. */
export type Separator = ',' | ';' | '\t';

/** One cell with its separator: quoted, with doubled quotes inside, or plain. */
const CELLS: Readonly<Record<Separator, RegExp>> = {
	',': /[ \t]*"((?:[^"]|"")*)"[ \t]*(,|$)|([^",]*)(,|$)/y,
	';': /[ \t]*"((?:[^"]|"")*)"[ \t]*(;|$)|([^";]*)(;|$)/y,
	'\t': / *"((?:[^"]|"")*)" *(\t|$)|([^"\t]*)(\t|$)/y,
};

/**
 * The trimmed cells of a line of CSV (RFC 4180); `undefined` if a quote is not closed on this line, or is inside a
 * plain cell.
 */
export function parseCsvLine(line: string, separator: Separator = ','): string[] | undefined {
	const cells: string[] = [];
	const cell = CELLS[separator];
	cell.lastIndex = 0;
	for (;;) {
		const match = cell.exec(line);
		if (match === null) return undefined;
		const [, quoted, quotedEnd, plain = '', plainEnd] = match;
		cells.push((quoted === undefined ? plain : quoted.replaceAll('""', '"')).trim());
		if ((quotedEnd ?? plainEnd) === '') return cells;
	}
}

/**
 * What separates the cells of a file that begins with this line: a semicolon or a tab, as spreadsheets of some countries write
 * them, or a comma. A tab beside another separator is only a space.
 */
export function separatorOf(line: string): Separator {
	const plain = line.replace(/"(?:[^"]|"")*"/g, 'q');
	if (/[^\s,;]\t/.test(plain)) return '\t';
	return plain.includes(';') ? ';' : ',';
}
