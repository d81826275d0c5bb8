import type { OfferedOption } from '@bursar/contract/dashboard';
import { isProxyOptionName, isProxyOptionValue } from '@bursar/contract/proxy-options';
import { readProxyUrl, writeProxyUrl } from '@bursar/contract/proxy-url';

/** @bound Addresses in `BURSAR_PROXY_URLS`: the service does not start with more. */
const MAX_URLS = 50;
/** @bound Options in `BURSAR_PROXY_OPTIONS`: the service does not start with more. */
const MAX_OPTIONS = 50;
/**
 * Of one option. There are about 250 countries.
 * @bound Values of one option there: the service does not start with more.
 */
const MAX_VALUES = 500;

/** Where clients reach the proxies: URLs with commas between them. Throws if one is none, or has more than host and port. */
export function proxyUrls(text: string): readonly string[] {
	const urls = text.split(',').map((part) => readProxyUrl(part.trim()));
	if (urls.length > MAX_URLS) throw new Error(`it must be at most ${MAX_URLS} URLs`);
	if (!urls.every((url) => url !== undefined)) {
		throw new Error(
			'it must be URLs with commas between them, each of http, https or socks5, with a host and a port and nothing else, like http://proxy.example:3128,socks5://proxy.example:3128',
		);
	}
	return [...new Set(urls.map(writeProxyUrl))];
}

/** Options with commas between them, each a name, or a name and its values, like `country=US|DE,session`. */
export function offeredOptions(text: string): readonly OfferedOption[] {
	const options = text.split(',').map((part, index) => offeredOption(part.trim(), index + 1));
	if (options.length > MAX_OPTIONS) throw new Error(`it must be at most ${MAX_OPTIONS} options`);
	const repeated = repeatedIn(options.map(({ name }) => name));
	if (repeated !== undefined) throw new Error(`the option ${repeated} stands there twice`);
	return options;
}

/** An option as it stands in the setting. */
export function writeOption({ name, values }: OfferedOption): string {
	return values === null ? name : `${name}=${values.join('|')}`;
}

function offeredOption(text: string, position: number): OfferedOption {
	const [name = '', ...rest] = text.split('=');
	if (!isProxyOptionName(name)) {
		throw new Error(
			`option ${position} must begin with its name, of 1 to 32 lowercase letters and digits, the first one a letter, as in country=US|DE,session`,
		);
	}
	if (rest.length === 0) return { name, values: null };
	const values = rest.join('=').split('|');
	if (values.length > MAX_VALUES) throw new Error(`the option ${name} must have at most ${MAX_VALUES} values`);
	if (!values.every(isProxyOptionValue)) {
		throw new Error(
			`the values of ${name} must be of 1 to 64 letters, digits and periods, with | between them, as in country=US|DE`,
		);
	}
	const repeated = repeatedIn(values);
	if (repeated !== undefined) throw new Error(`the option ${name} has the value ${repeated} twice`);
	return { name, values };
}

function repeatedIn(texts: readonly string[]): string | undefined {
	return texts.find((text, index) => texts.indexOf(text) !== index);
}
