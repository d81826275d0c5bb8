import { commandTree, optionsWithValue } from '@bursar/terminal/completion';
import type { Command } from 'commander';

/**
 * If the arguments ask for help, returns the words of the command and then `--help`, in whatever order they stood. A word
 * that is no command stays, so that it is refused. Returns all other arguments as they are.
 */
export function withHelpLast(program: Command, args: readonly string[]): readonly string[] {
	const end = args.indexOf('--');
	const before = end === -1 ? args : args.slice(0, end);
	const withValue = optionsWithValue(commandTree(program), ['text', 'file', 'choice']);
	const words = before.filter((_, index) => !withValue.includes(before[index - 1] ?? ''));
	let isAsked = words.some((word) => word === '-h' || word === '--help');
	const path: string[] = [];
	let command: Command | undefined = program;
	for (const word of words.filter((each) => !each.startsWith('-'))) {
		// The words after a command without commands are its arguments.
		if (command === undefined || command.commands.length === 0) break;
		if (word === 'help') {
			isAsked = true;
		} else {
			path.push(word);
			command = command.commands.find((child) => child.name() === word);
		}
	}
	if (!isAsked) return args;
	return command === undefined ? path : [...path, '--help'];
}
