import { exitCodes, guardOutput, printError, standardError, standardOutput, usageError } from '@bursar/terminal';
import { Command, CommanderError } from 'commander';
import { version } from '../version.ts';
import { addressCommand } from './commands/address.ts';
import { backupCommand } from './commands/backup.ts';
import { brandCommand } from './commands/brand.ts';
import { completionCommand } from './commands/completion.ts';
import { configCommand } from './commands/config.ts';
import { devCommand } from './commands/dev.ts';
import { doctorCommand } from './commands/doctor.ts';
import { edgeCommand } from './commands/edge.ts';
import { ledgerCommand } from './commands/ledger.ts';
import { masterKeyCommand } from './commands/master-key.ts';
import { migrateCommand } from './commands/migrate.ts';
import { movementsCommand } from './commands/movements.ts';
import { operatorCommand } from './commands/operator.ts';
import { operatorTokenCommand } from './commands/operator-token.ts';
import { paymentsCommand } from './commands/payments.ts';
import { personCommand } from './commands/person.ts';
import { refusalsCommand } from './commands/refusals.ts';
import { requestCommand } from './commands/request.ts';
import { resellerCommand } from './commands/reseller.ts';
import { serveCommand } from './commands/serve.ts';
import { storeCommand } from './commands/store.ts';
import { usageCommand } from './commands/usage.ts';
import { webhooksCommand } from './commands/webhooks.ts';
import { reportFailure } from './failure.ts';
import { useInstalledSettings } from './installed-settings.ts';

/**
 * Runs the operator's command line and sets the exit code: 0 done, 1 failed, 2 used wrongly. `npx bursar` alone starts the
 * demo, because that is how people try a package.
 */
export async function bursar(args: readonly string[]): Promise<void> {
	const argv = args.length === 2 && process.env.npm_command === 'exec' ? [...args, 'dev'] : args;
	const asJson = argv.includes('--json');
	guardOutput((failure) => {
		process.exitCode = failure.exitCode;
		printError('bursar', failure, asJson);
	});
	const program = new Command('bursar')
		.description('Runs a Bursar service and manages its resellers, usage and ledger.')
		.version(version, '--version', 'print the version')
		.configureHelp({ subcommandTerm: (command) => command.name() })
		.addHelpText('after', '\nExample:\n  $ npx bursar reseller create acme --balance 50.00\n')
		.hook('preAction', (_, command) => {
			// The demo has a store of its own, and completion needs none.
			if (!['dev', 'completion'].includes(command.name())) useInstalledSettings();
		});
	for (const command of [
		serveCommand(),
		devCommand(),
		doctorCommand(),
		resellerCommand(),
		personCommand(),
		operatorCommand(),
		operatorTokenCommand(),
		brandCommand(),
		usageCommand(),
		edgeCommand(),
		ledgerCommand(),
		webhooksCommand(),
		paymentsCommand(),
		movementsCommand(),
		requestCommand(),
		refusalsCommand(),
		addressCommand(),
		backupCommand(),
		migrateCommand(),
		masterKeyCommand(),
		storeCommand(),
		configCommand(),
		completionCommand(program),
	]) {
		program.addCommand(command);
	}
	prepare(program, asJson);

	try {
		await program.parseAsync(argv);
	} catch (error) {
		if (!(error instanceof CommanderError)) process.exitCode = reportFailure(error, asJson);
		else if (error.exitCode !== 0) process.exitCode = exitCodes.usage;
	}
}

/** Gives every command `--json`, and keeps commander from printing errors and ending the process. */
function prepare(command: Command, asJson: boolean): void {
	command.exitOverride((error) => {
		const isHelpShown = error.exitCode === 0 || (error.code === 'commander.help' && !asJson);
		throw isHelpShown ? error : usageError(error, command);
	});
	// Commander's own error messages repeat arguments, which may be secrets.
	command.configureOutput({ outputError: () => {} });
	command.helpOption('-h, --help', 'print this help').configureOutput({
		writeOut: (text) => standardOutput().write(text),
		writeErr: (text) => asJson || standardError().write(text),
	});
	if (command.commands.length === 0) command.option('--json', 'print one JSON object, for scripts');
	for (const subcommand of command.commands) prepare(subcommand, asJson);
}
