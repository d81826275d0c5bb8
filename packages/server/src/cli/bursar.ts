import { guardOutput, printError, standardError, standardOutput } from '@bursar/terminal';
import { Command, CommanderError } from 'commander';
import { version } from '../version.ts';

/** The commands, in the order of the help page. A command is loaded only if it is called or its help is asked for. */
const COMMANDS: readonly LazyCommand[] = [
	{
		name: 'serve',
		description: 'run the service until SIGTERM or SIGINT',
		load: async () => (await import('./commands/serve.ts')).serveCommand,
	},
	{
		name: 'dev',
		description: 'run the service, with a demo reseller if the store is empty',
		load: async () => (await import('./commands/dev.ts')).devCommand,
	},
	{
		name: 'reseller',
		description: 'Create resellers, top them up, replace their tokens, and invite their people.',
		load: async () => (await import('./commands/reseller.ts')).resellerCommand,
	},
	{
		name: 'person',
		description: 'List, lock and reset the people who sign in on the dashboard.',
		load: async () => (await import('./commands/person.ts')).personCommand,
	},
	{
		name: 'operator',
		description: 'Invite operators to the dashboard.',
		load: async () => (await import('./commands/operator.ts')).operatorCommand,
	},
	{
		name: 'usage',
		description: 'Import the bandwidth that proxy hosts report.',
		load: async () => (await import('./commands/usage.ts')).usageCommand,
	},
	{
		name: 'edge',
		description: 'Create, list and revoke the keys of proxy hosts.',
		load: async () => (await import('./commands/edge.ts')).edgeCommand,
	},
	{
		name: 'ledger',
		description: 'Check the books.',
		load: async () => (await import('./commands/ledger.ts')).ledgerCommand,
	},
	{
		name: 'backup',
		description: 'write a consistent copy of the store to a new file, even while the service runs',
		load: async () => (await import('./commands/backup.ts')).backupCommand,
	},
	{
		name: 'migrate',
		description: 'bring the schema of the store up to date (commands that open the store do this too)',
		load: async () => (await import('./commands/migrate.ts')).migrateCommand,
	},
	{
		name: 'master-key',
		description: 'Change the key that encrypts the secrets of the store.',
		load: async () => (await import('./commands/master-key.ts')).masterKeyCommand,
	},
	{
		name: 'store',
		description: 'Move a store from the embedded engine to PostgreSQL.',
		load: async () => (await import('./commands/store.ts')).storeCommand,
	},
	{
		name: 'config',
		description: 'Show the configuration.',
		load: async () => (await import('./commands/config.ts')).configCommand,
	},
];

interface LazyCommand {
	readonly name: string;
	readonly description: string;
	/** Resolves to a function that adds the arguments, options and subcommands. */
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
		.description('Runs a Bursar service and manages its resellers, usage and ledger.')
		// It is in a file that other commands need not read.
		.version(argv.includes('--version') ? version() : '', '--version', 'print the version')
		.helpOption('-h, --help', 'print this help')
		// Only names, because the arguments of commands that are not loaded are unknown.
		.configureHelp({ subcommandTerm: (command) => command.name() })
		.addHelpText('after', '\nExample:\n  $ npx bursar reseller create acme --balance-cents 5000\n');
	// If the arguments begin with a command, no help page lists the others.
	const called = COMMANDS.filter(({ name }) => name === argv[2]);
	for (const { name, description, load } of called.length > 0 ? called : COMMANDS) {
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

/** Gives every command `--json`, and keeps commander from printing errors and ending the process. */
function prepare(command: Command, asJson: boolean): void {
	// Commander's own error messages repeat arguments, which may be secrets.
	command.exitOverride().configureOutput({ outputError: () => {} });
	command.configureOutput({
		writeOut: (text) => standardOutput().write(text),
		writeErr: (text) => asJson || standardError().write(text),
	});
	if (command.commands.length === 0) command.option('--json', 'print one JSON object, for scripts');
	for (const subcommand of command.commands) prepare(subcommand, asJson);
}
