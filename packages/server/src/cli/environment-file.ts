const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Text in quotes. More may follow it without a gap. */
const QUOTED = /[^\S\n]*(?:'([^']*)'|"((?:\\[\s\S]|[^"\\])*)")/y;
/** The rest of a line, which a backslash at its end continues. */
const REST = /(?:\\[\s\S]|[^\\\n])*/y;

/** Reads a file as systemd reads an `EnvironmentFile=`, so that a command and the service have the same settings. */
export function parseEnvironmentFile(text: string): Readonly<Record<string, string>> {
	const values: Record<string, string> = {};
	let at = 0;

	function take(pattern: RegExp): RegExpExecArray | null {
		pattern.lastIndex = at;
		const found = pattern.exec(text);
		if (found) at = pattern.lastIndex;
		return found;
	}

	while (at < text.length) {
		const [start = ''] = take(/[^=\n]*[=\n]?/y) ?? [];
		if (/^\s*[#;]/.test(start)) {
			if (!start.endsWith('\n')) take(/[^\n]*\n?/y);
			continue;
		}
		if (!start.endsWith('=')) continue;
		let value = '';
		for (let part = take(QUOTED); part; part = take(QUOTED)) value += part[1] ?? unescapedInQuotes(part[2] ?? '');
		const [rest = ''] = take(REST) ?? [];
		const name = start.slice(0, -1).trim();
		if (NAME.test(name)) values[name] = value + unescaped(rest.trim());
	}
	return values;
}

function unescapedInQuotes(text: string): string {
	return text.replace(/\\([\s\S])/g, (whole, character: string) => {
		if (character === '\n') return '';
		return '"\\`$'.includes(character) ? character : whole;
	});
}

function unescaped(text: string): string {
	return text.replace(/\\([\s\S])/g, (_, character: string) => (character === '\n' ? '' : character));
}
