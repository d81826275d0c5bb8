import { guardOutput, printError, standardError } from '@bursar/terminal';
import { Command, CommanderError } from 'commander';
import { version } from '../version.ts';

/** The commands, in the order of the help page. Each is loaded only where it is called, or its own help is asked for. */
const COMMANDS: readonly LazyCommand[] = [
	{
		name: 'serve',
		description: 'run the service until SIGTERM or SIGINT',
		load: async () => (await import('./commands/serve.ts')).serveCommand,
	},
	{
		name: 'dev',
		description: 'run the service, with a demo reseller where the data directory is empty',
		load: async () => (await import('./commands/dev.ts')).devCommand,
	},
	{
		name: 'reseller',
		description: 'Create resellers, top them up, and replace their tokens.',
		load: async () => (await import('./commands/reseller.ts')).resellerCommand,
	},
	{
		name: 'usage',
		description: 'Take in the bandwidth that proxy hosts report.',
		load: async () => (await import('./commands/usage.ts')).usageCommand,
	},
	{
		name: 'ledger',
		description: 'Check the books.',
		load: async () => (await import('./commands/ledger.ts')).ledgerCommand,
	},
	{
		name: 'backup',
		description: 'write a consistent copy of the store to a new file, also while the service runs',
		load: async () => (await import('./commands/backup.ts')).backupCommand,
	},
	{
		name: 'migrate',
		description: 'bring the schema of the store up to date (every other command does so too)',
		load: async () => (await import('./commands/migrate.ts')).migrateCommand,
	},
	{
		name: 'master-key',
		description: 'Look after the key that proxy auth keys are sealed under.',
		load: async () => (await import('./commands/master-key.ts')).masterKeyCommand,
	},
	{
		name: 'store',
		description: 'Move a store from the embedded engine to PostgreSQL.',
		load: async () => (await import('./commands/store.ts')).storeCommand,
	},
	{
		name: 'config',
		description: 'Look at the configuration.',
		load: async () => (await import('./commands/config.ts')).configCommand,
	},
];

interface LazyCommand {
	readonly name: string;
	readonly description: string;
	/** Resolves to what gives the command its arguments, options and subcommands. */
	load(): Promise<(command: Command) => void>;
}

/** Runs the operator's command line and sets the exit code: 0 done, 1 failed, 2 used wrongly. */
export async function bursar(argv: readonly string[]): Promise<void> {
	const asJson = argv.includes('--json');
	guardOutput((failure) => {
		process.exitCode = failure.exitCode;
		printError('bursar', failure, asJson);
	});
	const program = new Command('bursar')
		.description('Runs a Bursar service and looks after its resellers, usage and ledger.')
		.version(version(), '--version', 'print the version')
		.helpOption('-h, --help', 'print this help')
		// What follows the name is known only of those that are loaded.
		.configureHelp({ subcommandTerm: (command) => command.name() })
		.addHelpText('after', '\nExample:\n  $ npx bursar reseller create acme --balance-cents 5000\n');
	for (const { name, description, load } of COMMANDS) {
		const command = program.command(name).description(description);
		if (argv.includes(name)) (await load())(command);
	}
	prepare(program, asJson);

	try {
		await program.parseAsync(argv);
	} catch (error) {
		if (error instanceof CommanderError && error.exitCode === 0) return;
		const { reportFailure } = await import('./failure.ts');
		process.exitCode = reportFailure(error, asJson);
	}
}

/** Every command takes `--json`, and leaves printing errors and ending the process to us. */
function prepare(command: Command, asJson: boolean): void {
	// Commander would repeat arguments in its words before anybody could look at them: they might be secrets.
	command.exitOverride().configureOutput({ outputError: () => {} });
	command.configureOutput({ writeErr: (text) => asJson || standardError().write(text) });
	if (command.commands.length === 0) command.option('--json', 'print one JSON object, for scripts');
	for (const subcommand of command.commands) prepare(subcommand, asJson);
}
