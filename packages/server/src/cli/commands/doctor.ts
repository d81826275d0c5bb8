import { CommandError, print } from '@bursar/terminal';
import { Command } from 'commander';
import { version } from '../../version.ts';
import { printResult } from '../output.ts';

/** `bursar doctor`: looks at an installation from all sides. */
export function doctorCommand(): Command {
	const command = new Command('doctor').description(
		'Check the installation: what to look at first if something is wrong.',
	);
	command
		.addHelpText(
			'after',
			`
Checks the settings, the clock, the disk, the limit of open files, the master key, the store, the service, and the public
URL through everything in front of it. It changes nothing, shows no secrets, and ends within 15 seconds. Run it as the
user of the service, with the settings of the service. It ends with 1 if there is a problem; warnings are no problem.

Example:
  $ bursar doctor
`,
		)
		.action((options: { json?: boolean }) => examine(options));
	return command;
}

async function examine({ json }: { json?: boolean }): Promise<void> {
	const { runChecks } = await import('../doctor/run-checks.ts');
	const findings = await runChecks(process.env);
	const problems = findings.filter(({ state }) => state === 'problem').length;
	if (json) printResult({ ok: problems === 0, version, problems, findings }, true);
	else {
		print(findings.map(({ state, check, text }) => `${state.padEnd(7)}  ${check.padEnd(10)}  ${text}`));
		const remedies = findings.filter(({ state, remedy }) => remedy !== undefined && state !== 'ok');
		if (remedies.length > 0) print(['', 'What to do:']);
		print(remedies.map(({ check, remedy }) => `${check}: ${remedy}`));
	}
	if (problems > 0) throw new CommandError('problems_found', `${problems} problem(s) were found`);
}
