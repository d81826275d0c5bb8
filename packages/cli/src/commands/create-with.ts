import { CREATE_FEE_CENTS } from '@bursar/client';
import { UsageError, usd } from '@bursar/terminal';
import type { Command } from 'commander';
import { amountArgument, newUsername, referenceArgument, usernameUnlessBulk } from '../arguments.ts';
import { runBulkCommand } from '../bulk/bulk-command.ts';
import { addBulkOptions, type BulkOptions } from '../bulk/bulk-options.ts';
import { createWithChange } from '../bulk/create-with-change.ts';
import { ROW_FIELDS } from '../bulk/run/result-printer.ts';
import { askToSpend } from '../consent.ts';
import type { GlobalOptions } from '../global-options.ts';
import { addLimitOptions, type LimitOptions, limitsIn } from '../limit-arguments.ts';
import { printDone } from '../output/done.ts';
import { printsFields } from '../output/json.ts';
import { CREATION_WITH_FIELDS, creationWithFields, limitWords } from '../output/sub-user-terms.ts';
import { feeWords } from '../output/units.ts';
import { openSession } from '../session.ts';

interface Options extends GlobalOptions, BulkOptions, LimitOptions {
	/** USD cents. */
	readonly balance?: number;
	readonly reference?: string;
	readonly note?: string;
}

/** `bursarctl sub-user create-with` */
export function addCreateWithCommand(subUser: Command): void {
	const create = subUser
		.command('create-with')
		.description(`create a sub-user with balance, limits and note, all or nothing, for ${usd(CREATE_FEE_CENTS)} USD`)
		.argument('[username]')
		.option('--balance <usd>', 'what it is given of your balance, in US dollars', amountArgument)
		.option('--reference <text>', 'what the balance is for, like an order; the statement finds it', referenceArgument)
		.option('--note <text>', 'one line of at most 200 characters, for people')
		.addHelpText(
			'after',
			`\nExample:
  $ bursarctl sub-user create-with alice --balance 25.00 --total-bytes 10GB --note "order 1042"
  $ bursarctl sub-user create-with --all customers.csv\n`,
		);
	addLimitOptions(printsFields(create, CREATION_WITH_FIELDS, ROW_FIELDS));
	addBulkOptions(create, 'below a heading, username and what it has').action(
		(username: string | undefined, _options: unknown, command: Command) =>
			createWith(username, command.optsWithGlobals()),
	);
}

async function createWith(given: string | undefined, options: Options): Promise<void> {
	const named = usernameUnlessBulk(given, options.all);
	if (named === undefined) return createAllWith(options);
	const username = newUsername(named);
	const { balance: amountCents, note, reference } = options;
	const { client, interrupts } = openSession(options);
	const gift = amountCents === undefined ? '' : `, and give it ${usd(amountCents)} USD of your balance`;
	await askToSpend(`Create ${username} for ${usd(CREATE_FEE_CENTS)} USD${gift}?`, options, interrupts.stop);
	interrupts.changeBegins();
	const terms = { amountCents, limits: limitsIn(options), note };
	const creation = await client.subUsers.createWith(username, terms, {
		signal: interrupts.stop,
		...(reference !== undefined && { reference }),
	});
	const { subUser, limits } = creation;
	const record = {
		Username: subUser.username,
		'Balance in USD': usd(subUser.balanceCents),
		'Proxy auth key': subUser.proxyAuthkey,
		Created: subUser.dateCreated.toISOString(),
		Limits: limitWords(limits),
		...(creation.note !== '' && { Note: creation.note }),
		'Fee paid': feeWords(creation.fee),
	};
	await printDone(`${username} was created`, { fields: creationWithFields(creation), record }, options);
}

/** What each sub-user has stands in the file. */
async function createAllWith(options: Options): Promise<void> {
	const { balance, reference, note } = options;
	if ((balance ?? reference ?? note) !== undefined || Object.keys(limitsIn(options)).length > 0) {
		throw new UsageError('with --all, the file says what each sub-user has: leave out the options for that');
	}
	await runBulkCommand(createWithChange, options);
}
