import { CommandError, print, withProgress } from '@bursar/terminal';
import type { Command } from 'commander';
import { printResult } from '../output.ts';
import { inSession } from '../session.ts';

/** `bursar ledger ...` */
export function ledgerCommand(ledger: Command): void {
	ledger.addHelpText('after', '\nExample:\n  $ bursar ledger verify --json\n');
	ledger
		.command('verify')
		.description('recompute every balance from its ledger entries, and name the accounts and people with problems')
		.addHelpText('after', '\nExample:\n  $ bursar ledger verify --json\n')
		.action(async (options: { json?: boolean }) => {
			const { accounts, transfers, problems } = await inSession(({ store }) =>
				withProgress('verifying the ledger', () => store.verifyLedger()),
			);
			const ok = problems.length === 0;
			if (options.json) printResult({ ok, accounts, transfers, problems }, true);
			else {
				printResult({ ok, accounts, transfers, problems: problems.length }, false);
				print(problems.map(({ name, problem }) => `${name}: ${problem}`));
			}
			if (!ok) throw new CommandError('ledger_problems', `the ledger has ${problems.length} problem(s)`);
		});
}
