import { OPERATOR_SCOPES, type OperatorScope } from '@bursar/contract/scopes';
import { printTable, say } from '@bursar/terminal';
import { Command, InvalidArgumentError, Option } from 'commander';
import { newOperatorToken, newTokenId } from '../../credentials.ts';
import { parseTimestamp } from '../../domain/usage-report.ts';
import { iso, printResult, resultLines } from '../output.ts';
import { refusalError } from '../refusals.ts';
import { inSession } from '../session.ts';
import { assertOutputOpen, printOnce } from '../shown-once.ts';
import { systemUser } from '../system-user.ts';

interface Options {
	readonly json?: boolean;
}

interface CreateOptions extends Options {
	readonly scope: readonly OperatorScope[];
	/** Unix milliseconds. */
	readonly expires: number;
}

const EXAMPLE =
	'\nExample:\n  $ bursar operator-token create billing --scope resellers:read money:write --expires 2027-06-30\n';

const MEANINGS: Readonly<Record<OperatorScope, string>> = {
	'resellers:read': 'read resellers, their balances, statements, tokens and sub-users, without secrets',
	'resellers:write': 'create resellers, which tells their tokens; suspend and resume them; write notes about them',
	'money:write': 'credit resellers, take money back, forgive debts',
	'prices:write': 'set prices and debt lines',
	'tokens:write': 'end all tokens of a reseller, and get a new one, which may do everything that the reseller may',
	'people:write': 'invite, lock and remove people of resellers; an owner may do everything that the reseller may',
	'edges:read': 'read proxy hosts, when they were last seen and how far they have reported',
	'edges:write': 'create and revoke proxy hosts, which tells their links and keys',
	'usage:read': 'read bandwidth',
	'usage:write': 'correct bandwidth',
};

const CREATE_HELP = `
Scopes:
${Object.entries(MEANINGS)
	.map(([scope, meaning]) => `  ${scope.padEnd(16)} ${meaning}`)
	.join('\n')}

A name has 1 to 40 letters, digits, spaces, periods, underscores and hyphens. The end is a UTC day, of which it means the
beginning, or a time with its zone, at most 366 days ahead. The API is on only if BURSAR_OPERATOR_PORT is set. With --json,
it prints {"token": "bro_..."}.
${EXAMPLE}`;

/** `bursar operator-token ...` */
export function operatorTokenCommand(): Command {
	const tokens = new Command('operator-token').description("Make, list and end the tokens of the operator's programs.");
	tokens.addHelpText('after', EXAMPLE);

	tokens
		.command('create')
		.description('make a token for a program, and print it, only this once')
		.argument('<name>', 'what the program is called')
		.addOption(new Option('--scope <scope...>', 'what it may do').choices(OPERATOR_SCOPES).makeOptionMandatory())
		.requiredOption('--expires <date>', 'from when on it is refused', end)
		.addHelpText('after', CREATE_HELP)
		.action((name: string, options: CreateOptions) => createToken(name, options));

	tokens
		.command('list')
		.description('list all tokens: what each may do, who made it, when it ends and when it was last used')
		.addHelpText('after', '\nExample:\n  $ bursar operator-token list --json\n')
		.action((options: Options) => listTokens(options));

	tokens
		.command('end')
		.description('end a token: every process refuses it from now on')
		.argument('<name>', 'name of the token')
		.addHelpText('after', '\nExample:\n  $ bursar operator-token end billing\n')
		.action((name: string, options: Options) => endToken(name, options));
	return tokens;
}

async function createToken(name: string, { scope, expires: endsAtMs, json }: CreateOptions): Promise<void> {
	assertOutputOpen('token');
	const scopes = [...new Set(scope)];
	const { token, ...kept } = newOperatorToken();
	const outcome = await inSession(({ bank }) =>
		bank.changePerson({
			...{ kind: 'create_operator_token', id: newTokenId(), ...kept, madeBy: systemUser() },
			...{ name, scopes, endsAtMs },
		}),
	);
	if (!outcome.ok) throw refusalError(outcome);
	const result = { name, scopes: scopes.join(' '), expires_at: iso(endsAtMs), token };
	await printOnce(resultLines(json ? { token } : result, json), {
		shown: 'token',
		done: `the token ${name} was made`,
		remedy: `: bursar operator-token end '${name}', then bursar operator-token create once more`,
		fields: { name },
	});
	if (!json) say('The token is shown only this once: the store keeps only its hash.');
}

async function listTokens({ json }: Options): Promise<void> {
	const { tokens, nowMs } = await inSession(async ({ store }) => ({
		tokens: await store.listOperatorTokens(),
		nowMs: store.nowMs(),
	}));
	const rows = tokens.map((token) => ({
		name: token.name,
		tail: token.tail,
		state: token.expiresAtMs <= nowMs ? 'expired' : 'active',
		scopes: token.scopes,
		made_by: token.madeBy,
		date_created: iso(token.madeAtMs),
		expires_at: iso(token.expiresAtMs),
		last_used: iso(token.lastUsedAtMs),
	}));
	if (json) return printResult({ tokens: rows }, true);
	printTable(
		[
			...[{ title: 'NAME' }, { title: 'TOKEN' }, { title: 'STATE' }, { title: 'SCOPES' }],
			...[{ title: 'MADE BY' }, { title: 'MADE' }, { title: 'UNTIL' }, { title: 'LAST USED' }],
		],
		rows.map(({ name, tail, state, scopes, made_by, date_created, expires_at, last_used }) => [
			...[name, `...${tail}`, state, scopes.join(' '), made_by],
			...[date_created, expires_at, last_used ?? '-'],
		]),
	);
}

async function endToken(name: string, { json }: Options): Promise<void> {
	const outcome = await inSession(({ bank }) => bank.changePerson({ kind: 'end_operator_token', name }));
	if (!outcome.ok) throw refusalError(outcome);
	printResult({ name, ended: true }, json);
}

/** A UTC day, of which it means the beginning, or a time with its zone. */
function end(text: string): number {
	const atMs = parseTimestamp(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
	if (atMs !== undefined) return atMs;
	throw new InvalidArgumentError(
		'It must be a UTC day, as 2027-06-30, or a time with its zone, as 2027-06-30T22:00:00Z.',
	);
}
