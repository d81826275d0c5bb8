import { guardOutput, standardError, standardOutput, usageError } from '@bursar/terminal';
import { Command, CommanderError } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { accountCommand } from './commands/account.ts';
import { apiCommand } from './commands/api.ts';
import { balanceCommand } from './commands/balance.ts';
import { changeCommand } from './commands/change.ts';
import { completeNamesCommand } from './commands/complete-names.ts';
import { completionCommand } from './commands/completion.ts';
import { eventsCommand } from './commands/events.ts';
import { loginCommand, logoutCommand, profilesCommand } from './commands/profiles.ts';
import { statementCommand } from './commands/statement.ts';
import { subUserCommand } from './commands/sub-user.ts';
import { tokensCommand } from './commands/tokens.ts';
import { topUpCommand } from './commands/top-up.ts';
import { usageCommand } from './commands/usage.ts';
import { webhooksCommand } from './commands/webhooks.ts';
import { exitCodes, failureOf } from './failure.ts';
import { addGlobalOptions } from './global-options.ts';
import { withHelpLast } from './help.ts';
import { jsonWithEquals, refuseUnknownFields } from './output/json.ts';
import { tellFailure } from './output/tell.ts';
import { refuseSecretArgument } from './token.ts';

const HELP = `
Environment:
  BURSAR_URL    base address of the service
  BURSAR_TOKEN  the reseller's token, which is never an argument
Without both, a profile of bursarctl login is used.

Exit codes:
  0  done
  1  failed: no connection, the service is not available, or not confirmed
  2  wrong usage: nothing was sent
  3  not authorised, or the token lacks a scope
  4  you have no such sub-user, webhook or token
  5  refused: balance too small, username taken, your account suspended, events gone
  6  outcome unknown, or done but not printed: look before you repeat it
  130, 143  ended by Ctrl-C or SIGTERM, and no outcome is unknown

Example:
  $ bursarctl balance give alice 2.50     # US dollars
`;

/** Runs the reseller's command line and sets the exit code. */
export async function bursarctl(argv: readonly string[]): Promise<void> {
	const args = argv.slice(2);
	const asJson = args.some((arg) => arg === '--json' || arg.startsWith('--json='));
	guardOutput((failure) => {
		process.exitCode = tellFailure(failure, asJson);
	});
	const program = new Command('bursarctl')
		.description('Manages your sub-users, their balance and their usage.')
		.version(manifest.version, '--version', 'print the version')
		.addHelpText('after', HELP)
		.hook('preAction', (_, action) => refuseUnknownFields(action));
	addGlobalOptions(program);
	for (const command of [
		accountCommand(),
		subUserCommand(),
		balanceCommand(),
		usageCommand(),
		statementCommand(),
		topUpCommand(),
		eventsCommand(),
		webhooksCommand(),
		tokensCommand(),
		changeCommand(),
		apiCommand(),
		loginCommand(),
		logoutCommand(),
		profilesCommand(),
		completionCommand(program),
	]) {
		program.addCommand(command);
	}
	program.addCommand(completeNamesCommand(), { hidden: true });
	prepare(program, asJson);

	try {
		refuseSecretArgument(args);
		await program.parseAsync(withHelpLast(program, jsonWithEquals(args)), { from: 'user' });
	} catch (error) {
		process.exitCode = report(error, asJson);
	}
}

/** Commander neither prints errors nor ends the process: we do both. */
function prepare(command: Command, asJson: boolean): void {
	command.exitOverride((error) => {
		const isHelpShown = error.exitCode === 0 || (error.code === 'commander.help' && !asJson);
		throw isHelpShown ? error : usageError(error, command);
	});
	// Commander's messages repeat arguments, which may be secrets.
	command.configureOutput({ outputError: () => {} });
	command.helpOption('-h, --help', 'print this help');
	if (command.parent !== null) command.addHelpText('after', 'Global options, such as --json: bursarctl --help');
	command.configureOutput({
		writeOut: (text) => standardOutput().write(text),
		writeErr: (text) => asJson || standardError().write(text),
	});
	for (const subcommand of command.commands) prepare(subcommand, asJson);
}

function report(error: unknown, asJson: boolean): number {
	if (!(error instanceof CommanderError)) return tellFailure(failureOf(error), asJson);
	// The help was shown, which is enough.
	return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
}
