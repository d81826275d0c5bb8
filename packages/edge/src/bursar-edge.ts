import { CommandError, guardOutput, printError, standardError, standardOutput, usageError } from '@bursar/terminal';
import { Command, CommanderError } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { completionCommand } from './completion-command.ts';
import { joinCommand } from './join/join-command.ts';
import { proxyCommand } from './proxy/proxy-command.ts';
import { squidAuthCommand } from './squid/auth/squid-auth-command.ts';
import { squidUsageCommand } from './squid/usage/squid-usage-command.ts';

const HELP = `
Environment:
  BURSAR_EDGE_URL       base address of the service's edge listener
  BURSAR_EDGE_KEY       the key of this edge, which is never an argument
  BURSAR_EDGE_KEY_FILE  or a file with the key

Examples:
  $ bursar-edge join 'https://edge.bursar.example/join#SECRET'
  $ BURSAR_EDGE_URL=https://edge.bursar.example BURSAR_EDGE_KEY_FILE=/etc/bursar-edge/key bursar-edge proxy
`;

/** Runs a command of the proxy host, and sets the exit code: 0 done, 1 failed, 2 used wrongly. */
export async function bursarEdge(argv: readonly string[]): Promise<void> {
	guardOutput(report);
	const program = new Command('bursar-edge')
		.description('Checks pairs and counts bytes on a proxy host.')
		.version(manifest.version, '--version', 'print the version')
		.configureHelp({ subcommandTerm: (command) => command.name() })
		.addHelpText('after', HELP);
	for (const command of [
		joinCommand(),
		proxyCommand(),
		squidAuthCommand(),
		squidUsageCommand(),
		completionCommand(program),
	]) {
		program.addCommand(command);
	}
	for (const command of [program, ...program.commands]) prepare(command);
	try {
		await program.parseAsync(argv);
	} catch (error) {
		if (error instanceof CommanderError) return;
		report(failureOf(error));
		// A parent process gets the error, and a worker of the proxy must not wait for more.
		process.disconnect?.();
	}
}

/** Commander neither prints errors, which repeat arguments, nor ends the process. */
function prepare(command: Command): void {
	command
		.exitOverride((error) => {
			throw error.exitCode === 0 ? error : usageError(error, command);
		})
		.helpOption('-h, --help', 'print this help')
		.configureOutput({
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
	return error instanceof CommandError ? error : new CommandError('failed', (error as Error).message);
}
