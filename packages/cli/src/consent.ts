import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { CommandError, standardError, UsageError, visible } from '@bursar/terminal';
import type { GlobalOptions } from './global-options.ts';

/** Throws if consent is needed, `--yes` is not given, and there is no terminal to ask on. */
export function requireYesOrTerminal({ yes }: GlobalOptions): void {
	if (yes || isTerminal()) return;
	throw new UsageError(
		'this command spends money, and there is no terminal to ask on: give --yes. Nothing was sent',
		'not_confirmed',
	);
}

/** Asks before money is spent, unless `--yes` was given. Throws if the answer is no. */
export async function askToSpend(question: string, options: GlobalOptions, stop: AbortSignal): Promise<void> {
	requireYesOrTerminal(options);
	if (options.yes || (await isAgreed(question, stop))) return;
	throw new CommandError('declined', 'not confirmed, and nothing was sent');
}

function isTerminal(): boolean {
	return process.stdin.isTTY && standardError().isTTY;
}

async function isAgreed(question: string, stop: AbortSignal): Promise<boolean> {
	// The terminal itself edits the line, so that Ctrl-C stays a signal.
	const lines = createInterface({ input: process.stdin, output: standardError(), terminal: false });
	const ended = once(lines, 'close').then(() => '');
	try {
		const answer = await Promise.race([lines.question(`${visible(question)} [y/N] `, { signal: stop }), ended]);
		return /^y(es)?$/i.test(answer.trim());
	} catch (error) {
		stop.throwIfAborted();
		throw error;
	} finally {
		lines.close();
	}
}
