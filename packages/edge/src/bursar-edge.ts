import {
	CommandError,
	guardOutput,
	packageVersion,
	printError,
	standardError,
	standardOutput,
	UsageError,
	usageWords,
} from '@bursar/terminal';
import { Command, CommanderError } from 'commander';

/** A command is loaded only if it is called or its help is asked for. */
const COMMANDS: readonly LazyCommand[] = [
	{
		name: 'proxy',
		description: 'run a proxy that checks pairs and counts bytes',
		load: async () => (await import('./proxy/proxy-command.ts')).proxyCommand,
	},
	{
		name: 'squid-auth',
		description: "answer Squid's requests about pairs",
		load: async () => (await import('./squid/auth/squid-auth-command.ts')).squidAuthCommand,
	},
	{
		name: 'squid-usage',
		description: "count bytes from Squid's access log and manager",
		load: async () => (await import('./squid/usage/squid-usage-command.ts')).squidUsageCommand,
	},
];

interface LazyCommand {
	readonly name: string;
	readonly description: string;
	/** Resolves to a function that adds the options. */
	load(): Promise<(command: Command) => void>;
}

const HELP = `
Environment:
  BURSAR_EDGE_URL       base address of the service's edge listener
  BURSAR_EDGE_KEY       the key of this edge, which is never an argument
  BURSAR_EDGE_KEY_FILE  or a file with the key

Example:
  $ BURSAR_EDGE_URL=https://edge.bursar.example BURSAR_EDGE_KEY_FILE=/etc/bursar-edge/key bursar-edge proxy
`;

/** Runs a command of the proxy host, and sets the exit code: 0 done, 1 failed, 2 used wrongly. */
export async function bursarEdge(argv: readonly string[]): Promise<void> {
	guardOutput(report);
	const program = new Command('bursar-edge')
		.description('Checks pairs and counts bytes on a proxy host.')
		.version(packageVersion(import.meta.dirname), '--version', 'print the version')
		.helpOption('-h, --help', 'print this help')
		.addHelpText('after', HELP);
	for (const { name, description, load } of COMMANDS) {
		const command = program.command(name).description(description);
		if (argv.includes(name)) (await load())(command);
	}
	for (const command of [program, ...program.commands]) prepare(command);
	try {
		await program.parseAsync(argv);
	} catch (error) {
		if (error instanceof CommanderError && error.exitCode === 0) return;
		report(failureOf(error));
	}
}

/** Commander neither prints errors, which repeat arguments, nor ends the process. */
function prepare(command: Command): void {
	command.exitOverride().configureOutput({
		outputError: () => {},
		writeOut: (text) => standardOutput().write(text),
		writeErr: (text) => standardError().write(text),
	});
}

function report(failure: CommandError): void {
	process.exitCode = failure.exitCode;
	printError('bursar-edge', failure, false);
}

function failureOf(error: unknown): CommandError {
	if (error instanceof CommandError) return error;
	if (!(error instanceof CommanderError)) return new CommandError('failed', (error as Error).message);
	const words = error.code === 'commander.help' ? 'a command is missing' : usageWords(error);
	return new UsageError(`${words} (see bursar-edge --help)`);
}
