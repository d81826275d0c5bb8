import { ask, CommandError, isTerminal, UsageError } from '@bursar/terminal';
import type { GlobalOptions } from './global-options.ts';

const DELETES = 'deletes sub-users for ever';

/** Throws if consent is needed, `--yes` is not given, and there is no terminal to ask on. */
export function requireYesOrTerminal({ yes }: GlobalOptions, does = 'spends money'): void {
	if (yes || isTerminal()) return;
	throw new UsageError(
		`this command ${does}, and there is no terminal to ask on: give --yes. Nothing was sent`,
		'not_confirmed',
	);
}

/** Asks before money is spent, unless `--yes` was given. Throws if the answer is no. */
export async function askToSpend(question: string, options: GlobalOptions, stop: AbortSignal): Promise<void> {
	requireYesOrTerminal(options);
	if (!options.yes) await askFor(question, stop);
}

/** Asks before a sub-user is deleted, unless `--yes` was given. Throws if the answer is no. */
export async function askToDelete(question: string, options: GlobalOptions, stop: AbortSignal): Promise<void> {
	requireYesOrTerminal(options, DELETES);
	if (!options.yes) await askFor(question, stop);
}

/**
 * Asks on a terminal before something stops working, unless `--yes` was given. A script needs no `--yes`, because nothing
 * is spent or lost. Throws if the answer is no.
 */
export async function askIfTerminal(question: string, options: GlobalOptions, stop: AbortSignal): Promise<void> {
	if (!options.yes && isTerminal()) await askFor(question, stop);
}

async function askFor(question: string, stop: AbortSignal): Promise<void> {
	if (/^y(es)?$/i.test(await ask(`${question} [y/N]`, stop))) return;
	throw new CommandError('declined', 'not confirmed, and nothing was sent');
}
