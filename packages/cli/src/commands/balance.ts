import type { TransferOptions } from '@bursar/client';
import { AMOUNT_HEADING, REFERENCE_HEADING, USERNAME_HEADING } from '@bursar/contract/bulk';
import { UsageError, usd } from '@bursar/terminal';
import { Command } from 'commander';
import { amountArgument, referenceArgument, usernameUnlessBulk } from '../arguments.ts';
import { runBulkCommand } from '../bulk/bulk-command.ts';
import { addBulkOptions, type BulkOptions } from '../bulk/bulk-options.ts';
import { type Change, giveChange, takeChange } from '../bulk/changes.ts';
import { ROW_FIELDS } from '../bulk/run/result-printer.ts';
import { askToSpend } from '../consent.ts';
import type { GlobalOptions } from '../global-options.ts';
import type { Interrupts } from '../interrupts.ts';
import { printDone } from '../output/done.ts';
import { TRANSFER_FIELDS, transferFields } from '../output/fields.ts';
import { printsFields } from '../output/json.ts';
import { openSession } from '../session.ts';

type Options = GlobalOptions & BulkOptions & { readonly reference?: string };

/** `bursarctl balance ...` */
export function balanceCommand(): Command {
	const balance = new Command('balance')
		.description('move balance between you and your sub-users')
		.addHelpText('after', '\nExample:\n  $ bursarctl balance give alice 2.50     # US dollars\n');

	const give = balance
		.command('give')
		.description('move some of your balance to a sub-user')
		.addHelpText('after', '\nExample:\n  $ bursarctl balance give alice 2.50     # US dollars\n');
	withTransferArguments(give).action(
		(username: string | undefined, amount: number | undefined, _options: unknown, command: Command) =>
			giveBalance(username, amount, command.optsWithGlobals()),
	);

	const take = balance
		.command('take')
		.description('move balance of a sub-user back to you')
		.addHelpText('after', '\nExample:\n  $ bursarctl balance take alice 2.50     # US dollars\n');
	withTransferArguments(take).action(
		(username: string | undefined, amount: number | undefined, _options: unknown, command: Command) =>
			takeBalance(username, amount, command.optsWithGlobals()),
	);
	return balance;
}

function withTransferArguments(command: Command): Command {
	command
		.argument('[username]')
		.argument('[usd]', 'US dollars with two decimals, at least 0.01', amountArgument)
		.option('--reference <text>', 'what it is for, like an order; the statement finds it', referenceArgument);
	printsFields(command, TRANSFER_FIELDS, ['amount_usd_cents', 'reference', ...ROW_FIELDS]);
	return addBulkOptions(command, 'username,amount a line');
}

async function giveBalance(given: string | undefined, amount: number | undefined, options: Options): Promise<void> {
	const username = usernameUnlessBulk(given, options.all);
	if (username === undefined) return runBulk(giveChange, options);
	const amountCents = required(amount);
	const { client, interrupts } = openSession(options);
	await askToSpend(`Give ${usd(amountCents)} USD of your balance to ${username}?`, options, interrupts.stop);
	interrupts.changeBegins();
	const transfer = await client.subUsers.give(username, amountCents, transferOptions(options, interrupts));
	await printTransfer(transfer, options);
}

async function takeBalance(given: string | undefined, amount: number | undefined, options: Options): Promise<void> {
	const username = usernameUnlessBulk(given, options.all);
	if (username === undefined) return runBulk(takeChange, options);
	const amountCents = required(amount);
	const { client, interrupts } = openSession(options);
	interrupts.changeBegins();
	const transfer = await client.subUsers.take(username, amountCents, transferOptions(options, interrupts));
	await printTransfer(transfer, options);
}

function runBulk(change: Change, options: Options): Promise<void> {
	if (options.reference === undefined) return runBulkCommand(change, options);
	throw new UsageError(
		`--reference is for one transfer: give the file the heading ${USERNAME_HEADING},${AMOUNT_HEADING},${REFERENCE_HEADING}`,
	);
}

function transferOptions({ reference }: Options, interrupts: Interrupts): TransferOptions {
	return { signal: interrupts.stop, ...(reference !== undefined && { reference }) };
}

/** The amount, in USD cents. */
function required(amount: number | undefined): number {
	if (amount === undefined) throw new UsageError('give the amount, in US dollars');
	return amount;
}

function printTransfer(transfer: Parameters<typeof transferFields>[0], options: Options): Promise<void> {
	const { username, balanceCents } = transfer;
	const record = { Username: username, 'Balance in USD': usd(balanceCents) };
	const done = `the transfer was done, and ${username} has ${usd(balanceCents)} USD`;
	return printDone(done, { fields: transferFields(transfer), record }, options);
}
