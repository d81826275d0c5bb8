import { parse } from 'secure-json-parse';

/**
 * Parses a JSON object. Returns `undefined` if the text is not JSON or not an object, has a `__proto__` key, or has a
 * key twice in one object. Parsers disagree on which of two equal keys counts, so a proxy that checked the request
 * might have seen another amount.
 */
export function parseJsonObject(text: string): Record<string, unknown> | undefined {
	let value: unknown;
	try {
		value = parse(text, { protoAction: 'error', constructorAction: 'ignore' });
	} catch {
		return undefined;
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
	return hasDuplicateKey(text) ? undefined : (value as Record<string, unknown>);
}

/** Whether an object in the text, which must be valid JSON, has a key twice. One pass, without recursion. */
function hasDuplicateKey(text: string): boolean {
	// The keys of each open object, the innermost last; `undefined` for an array.
	const open: (Set<string> | undefined)[] = [];
	let isKeyNext = false;
	for (let at = 0; at < text.length; at++) {
		switch (text[at]) {
			case '{':
				open.push(new Set());
				isKeyNext = true;
				break;
			case '[':
				open.push(undefined);
				isKeyNext = false;
				break;
			case '}':
			case ']':
				open.pop();
				isKeyNext = false;
				break;
			case ',':
				isKeyNext = open.at(-1) !== undefined;
				break;
			case '"': {
				const end = endOfString(text, at);
				if (isKeyNext) {
					const keys = open.at(-1) as Set<string>;
					const key = JSON.parse(text.slice(at, end + 1)) as string;
					if (keys.has(key)) return true;
					keys.add(key);
					isKeyNext = false;
				}
				at = end;
				break;
			}
		}
	}
	return false;
}

/** The index of the quote that ends the string that begins at `start`. */
function endOfString(text: string, start: number): number {
	let at = start + 1;
	while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
	return at;
}
