import {
	type Account,
	CREATE_FEE_CENTS,
	type ListedSubUser,
	type SubUserState,
	type UnusableReason,
	USERNAME_RULE,
} from '@bursar/client';
import { printRecord, say, UsageError, usd } from '@bursar/terminal';
import { Command, Option } from 'commander';
import { newUsername, usernameUnlessBulk } from '../arguments.ts';
import { runBulkCommand } from '../bulk/bulk-command.ts';
import { addBulkOptions, type BulkOptions } from '../bulk/bulk-options.ts';
import { createChange, resetKeyChange } from '../bulk/changes.ts';
import { ROW_FIELDS } from '../bulk/run/result-printer.ts';
import { askIfTerminal, askToSpend } from '../consent.ts';
import type { GlobalOptions } from '../global-options.ts';
import { printDone } from '../output/done.ts';
import {
	ACCOUNT_FIELDS,
	AUTH_KEY_FIELDS,
	accountFields,
	authKeyFields,
	CREATION_FIELDS,
	creationFields,
} from '../output/fields.ts';
import { printJson, printsFields } from '../output/json.ts';
import { type ListForm, printList } from '../output/list.ts';
import { LISTED_CSV, LISTED_FIELDS, listedCsvFields, listedFields, usableWords } from '../output/sub-user-terms.ts';
import { feeWords } from '../output/units.ts';
import { openSession } from '../session.ts';
import { addCreateWithCommand } from './create-with.ts';
import { addTermsCommands } from './sub-user-terms.ts';

const STATES: readonly SubUserState[] = ['active', 'suspended', 'expired'];
const REASONS: readonly UnusableReason[] = ['suspended', 'expired', 'exhausted', 'limit_reached'];

interface ListOptions extends GlobalOptions {
	readonly csv?: boolean;
	readonly state?: SubUserState;
	readonly usable?: boolean;
	readonly unusable?: boolean;
	readonly reason?: UnusableReason;
	readonly prefix?: string;
}

/** `bursarctl sub-user ...` */
export function subUserCommand(): Command {
	const subUser = new Command('sub-user')
		.description('create sub-users, look at them, limit, suspend and delete them, and replace their proxy auth keys')
		.addHelpText('after', '\nExample:\n  $ bursarctl sub-user create alice\n');

	const create = subUser
		.command('create')
		.description(`create a sub-user for ${usd(CREATE_FEE_CENTS)} USD; if you own it already, it costs nothing`)
		.argument('[username]', USERNAME_RULE)
		.addHelpText(
			'after',
			'\nExample:\n  $ bursarctl sub-user create alice\n  $ bursarctl sub-user create --all names.txt\n',
		);
	printsFields(create, CREATION_FIELDS, ROW_FIELDS);
	addBulkOptions(create, 'a username a line').action(
		(username: string | undefined, _options: unknown, command: Command) =>
			createSubUser(username, command.optsWithGlobals()),
	);

	addCreateWithCommand(subUser);

	const list = subUser
		.command('list')
		.description('list your sub-users by name')
		.option('--csv', 'print CSV')
		.addOption(new Option('--state <state>', 'only those in this state').choices(STATES))
		.option('--usable', 'only those that the proxies accept')
		.option('--unusable', 'only those that the proxies refuse')
		.addOption(new Option('--reason <reason>', 'only those that the proxies refuse for this reason').choices(REASONS))
		.option('--prefix <text>', 'only those whose names begin with this')
		.addHelpText(
			'after',
			'\nExample:\n  $ bursarctl sub-user list --csv > sub-users.csv\n  $ bursarctl sub-user list --unusable\n',
		)
		.action((_options: unknown, command: Command) => listSubUsers(command.optsWithGlobals()));
	printsFields(list, LISTED_FIELDS);

	const show = subUser
		.command('show')
		.description('show one sub-user with its proxy auth key')
		.argument('<username>')
		.addHelpText('after', '\nExample:\n  $ bursarctl sub-user show alice\n')
		.action((username: string, _options: unknown, command: Command) =>
			showSubUser(username, command.optsWithGlobals()),
		);
	printsFields(show, ACCOUNT_FIELDS);

	const resetKey = subUser
		.command('reset-key')
		.description('replace the proxy auth key of a sub-user; the previous one is retired')
		.argument('[username]')
		.addHelpText('after', '\nExample:\n  $ bursarctl sub-user reset-key alice\n');
	printsFields(resetKey, AUTH_KEY_FIELDS, ROW_FIELDS);
	addBulkOptions(resetKey, 'a username a line').action(
		(username: string | undefined, _options: unknown, command: Command) =>
			resetKeyOf(username, command.optsWithGlobals()),
	);
	addTermsCommands(subUser);
	return subUser;
}

/** Prints one account for people. */
export function printAccount(account: Account): void {
	printRecord(accountRecord(account));
}

function accountRecord({ username, balanceCents, proxyAuthkey, dateCreated }: Account) {
	return {
		Username: username,
		'Balance in USD': usd(balanceCents),
		'Proxy auth key': proxyAuthkey,
		Created: dateCreated.toISOString(),
	};
}

async function createSubUser(given: string | undefined, options: GlobalOptions & BulkOptions): Promise<void> {
	const username = usernameUnlessBulk(given, options.all);
	if (username === undefined) return runBulkCommand(createChange, options);
	newUsername(username);
	const { client, interrupts } = openSession(options);
	await askToSpend(`Create ${username} for ${usd(CREATE_FEE_CENTS)} USD?`, options, interrupts.stop);
	interrupts.changeBegins();
	const creation = await client.subUsers.create(username, { signal: interrupts.stop });
	const fee = feeWords(creation.fee);
	const done = creation.created ? `${username} was created` : `${username} was yours already`;
	const result = { fields: creationFields(creation), record: accountRecord(creation.subUser) };
	await printDone(`${done}, fee paid: ${fee}`, result, options);
	if (!options.json) say(creation.created ? `Created. Fee paid: ${fee}.` : `It was yours already. Fee paid: ${fee}.`);
}

async function listSubUsers(options: ListOptions): Promise<void> {
	const { state, reason, prefix, usable, unusable } = options;
	if (options.csv && options.json) throw new UsageError('give one of --csv and --json');
	if (usable && unusable) throw new UsageError('give one of --usable and --unusable');
	const { client, interrupts } = openSession(options);
	const list = client.subUsers.list({
		...(state && { state }),
		...((usable || unusable) && { isUsable: usable === true }),
		...(reason && { reason }),
		...(prefix && { prefix }),
		signal: interrupts.stop,
	});
	await printList(list, LIST_FORM, options);
}

/** The table has no keys: they are secrets, and a list for people does not need them. */
const LIST_FORM: ListForm<ListedSubUser, ReturnType<typeof listedFields>> = {
	fieldsOf: listedFields,
	csv: LISTED_CSV,
	csvFields: listedCsvFields,
	table: [
		...[{ title: 'USERNAME' }, { title: 'BALANCE USD', isNumber: true }, { title: 'CREATED' }],
		...[{ title: 'STATE' }, { title: 'USABLE' }],
	],
	cells: (row) => [
		...[row.username, usd(row.balance_usd_cents), row.date_created, row.state],
		usableWords(row.usable, row.reason),
	],
};

async function showSubUser(username: string, options: GlobalOptions): Promise<void> {
	const { client, interrupts } = openSession(options);
	const subUser = await client.subUsers.retrieve(username, { signal: interrupts.stop });
	if (options.json) printJson(accountFields(subUser), options.json);
	else printAccount(subUser);
}

async function resetKeyOf(given: string | undefined, options: GlobalOptions & BulkOptions): Promise<void> {
	const username = usernameUnlessBulk(given, options.all);
	if (username === undefined) return runBulkCommand(resetKeyChange, options);
	const { client, interrupts } = openSession(options);
	const question = `Replace the proxy auth key of ${username}? What uses the current key is refused until it has the new one.`;
	await askIfTerminal(question, options, interrupts.stop);
	interrupts.changeBegins();
	const replaced = await client.subUsers.resetAuthKey(username, { signal: interrupts.stop });
	const record = { Username: replaced.username, 'Proxy auth key': replaced.proxyAuthkey };
	const done = `the proxy auth key of ${username} was replaced`;
	await printDone(done, { fields: authKeyFields(replaced), record }, options);
}
