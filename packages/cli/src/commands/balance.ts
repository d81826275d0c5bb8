import { UsageError, usd } from '@bursar/terminal';
import { Command } from 'commander';
import { centsArgument, usernameUnlessBulk } from '../arguments.ts';
import { runBulkCommand } from '../bulk/bulk-command.ts';
import { addBulkOptions, type BulkOptions } from '../bulk/bulk-options.ts';
import { giveChange, takeChange } from '../bulk/changes.ts';
import { askToSpend } from '../consent.ts';
import type { GlobalOptions } from '../global-options.ts';
import { printDone } from '../output/done.ts';
import { transferFields } from '../output/fields.ts';
import { openSession } from '../session.ts';

type Options = GlobalOptions & BulkOptions;

/** `bursarctl balance ...` */
export function balanceCommand(): Command {
	const balance = new Command('balance')
		.description('move balance between you and your sub-users')
		.addHelpText('after', '\nExample:\n  $ bursarctl balance give alice 250     # 2.50 USD\n');

	const give = balance
		.command('give')
		.description('move some of your balance to a sub-user')
		.addHelpText('after', '\nExample:\n  $ bursarctl balance give alice 250     # 2.50 USD\n');
	withTransferArguments(give).action(
		(username: string | undefined, cents: number | undefined, _options: unknown, command: Command) =>
			giveBalance(username, cents, command.optsWithGlobals()),
	);

	const take = balance
		.command('take')
		.description('move balance of a sub-user back to you')
		.addHelpText('after', '\nExample:\n  $ bursarctl balance take alice 250     # 2.50 USD\n');
	withTransferArguments(take).action(
		(username: string | undefined, cents: number | undefined, _options: unknown, command: Command) =>
			takeBalance(username, cents, command.optsWithGlobals()),
	);
	return balance;
}

function withTransferArguments(command: Command): Command {
	command.argument('[username]').argument('[cents]', 'USD cents, an integer of at least 1', centsArgument);
	return addBulkOptions(command, 'username,cents a line');
}

async function giveBalance(given: string | undefined, cents: number | undefined, options: Options): Promise<void> {
	const username = usernameUnlessBulk(given, options.all);
	if (username === undefined) return runBulkCommand(giveChange, options);
	const amountCents = required(cents);
	const { client, interrupts } = openSession(options);
	await askToSpend(`Give ${usd(amountCents)} USD of your balance to ${username}?`, options, interrupts.stop);
	interrupts.changeBegins();
	const transfer = await client.giveBalance(username, amountCents, { signal: interrupts.stop });
	await printTransfer(transfer, options);
}

async function takeBalance(given: string | undefined, cents: number | undefined, options: Options): Promise<void> {
	const username = usernameUnlessBulk(given, options.all);
	if (username === undefined) return runBulkCommand(takeChange, options);
	const amountCents = required(cents);
	const { client, interrupts } = openSession(options);
	interrupts.changeBegins();
	const transfer = await client.takeBalance(username, amountCents, { signal: interrupts.stop });
	await printTransfer(transfer, options);
}

function required(cents: number | undefined): number {
	if (cents === undefined) throw new UsageError('give the amount, in USD cents');
	return cents;
}

function printTransfer(transfer: Parameters<typeof transferFields>[0], options: Options): Promise<void> {
	const { username, balanceCents } = transfer;
	const record = { Username: username, 'Balance in USD': usd(balanceCents) };
	const done = `the transfer was done, and ${username} has ${usd(balanceCents)} USD`;
	return printDone(done, { fields: transferFields(transfer), record }, options);
}
