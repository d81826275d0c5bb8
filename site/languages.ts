// Examples that follow each other, in TypeScript and then in Python, are tabs of one example on the site.

/** The names of the tabs, by the languages of the fences. */
const TABS = { js: 'TypeScript', python: 'Python' };

/** What we use of a token of markdown-it. */
interface Token {
	readonly type: string;
	info: string;
}

/** The tokens of a page, with its pairs of examples as code groups of VitePress. */
export function groupLanguages<T extends Token>(
	tokens: readonly T[],
	newToken: (type: string, nesting: 1 | -1) => T,
): T[] {
	const isExample = (token: T | undefined, language: string) =>
		token?.type === 'fence' && token.info.trim() === language;
	const pairs = new Set(
		tokens.keys().filter((at) => isExample(tokens[at], 'js') && isExample(tokens[at + 1], 'python')),
	);
	return tokens.flatMap((token, index) => {
		if (pairs.has(index)) {
			token.info = `js [${TABS.js}]`;
			return [newToken('container_code-group_open', 1), token];
		}
		if (pairs.has(index - 1)) {
			token.info = `python [${TABS.python}]`;
			return [token, newToken('container_code-group_close', -1)];
		}
		return [token];
	});
}
