/** Quotes a text for a POSIX shell, if it needs quotes. */
export function quoteForShell(text: string): string {
	return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A string literal that JavaScript, Python and Go read alike. */
export function stringLiteral(text: string): string {
	return JSON.stringify(text);
}
