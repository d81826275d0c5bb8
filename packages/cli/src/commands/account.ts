import { Command } from 'commander';
import type { GlobalOptions } from '../global-options.ts';
import { ACCOUNT_FIELDS, accountFields } from '../output/fields.ts';
import { printJson, printsFields } from '../output/json.ts';
import { openSession } from '../session.ts';
import { printAccount } from './sub-user.ts';

/** `bursarctl account` */
export function accountCommand(): Command {
	const account = new Command('account')
		.description('show your own account and its balance')
		.addHelpText('after', '\nExample:\n  $ bursarctl account\n')
		.action((_options: unknown, command: Command) => showAccount(command.optsWithGlobals()));
	return printsFields(account, ACCOUNT_FIELDS);
}

async function showAccount(options: GlobalOptions): Promise<void> {
	const { client, interrupts } = openSession(options);
	const account = await client.account.retrieve({ signal: interrupts.stop });
	if (options.json) printJson(accountFields(account), options.json);
	else printAccount(account);
}
