import type { TokenDetails, TokenScope } from '@bursar/client';
import { RESELLER_SCOPES } from '@bursar/contract/scopes';
import { CommandError } from '@bursar/terminal';
import { Command, Option } from 'commander';
import { askIfTerminal } from '../consent.ts';
import { exitCodes } from '../failure.ts';
import type { GlobalOptions } from '../global-options.ts';
import { endArgument, networksArgument } from '../limit-arguments.ts';
import { printDone } from '../output/done.ts';
import { printsFields } from '../output/json.ts';
import { type ListForm, printList } from '../output/list.ts';
import { CREATED_TOKEN_FIELDS, createdTokenFields, TOKEN_FIELDS, tokenFields } from '../output/tokens.ts';
import { openSession, type Session } from '../session.ts';

interface CreateOptions extends GlobalOptions {
	readonly scope: readonly TokenScope[];
	readonly expires: Date;
	readonly allowedIps?: readonly string[];
}

const CREATE_HELP = `
Scopes:
  read       what tells no key: balance, statement, usage, limits, events
  sub_users  keys and limits; creating sub-users, which spends fees, and deleting them
  money      give and take, and top-ups

A UTC day as 2027-06-30 means its beginning. Every command tells the scope that a token lacks. Commands with --all need
sub_users besides, to see whose token it is.

Example:
  $ bursarctl tokens create shop --scope read money --expires 2027-06-30
`;

/** `bursarctl tokens` */
export function tokensCommand(): Command {
	const tokens = new Command('tokens')
		.description('make and end tokens for programs that shall do less than your own token')
		.addHelpText('after', '\nExample:\n  $ bursarctl tokens create shop --scope read money --expires 2027-06-30\n');

	const create = tokens
		.command('create')
		.description('make a token, and print it, only this once')
		.argument('<name>', '1 to 40 letters, digits, spaces, periods, underscores and hyphens')
		.addOption(new Option('--scope <scope...>', 'what it may do').choices(RESELLER_SCOPES).makeOptionMandatory())
		.requiredOption('--expires <time>', 'from when on it is refused, at most 366 days ahead', endArgument)
		.option(
			'--allowed-ips <list>',
			'from where it may be used: addresses and networks with commas between them (default: anywhere)',
			networksArgument,
		)
		.addHelpText('after', CREATE_HELP)
		.action((name: string, _options: unknown, command: Command) => createToken(name, command.optsWithGlobals()));
	printsFields(create, CREATED_TOKEN_FIELDS);

	const list = tokens
		.command('list')
		.description('list your further tokens, when each ends and when it was last used')
		.addHelpText('after', '\nExample:\n  $ bursarctl tokens list\n')
		.action((_options: unknown, command: Command) => listTokens(command.optsWithGlobals()));
	printsFields(list, TOKEN_FIELDS);

	const end = tokens
		.command('end')
		.description('end a token: it is refused from now on')
		.argument('<token>', 'its name, or its id, as tokens list shows them')
		.addHelpText('after', '\nExample:\n  $ bursarctl tokens end shop\n')
		.action((named: string, _options: unknown, command: Command) => endToken(named, command.optsWithGlobals()));
	printsFields(end, ['id', 'confirmed_by']);
	return tokens;
}

async function createToken(name: string, options: CreateOptions): Promise<void> {
	const { scope: scopes, expires: expiresAt, allowedIps = null } = options;
	const { client, interrupts } = openSession(options);
	interrupts.changeBegins();
	const wanted = { name, scopes: [...new Set(scopes)], expiresAt, allowedIps };
	const created = await client.tokens.create(wanted, { signal: interrupts.stop });
	const { token, details } = created;
	if (token === undefined) {
		const remedy = `end it with bursarctl tokens end ${details.id}, and make another one`;
		const message = `the token ${name} was made, but the answer was lost, and the token with it: ${remedy}`;
		throw new CommandError('token_lost', message, exitCodes.outcomeUnknown, { id: details.id });
	}
	const record = {
		...{ Name: details.name, Id: details.id, Scopes: details.scopes.join(', ') },
		...{ Addresses: addressWords(details.allowedIps), Until: details.expiresAt.toISOString(), Token: token },
	};
	const done = `the token ${name} was made, and can be ended with bursarctl tokens end ${details.id}`;
	await printDone(done, { fields: createdTokenFields(created), record }, options);
}

async function listTokens(options: GlobalOptions): Promise<void> {
	const { client, interrupts } = openSession(options);
	await printList(each(await client.tokens.list({ signal: interrupts.stop })), TOKEN_FORM, options);
}

const TOKEN_FORM: ListForm<TokenDetails, ReturnType<typeof tokenFields>> = {
	fieldsOf: tokenFields,
	csv: [],
	table: [
		...[{ title: 'NAME' }, { title: 'ENDS IN' }, { title: 'SCOPES' }, { title: 'ADDRESSES' }],
		...[{ title: 'UNTIL' }, { title: 'LAST USED' }, { title: 'MADE BY' }, { title: 'ID' }],
	],
	cells: ({ name, tail, scopes, allowed_ips, expires_at, last_used, made_by, id }) => [
		...[name, tail, scopes.join(','), addressWords(allowed_ips)],
		...[expires_at, last_used ?? 'never', made_by, id],
	],
};

function addressWords(allowedIps: readonly string[] | null): string {
	return allowedIps?.join(',') ?? 'any';
}

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
	yield* items;
}

async function endToken(named: string, options: GlobalOptions): Promise<void> {
	const { client, interrupts } = openSession(options);
	const id = await idOf(named, client, interrupts.stop);
	await askIfTerminal(`End the token ${named}? Programs with it are refused at once.`, options, interrupts.stop);
	interrupts.changeBegins();
	const { confirmedBy } = await client.tokens.end(id, { signal: interrupts.stop });
	const fields = { id, confirmed_by: confirmedBy };
	await printDone(`the token ${named} was ended`, { fields, record: { Ended: named } }, options);
}

async function idOf(named: string, client: Session['client'], signal: AbortSignal): Promise<string> {
	if (/^tok_[0-9A-Za-z]{22}$/.test(named)) return named;
	const token = (await client.tokens.list({ signal })).find(({ name }) => name === named);
	if (token) return token.id;
	throw new CommandError('unknown_token', 'you have no further token with that name', exitCodes.unknown);
}
