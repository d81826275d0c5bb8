import { normalizeUsername } from '@bursar/client';
import { print } from '@bursar/terminal';
import type { NamesCommand } from '@bursar/terminal/completion';
import { Command } from 'commander';
import type { GlobalOptions } from '../global-options.ts';
import { openSession } from '../session.ts';

/** How the completion scripts ask for names of sub-users. They hand on the options that say of which service. */
export const COMPLETE_NAMES: NamesCommand = {
	name: 'complete-names',
	argument: 'username',
	handedOn: ['--profile', '--token-file'],
	unless: '--url',
};

/** @bound The completion of names: after that nothing is offered, because a person waits. */
const MOST_MS = 2_000;
/** @bound Names that the completion offers: further ones are left out. */
const MOST_NAMES = 100;

/**
 * A hidden command for the completion scripts: prints the names of sub-users that begin with what was typed. It prints
 * nothing if anything fails, and never asks.
 */
export function completeNamesCommand(): Command {
	return new Command(COMPLETE_NAMES.name)
		.description('print names of sub-users, for the completion scripts')
		.argument('[prefix]')
		.addHelpText('after', `\nExample:\n  $ bursarctl ${COMPLETE_NAMES.name} ali\n`)
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
