import { readTokenFile, UsageError } from '@bursar/terminal';
import type { Rule } from './rule.ts';

/** The options as commander reads them. */
export interface RawOptions {
	readonly url?: string;
	readonly token?: string;
	readonly tokenFile?: string;
	readonly secondToken?: string;
	readonly secondTokenFile?: string;
	readonly maxSpendCents?: string;
	readonly only?: readonly string[];
	readonly except?: readonly string[];
	readonly junit?: string;
	readonly json?: boolean;
	readonly list?: boolean;
	readonly lenient?: boolean;
	readonly behindProxy?: boolean;
	readonly slow?: boolean;
}

export interface Target {
	readonly baseUrl: URL;
	readonly token: string;
	readonly secondToken: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The service to test and the tokens to use. Throws a `UsageError` that repeats no possible secret. */
export function readTarget(options: RawOptions, environment: Environment): Target {
	const secondGiven = oneOf('--second-token', options.secondToken, '--second-token-file', options.secondTokenFile);
	const given = oneOf('--token', options.token, '--token-file', options.tokenFile) ?? environment.BURSAR_TOKEN;
	const url = options.url ?? environment.BURSAR_URL;
	if (url === undefined) throw new UsageError('the base address is missing: give --url or BURSAR_URL');
	if (given === undefined) throw new UsageError('the token is missing: give --token-file, BURSAR_TOKEN or --token');
	return {
		baseUrl: readUrl(url),
		token: checkToken(given, 'the token'),
		secondToken: secondGiven === undefined ? undefined : checkToken(secondGiven, 'the second token'),
	};
}

/** The rules to test, in their order. A name may also be the name of a group. */
export function chooseRules(all: readonly Rule[], { lenient = false, only, except = [] }: RawOptions): Rule[] {
	for (const name of [...(only ?? []), ...except]) {
		if (!all.some((rule) => isNamed(rule, name)))
			throw new UsageError(`there is no rule or group ${shownName(name)} (see --list)`);
	}
	const wanted = all.filter((rule) => {
		const isWanted = only === undefined || only.some((name) => isNamed(rule, name));
		return isWanted && !except.some((name) => isNamed(rule, name));
	});
	const chosen = wanted.filter(({ mode }) => mode === undefined || (mode === 'lenient') === lenient);
	if (chosen.length > 0) return chosen;
	if (wanted.length === 0) throw new UsageError('--only and --except leave no rule to test');
	throw new UsageError(`the rules in --only apply only ${lenient ? 'without' : 'with'} --lenient`);
}

/** A word after `--only` may be a token by mistake, so the message repeats it only if it looks like a name. */
function shownName(name: string): string {
	return /^[a-z]+(?:[-.][a-z]+)*$/.test(name) && name.length <= 40 ? name : 'with that name';
}

export function readMaxSpend(text: string): number {
	const cents = Number(text);
	if (!/^\d+$/.test(text) || !Number.isSafeInteger(cents)) {
		throw new UsageError('--max-spend-cents takes a whole number of cents');
	}
	return cents;
}

function isNamed({ name }: Rule, wanted: string): boolean {
	return name === wanted || name.startsWith(`${wanted}.`);
}

function readUrl(text: string): URL {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
		throw new UsageError('the base address must be a URL that begins with http:// or https://');
	}
	if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
		throw new UsageError('the base address must have no user, password, query or fragment');
	}
	return url;
}

/** The value, or the text of the file without the white space around it. */
function oneOf(
	name: string,
	value: string | undefined,
	fileName: string,
	file: string | undefined,
): string | undefined {
	if (value !== undefined && file !== undefined) throw new UsageError(`give ${name} or ${fileName}, not both`);
	if (file === undefined) return value;
	try {
		// A file without a token is refused like an empty token.
		return readTokenFile(file) ?? '';
	} catch (error) {
		throw new UsageError(`the file in ${fileName} cannot be read (${(error as NodeJS.ErrnoException).code})`);
	}
}

/** A little more than RFC 6750, section 2.1: any word that a header can carry. */
function checkToken(token: string, what: string): string {
	if (!/^[!-~]+$/.test(token)) throw new UsageError(`${what} must be one word of visible ASCII characters`);
	return token;
}
