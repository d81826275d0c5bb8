/** The tokens of Python that matter: strings, comments, names, white space, and all else, one by one. */
const TOKEN =
	/(?:[rbuf]{0,2})(?:"""(?:[^\\]|\\[\s\S])*?"""|'''(?:[^\\]|\\[\s\S])*?'''|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*')|#.*|[A-Za-z_]\w*|[ \t]+|[\s\S]/gi;

/** Names that have another one in the blocking form. Those that begin with `Async` lose it. */
const NAMES: Readonly<Record<string, string>> = {
	__aenter__: '__enter__',
	__aexit__: '__exit__',
	__aiter__: '__iter__',
	__anext__: '__next__',
	StopAsyncIteration: 'StopIteration',
	asynccontextmanager: 'contextmanager',
	aclose: 'close',
	aiter: 'iter',
	aiter_bytes: 'iter_bytes',
	aiter_raw: 'iter_raw',
	anext: 'next',
	aread: 'read',
	_async: '_sync',
};

const LEFT_OVER = new Set(['async', 'await', 'asyncio', 'Awaitable', 'Coroutine']);

/** The blocking form of a module that waits. */
export function blockingModule(source: string, file: string): string {
	const text = blockingTokens(tokensOf(source))
		.join('')
		.replace(/^from collections\.abc import ([\w, ]+)\n/gm, (_, names: string) => {
			const kept = new Set(names.split(', ').filter((name) => name !== 'Awaitable'));
			return kept.size === 0 ? '' : `from collections.abc import ${[...kept].toSorted().join(', ')}\n`;
		});
	for (const token of tokensOf(text)) {
		const hidden = /^r?f.*\{[^}]*\bawait\b/is.test(token);
		if (LEFT_OVER.has(token) || hidden) throw new Error(`_async/${file} has no blocking form, because of ${token}.`);
	}
	return text;
}

function tokensOf(source: string): readonly string[] {
	return source.match(TOKEN) ?? [];
}

function blockingTokens(tokens: readonly string[]): readonly string[] {
	const written: string[] = [];
	for (let index = 0; index < tokens.length; index += 1) {
		const token = tokens[index] as string;
		const next = tokens[index + 2];
		if (token === 'await' || (token === 'async' && next !== undefined && /^(?:def|with|for)$/.test(next))) {
			// The space behind it goes too.
			index += 1;
		} else if (token === 'Awaitable' && tokens[index + 1] === '[') {
			const end = closing(tokens, index + 1);
			written.push(...blockingTokens(tokens.slice(index + 2, end)));
			index = end;
		} else if (token === 'AsyncGenerator' && tokens[index + 1] === '[') {
			const end = closing(tokens, index + 1);
			written.push('Generator', '[', ...blockingTokens(tokens.slice(index + 2, end)), ', None]');
			index = end;
		} else if (isDocstring(tokens, index) || token.startsWith('#')) {
			written.push(inWords(token));
		} else written.push(/^["'](Async\w+)["']$/.test(token) ? `"${renamed(token.slice(1, -1))}"` : renamed(token));
	}
	return written;
}

/** The index of the bracket that closes the one at this index. */
function closing(tokens: readonly string[], index: number): number {
	let depth = 0;
	for (let at = index; at < tokens.length; at += 1) {
		if (tokens[at] === '[') depth += 1;
		if (tokens[at] === ']') depth -= 1;
		if (depth === 0) return at;
	}
	throw new Error('A bracket is not closed.');
}

function isDocstring(tokens: readonly string[], index: number): boolean {
	const before = tokens[index - 1] ?? '\n';
	const startsLine = before === '\n' || (/^[ \t]+$/.test(before) && (tokens[index - 2] ?? '\n') === '\n');
	return startsLine && /^(?:"""|''')/.test(tokens[index] as string);
}

/** Text for people, with code in it. */
function inWords(text: string): string {
	return text.replace(/\basync (?=def|with|for)|\bawait /g, '').replace(/\w+/g, renamed);
}

function renamed(name: string): string {
	return NAMES[name] ?? name.replace(/^(_*)Async(?=[A-Z])/, '$1');
}
