import { isProxyOptionName, isProxyOptionValue, type ProxyOptions } from '@bursar/contract/proxy-options';

/**
 * The template of a user or a password for an upstream. It has fields for options of clients: `{country}`, or
 * `{country=any}` with a default. `{options}` stands for all options without a field of their own. Parts in brackets can be
 * left out.
 */
export interface Template {
	/** The options that have a field. */
	readonly names: ReadonlySet<string>;
	/** Whether it says `{options}`. */
	readonly takesOthers: boolean;
	readonly parts: readonly Part[];
}

interface Part {
	readonly pieces: readonly (string | Field)[];
	/** A part in brackets. It is left out if one of its options is absent and has no default. */
	readonly isInBrackets: boolean;
}

interface Field {
	readonly name: string;
	readonly byDefault: string | undefined;
}

export interface Filling {
	readonly options: ProxyOptions;
	/** The text for `{options}`. */
	readonly others: string;
	/** The text for `{session}` if the client asks for none. */
	readonly session: string;
}

const OTHERS = 'options';
const TOKENS = /\{[^{}[\]]*\}|[[\]{}]|[^{}[\]]+/g;

/** Reads a template from a URL, with escapes such as `%40`. Throws an error that shows nothing of it. */
export function parseTemplate(text: string): Template {
	const parts: Part[] = [];
	let pieces: (string | Field)[] = [];
	let isInBrackets = false;

	function endPart(): void {
		if (isInBrackets && !pieces.some(isField)) throw new Error('a part in brackets must have a field, like {session}');
		if (pieces.length > 0) parts.push({ pieces, isInBrackets });
		pieces = [];
	}

	for (const [token] of text.matchAll(TOKENS)) {
		if (token === '[' || token === ']') {
			if (isInBrackets === (token === '[')) throw new Error('brackets must come in pairs, and none within another');
			endPart();
			isInBrackets = token === '[';
		} else if (token.startsWith('{') || token === '}') pieces.push(fieldOf(token));
		else pieces.push(unescaped(token));
	}
	if (isInBrackets) throw new Error('brackets must come in pairs, and none within another');
	endPart();
	const names = new Set(parts.flatMap((part) => part.pieces.filter(isField)).map(({ name }) => name));
	return { names: new Set([...names].filter((name) => name !== OTHERS)), takesOthers: names.has(OTHERS), parts };
}

/** `undefined` if an option is absent that the template needs. */
export function fillTemplate({ parts }: Template, filling: Filling): string | undefined {
	let text = '';
	for (const { pieces, isInBrackets } of parts) {
		let part: string | undefined = '';
		for (const piece of pieces) {
			const value = isField(piece) ? fieldValue(piece, filling, isInBrackets) : piece;
			part = part === undefined || value === undefined ? undefined : part + value;
		}
		if (part === undefined && !isInBrackets) return undefined;
		text += part ?? '';
	}
	return text;
}

/** The least length of the result in bytes. */
export function leastBytes({ parts }: Template): number {
	const texts = parts
		.filter((part) => !part.isInBrackets)
		.flatMap(({ pieces }) => pieces.filter((piece) => !isField(piece)));
	return Buffer.byteLength(texts.join(''));
}

function fieldValue({ name, byDefault }: Field, filling: Filling, isInBrackets: boolean): string | undefined {
	const { options, others, session } = filling;
	if (name === OTHERS) return others === '' && isInBrackets ? undefined : others;
	return options.get(name) ?? byDefault ?? (name === 'session' && !isInBrackets ? session : undefined);
}

function isField(piece: string | Field): piece is Field {
	return typeof piece !== 'string';
}

function fieldOf(token: string): Field {
	const [name = '', byDefault, ...more] = token.slice(1, -1).split('=');
	const isDefault = byDefault === undefined || (name !== OTHERS && isProxyOptionValue(byDefault));
	if (isProxyOptionName(name) && isDefault && more.length === 0) return { name, byDefault };
	throw new Error('a field must be like {country} or {country=any}; outside a field, write %7B and %7D for { and }');
}

function unescaped(text: string): string {
	let plain: string;
	try {
		plain = decodeURIComponent(text);
	} catch {
		throw new Error('a percent sign of the user or the password must be written as %25');
	}
	if (/\p{Cc}/u.test(plain)) throw new Error('the user and the password must have no control characters');
	return plain;
}
