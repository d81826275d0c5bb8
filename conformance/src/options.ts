import { readTokenFile, UsageError, usageWords } from '@bursar/terminal';
import { Command, CommanderError } from 'commander';
import { allRules } from './rules/all.ts';
import type { Rule } from './run/rule.ts';
import type { RunOptions } from './run/run.ts';

const DEFAULT_MAX_SPEND_CENTS = 2000;

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
	readonly contract?: boolean;
	readonly lenient?: boolean;
	readonly behindProxy?: boolean;
	readonly slow?: boolean;
	readonly list?: boolean;
	readonly yes?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What the caller wants. */
export type Wanted =
	/** The help was printed. */
	| { readonly kind: 'help' }
	| { readonly kind: 'list'; readonly rules: readonly Rule[]; readonly maxSpendCents: number }
	| {
			readonly kind: 'run';
			readonly options: Omit<RunOptions, 'stop' | 'abandon' | 'say'>;
			/** Whether it need not ask before it spends. */
			readonly isConfirmed: boolean;
	  };

/** Throws a `UsageError` that repeats no possible secret. */
export function readCommandLine(argv: readonly string[], environment: Environment): Wanted {
	const options = parse(argv);
	if (options === undefined) return { kind: 'help' };
	const maxSpendCents = readMaxSpend(options.maxSpendCents ?? '');
	const rules = chooseRules(allRules, options);
	if (options.list) return { kind: 'list', rules, maxSpendCents };
	return {
		kind: 'run',
		isConfirmed: options.yes ?? false,
		options: {
			...readTarget(options, environment),
			rules,
			heldTo: options.contract ? 'contract' : 'bursar',
			maxSpendCents,
			isDirect: !options.behindProxy,
			isPatient: options.slow ?? false,
		},
	};
}

function parse(argv: readonly string[]): RawOptions | undefined {
	try {
		return createCommand().parse(argv).opts<RawOptions>();
	} catch (error) {
		if (!(error instanceof CommanderError)) throw error;
		if (error.exitCode === 0) return undefined;
		throw new UsageError(`${usageWords(error)} (see --help)`);
	}
}

function createCommand(): Command {
	return new Command('conformance')
		.description('Tests a running service against the rules of the reseller API.')
		.option('--url <address>', 'base address of the service (or BURSAR_URL)')
		.option('--token-file <file>', "file with the reseller's token (or BURSAR_TOKEN)")
		.option('--token <token>', 'the token itself; other users of this machine can see it in the list of processes')
		.option('--second-token-file <file>', "file with another reseller's token, for the rules about two resellers")
		.option('--second-token <token>', "the other reseller's token itself")
		.option('--max-spend-cents <cents>', 'the most to spend on fees', String(DEFAULT_MAX_SPEND_CENTS))
		.option('--only <rule...>', 'test only these rules or groups')
		.option('--except <rule...>', 'leave these rules or groups out')
		.option('--contract', "test only the contract's rules, and nothing that Bursar settles beyond it")
		.option('--lenient', 'the service runs with BURSAR_LENIENT=1')
		.option('--behind-proxy', 'skip rules about invalid HTTP, which a proxy in front of the service answers itself')
		.option('--slow', 'also test rules that take a minute or more')
		.option('-y, --yes', 'on a terminal, do not ask before spending')
		.option('--list', 'print the rules and test nothing')
		.helpOption('-h, --help', 'print this help')
		.allowExcessArguments(false)
		.exitOverride()
		.configureOutput({ outputError: () => {} })
		.addHelpText('after', NOTES);
}

const NOTES = `
Give secrets in files or in the environment: the command reads BURSAR_URL and BURSAR_TOKEN.
Nothing else may move the reseller's money during the run: the suite measures fees by the reseller's balance.

Node's own options choose the form of the report: --test-reporter=spec, tap, junit or dot, and with it
--test-reporter-destination=stdout or a file.

Examples:
  $ npm run conformance -- --url http://127.0.0.1:8080 --token-file token.txt
  $ npm run conformance -- --url http://127.0.0.1:8080 --token-file token.txt --contract \\
      --test-reporter=junit --test-reporter-destination=report.xml
`;

/** The rules to test, in their order. A name may also be the name of a group. */
export function chooseRules(all: readonly Rule[], options: RawOptions): Rule[] {
	const { contract = false, lenient = false, only, except = [] } = options;
	for (const name of [...(only ?? []), ...except]) {
		if (!all.some((rule) => isNamed(rule, name)))
			throw new UsageError(`there is no rule or group ${shownName(name)} (see --list)`);
	}
	const wanted = all.filter((rule) => {
		const isWanted = only === undefined || only.some((name) => isNamed(rule, name));
		return isWanted && !except.some((name) => isNamed(rule, name));
	});
	if (wanted.length === 0) throw new UsageError('--only and --except leave no rule to test');
	const based = wanted.filter(({ basis }) => !contract || basis === 'contract');
	if (based.length === 0) throw new UsageError('the rules in --only are not of the contract: leave --contract out');
	const chosen = based.filter(({ mode }) => mode === undefined || (mode === 'lenient') === lenient);
	if (chosen.length > 0) return chosen;
	throw new UsageError(`the rules in --only apply only ${lenient ? 'without' : 'with'} --lenient`);
}

/** A word after `--only` may be a token by mistake, so the message repeats it only if it looks like a name. */
function shownName(name: string): string {
	return /^[a-z]+(?:[-.][a-z]+)*$/.test(name) && name.length <= 40 ? name : 'with that name';
}

function isNamed({ name }: Rule, wanted: string): boolean {
	return name === wanted || name.startsWith(`${wanted}.`);
}

function readMaxSpend(text: string): number {
	const cents = Number(text);
	if (!/^\d+$/.test(text) || !Number.isSafeInteger(cents)) {
		throw new UsageError('--max-spend-cents takes a whole number of cents');
	}
	return cents;
}

/** The service to test and the tokens to use. */
function readTarget(
	options: RawOptions,
	environment: Environment,
): Pick<RunOptions, 'baseUrl' | 'token' | 'secondToken'> {
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
