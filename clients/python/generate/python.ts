const WIDTH = 120;

/** `viewSubUser` and `ViewSubUser` become `view_sub_user`. */
export function snakeCase(name: string): string {
	return name.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/** A text or a number as Python writes it. */
export function literal(value: unknown): string {
	if (typeof value !== 'string' && !Number.isSafeInteger(value))
		throw new Error(`No literal: ${JSON.stringify(value)}`);
	return JSON.stringify(value);
}

/** A call, a list or a type with parts in brackets: on one line if they fit, otherwise each on its own. */
export function bracketed(before: string, open: string, parts: readonly string[], close: string, indent = ''): string {
	const line = `${indent}${before}${open}${parts.join(', ')}${close}`;
	if (line.length <= WIDTH && !line.includes('\n')) return line;
	return `${indent}${before}${open}\n${parts.map((part) => `${indent}    ${part},\n`).join('')}${indent}${close}`;
}

/** A docstring, on several lines if it is long. */
export function docstring(text: string, indent: string): string {
	if (/["\\]/.test(text)) throw new Error(`A docstring cannot hold this text: ${text}`);
	const line = `${indent}"""${text}"""`;
	if (line.length <= WIDTH) return line;
	return `${indent}"""\n${wrapped(text, WIDTH - indent.length)
		.map((part) => `${indent}${part}\n`)
		.join('')}${indent}"""`;
}

function wrapped(text: string, width: number): readonly string[] {
	return text.split(' ').reduce<string[]>((lines, word) => {
		const last = lines.at(-1);
		if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
		else lines[lines.length - 1] = `${last} ${word}`;
		return lines;
	}, []);
}

/**
 * A pattern that matches a whole text, for `fullmatch`. Without its anchors, because `$` of Python also matches before a
 * last line break.
 */
export function fullMatch({ source, flags }: RegExp): string {
	const inner = /^\^(.*)\$$/.exec(source)?.[1];
	const means = inner !== undefined && flags === '' && !/[\\|"]|\(\?[^:]|(?<!\[)\^|\$/.test(inner);
	if (!means) throw new Error(`A pattern may mean something else in Python: /${source}/${flags}`);
	return `re.compile(r"${inner}", re.ASCII)`;
}
