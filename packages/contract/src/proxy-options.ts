/** The options that a client sends to the proxy, by name, in their order. */
export type ProxyOptions = ReadonlyMap<string, string>;

export interface ProxyPassword {
	/** The proxy auth key. It can be empty. */
	readonly key: string;
	/** `undefined` if the text behind the key is malformed. */
	readonly options: ProxyOptions | undefined;
}

/** @bound Options behind a proxy auth key: more are refused. */
export const MAX_PROXY_OPTIONS = 16;

const NAME = /^[a-z][a-z0-9]{0,31}$/;
/** No character of a value has a meaning in a URL, in a header, or in the list of options. */
const VALUE = /^[0-9A-Za-z.]{1,64}$/;

/**
 * The password that a client of the proxy sends: `KEY`, or `KEY_OPTIONS`. Options are `NAME-VALUE`, joined by `_`, such as
 * `country-US_session-a1b2`: at most 16, and no name twice.
 */
export function readProxyPassword(text: string): ProxyPassword {
	const key = keyInProxyPassword(text);
	return { key, options: key === text ? new Map() : readOptions(text.slice(key.length + 1)) };
}

/** Only the text before the first `_` is the key. */
export function keyInProxyPassword(text: string): string {
	const end = text.indexOf('_');
	return end === -1 ? text : text.slice(0, end);
}

/** The password that `readProxyPassword` reads as these. Throws `RangeError` if there is none. */
export function writeProxyPassword(key: string, options: ProxyOptions): string {
	const text = options.size === 0 ? key : `${key}_${writeProxyOptions(options)}`;
	const read = readProxyPassword(text);
	const isSame = read.key === key && read.options?.size === options.size;
	if (!isSame) throw new RangeError('the key or an option is malformed');
	return text;
}

/** `country-US_session-a1b2`. Empty without options. */
export function writeProxyOptions(options: ProxyOptions): string {
	return Array.from(options, ([name, value]) => `${name}-${value}`).join('_');
}

/** 1 to 32 lowercase letters and digits, the first one a letter. */
export function isProxyOptionName(text: string): boolean {
	return NAME.test(text);
}

/** 1 to 64 letters, digits and periods. */
export function isProxyOptionValue(text: string): boolean {
	return VALUE.test(text);
}

function readOptions(text: string): ProxyOptions | undefined {
	const options = new Map<string, string>();
	for (const option of text.split('_', MAX_PROXY_OPTIONS + 1)) {
		const end = option.indexOf('-');
		const name = option.slice(0, Math.max(0, end));
		const value = option.slice(end + 1);
		if (!isProxyOptionName(name) || !isProxyOptionValue(value) || options.has(name)) return undefined;
		options.set(name, value);
	}
	return options.size > MAX_PROXY_OPTIONS ? undefined : options;
}
