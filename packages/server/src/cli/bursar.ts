import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { CopyError } from '../store/copy.ts';
import { version } from '../version.ts';
import { backupCommand } from './commands/backup.ts';
import { configCommand } from './commands/config.ts';
import { devCommand } from './commands/dev.ts';
import { ledgerCommand } from './commands/ledger.ts';
import { masterKeyCommand } from './commands/master-key.ts';
import { migrateCommand } from './commands/migrate.ts';
import { resellerCommand } from './commands/reseller.ts';
import { serveCommand } from './commands/serve.ts';
import { storeCommand } from './commands/store.ts';
import { usageCommand } from './commands/usage.ts';
import { CommandError, guardOutput, printError } from './output.ts';

const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;

/** Runs the operator's command line and sets the exit code: 0 done, 1 failed, 2 used wrongly. */
export async function bursar(argv: readonly string[]): Promise<void> {
	const asJson = argv.includes('--json');
	guardOutput();
	const program = new Command('bursar')
		.description('Runs a Bursar service and looks after its resellers, usage and ledger.')
		.version(version(), '--version', 'print the version')
		.helpOption('-h, --help', 'print this help')
		.addHelpText('after', '\nExample:\n  $ npx bursar reseller create acme --balance-cents 5000\n');
	for (const command of [
		serveCommand(),
		devCommand(),
		resellerCommand(),
		usageCommand(),
		ledgerCommand(),
		backupCommand(),
		migrateCommand(),
		masterKeyCommand(),
		storeCommand(),
		configCommand(),
	]) {
		program.addCommand(command);
	}
	prepare(program, asJson);

	try {
		await program.parseAsync(argv);
	} catch (error) {
		process.exitCode = report(error, asJson);
	}
}

/** Every command takes `--json`, and leaves printing errors and ending the process to us. */
function prepare(command: Command, asJson: boolean): void {
	// Commander would repeat arguments in its words before anybody could look at them: they might be secrets.
	command.exitOverride().configureOutput({ outputError: () => {} });
	if (asJson) command.configureOutput({ writeErr: () => {} });
	if (command.commands.length === 0) command.option('--json', 'print one JSON object, for scripts');
	for (const subcommand of command.commands) prepare(subcommand, asJson);
}

function report(error: unknown, asJson: boolean): number {
	if (error instanceof CommanderError) {
		if (error.exitCode === 0) return 0;
		const isHelp = error.code === 'commander.help';
		if (!isHelp) printError('usage', `${error.message.replace(/^error: /, '')} (see bursar --help)`, asJson);
		else if (asJson) printError('usage', 'a command is missing (see bursar --help)', asJson);
		return EXIT_USAGE;
	}
	if (error instanceof CommandError) {
		printError(error.code, error.message, asJson);
		return error.isUsage ? EXIT_USAGE : EXIT_FAILURE;
	}
	if (error instanceof CopyError) printError(error.code, error.message, asJson);
	else if (error instanceof ConfigError) printError('invalid_configuration', error.message, asJson);
	else if (isAddressInUse(error)) printError('address_in_use', addressInUse(error), asJson);
	else printError('failed', error instanceof Error ? error.message : String(error), asJson);
	return EXIT_FAILURE;
}

interface ListenError extends Error {
	readonly address: string;
	readonly port: number;
}

function isAddressInUse(error: unknown): error is ListenError {
	return error instanceof Error && (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
}

function addressInUse({ address, port }: ListenError): string {
	return `port ${port} of ${address} is in use: stop what listens there, or choose others with BURSAR_PORT and BURSAR_OPS_PORT`;
}
