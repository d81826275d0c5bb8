import { CommandError, print, say, withProgress } from '@bursar/terminal';
import { Command } from 'commander';
import { printResult } from '../output.ts';
import { inSession, type Session } from '../session.ts';

/** `bursar ledger ...` */
export function ledgerCommand(): Command {
	const ledger = new Command('ledger').description('Check the books.');
	ledger.addHelpText('after', '\nExample:\n  $ bursar ledger verify --json\n');
	ledger
		.command('verify')
		.description('recompute every balance from its ledger entries, and name the accounts and people with problems')
		.addHelpText('after', '\nExample:\n  $ bursar ledger verify --json\n')
		.action(async (options: { json?: boolean }) => {
			const { verification, isStored } = await inSession((session) =>
				withProgress('verifying the ledger', () => verify(session)),
			);
			const { accounts, transfers, problems } = verification;
			const ok = problems.length === 0;
			if (!isStored && !options.json) {
				say('The dashboard does not show this result: it could not be noted, or another verification runs.');
			}
			if (options.json) printResult({ ok, accounts, transfers, problems, noted: isStored }, true);
			else {
				printResult({ ok, accounts, transfers, problems: problems.length }, false);
				print(problems.map(({ name, problem }) => `${name}: ${problem}`));
			}
			if (!ok) throw new CommandError('ledger_problems', `the ledger has ${problems.length} problem(s)`);
		});
	return ledger;
}

/** Verifies the ledger in any case, also if the store cannot be written. */
async function verify({ store, bank, requestId: id }: Session) {
	const { runVerification } = await import('../../bank/run-verification.ts');
	const hasBegun = await bank.changePerson({ kind: 'begin_verification', id }).then(
		({ ok }) => ok,
		() => false,
	);
	if (hasBegun) return runVerification({ store, bank }, id);
	return { verification: await store.verifyLedger(), isStored: false };
}
