import { normalizeUsername } from '@bursar/client';
import { print } from '@bursar/terminal';
import { Command } from 'commander';
import { NAMES_COMMAND } from '../completion/command-tree.ts';
import type { GlobalOptions } from '../global-options.ts';
import { openSession } from '../session.ts';

/** @bound The completion of names: after that nothing is offered, because a person waits. */
const MOST_MS = 2_000;
/** @bound Names that the completion offers: further ones are left out. */
const MOST_NAMES = 100;

/**
 * A hidden command for the completion scripts: prints the names of sub-users that begin with what was typed. It prints
 * nothing if anything fails, and never asks.
 */
export function completeNamesCommand(): Command {
	return new Command(NAMES_COMMAND)
		.description('print names of sub-users, for the completion scripts')
		.argument('[prefix]')
		.addHelpText('after', `\nExample:\n  $ bursarctl ${NAMES_COMMAND} ali\n`)
		.action(async (prefix: string | undefined, _options: unknown, command: Command) => {
			print(await namesWith(prefix ?? '', command.optsWithGlobals()).catch(() => []));
		});
}

async function namesWith(prefix: string, options: GlobalOptions): Promise<string[]> {
	if (!/^[a-z0-9._]{0,32}$/i.test(prefix)) return [];
	const { client } = openSession(options);
	const signal = AbortSignal.timeout(MOST_MS);
	// A person is typing: nothing is said about failures.
	const page = { prefix, pageRows: MOST_NAMES, maxAttempts: 1, signal, onEvent: () => {} };
	const { items } = await client.subUsers.list(page).page();
	const names = items.map(({ username }) => username);
	// A shell could run the text if it is not a name.
	return names.filter((name) => normalizeUsername(name) === name);
}
