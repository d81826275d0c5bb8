import { UsageError } from './command-error.ts';

interface NamedCommand {
	name(): string;
	readonly parent: NamedCommand | null;
}

/** The error for a command that commander could not run. It names the help of that command. */
export function usageError(
	error: { readonly code: string; readonly message: string },
	command: NamedCommand,
): UsageError {
	return new UsageError(`${usageWords(error)} (see ${pathOf(command)} --help)`);
}

function pathOf(command: NamedCommand): string {
	return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** The message for an error of commander, without the arguments that commander repeats: they may be secrets. */
export function usageWords({ code, message }: { readonly code: string; readonly message: string }): string {
	switch (code) {
		case 'commander.help':
			return 'a command is missing';
		case 'commander.unknownCommand': {
			const suggestion = suggestionIn(message);
			// A word that resembles no command may be a secret at a wrong position.
			const name = /^error: unknown command '([a-z-]{1,20})'/.exec(message)?.[1] ?? '';
			return `unknown command ${suggestion && name}`.trimEnd() + suggestion;
		}
		case 'commander.unknownOption': {
			// The rest is a value, or has more letters than an option.
			const name = /^error: unknown option '(--[a-z-]{1,30})(?=[='])/.exec(message)?.[1] ?? '';
			return `unknown option ${name}`.trimEnd() + suggestionIn(message);
		}
		case 'commander.excessArguments':
			return 'too many arguments';
		case 'commander.invalidArgument':
			return message
				.replace(/^error: (command-)?/, '')
				.replace(/(argument|value) '[\s\S]*' is invalid/, '$1 is invalid')
				.replaceAll('\n', ' ');
		case 'commander.missingArgument':
		case 'commander.optionMissingArgument':
		case 'commander.missingMandatoryOptionValue':
			return message.replace(/^error: /, '');
		default:
			return 'the arguments cannot be read';
	}
}

/** The suggestion holds only our own command and option names. */
function suggestionIn(message: string): string {
	const suggestion = /\n\(Did you mean [^\n]*\)$/.exec(message)?.[0];
	return suggestion === undefined ? '' : ` ${suggestion.trim()}`;
}
